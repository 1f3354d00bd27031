// The address that others open.
export function inviteLink(base: string, table: string): string {
  return `${base.replace(/\/+$/, '')}/t/${table}`;
}
