// A page that is being worked on is never old, and a server without a page of its own has nothing newer.
export function differs(mine: string, servers: string): boolean {
  return mine !== 'dev' && servers !== '' && mine !== servers;
}
