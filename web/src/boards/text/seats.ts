// The seats in display order: the viewer first, then in order of play.
export function orderOf(seats: number, viewer: number | null): number[] {
  return Array.from({ length: seats }, (_, at) => (at + (viewer ?? 0)) % seats);
}
