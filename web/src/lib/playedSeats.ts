// The user's seats that no bot has taken over. `you` lists the others too, because they count for a rematch.
export function playedSeats({ you, seats }: { you: number[]; seats: { kind: string }[] }): number[] {
  return you.filter((seat) => seats[seat]?.kind === 'person');
}
