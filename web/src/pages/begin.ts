// From a wish to a table. Where nobody has to come any more the game begins at once.
import * as api from '../lib/api';

export async function begin(wish: api.TableWish): Promise<string> {
  const { table } = await api.found(wish);
  if (!wish.seats.some((seat) => seat.kind === 'open'))
    try {
      const { step } = await api.table(table);
      await api.command(table, { type: 'start', id: api.random(16), step, entropy: api.random(32) });
    } catch {
      // the table stands, and its page has a button to begin
    }
  return table;
}
