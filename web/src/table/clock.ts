// Clocks: the remaining time, and its format.
import type { Clock } from '../lib/types';

// The seconds that a seat has left now; only the clock of the actor runs.
export function leftNow(clock: Clock, seat: number, actor: number | null, since: number, now: number): number {
  const left = clock.left[seat] ?? 0;
  return seat === actor ? Math.max(0, left - Math.max(0, now - since) / 1000) : left;
}

const two = (value: number) => String(value).padStart(2, '0');

// "1:02:09", "4:05", and in the last ten seconds "7.3". For a day or more, see `daysOf`.
export function clockText(seconds: number): string {
  if (seconds < 10) return (Math.floor(seconds * 10) / 10).toFixed(1);
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export function daysOf(seconds: number): { days: number; hours: number } | null {
  return seconds < 86_400 ? null : { days: Math.floor(seconds / 86_400), hours: Math.floor(seconds / 3600) % 24 };
}

// Whether little time is left: less than a tenth of the base time, but at least 10 and at most 30 seconds; with days
// per move, less than an hour.
export function isLow(clock: Clock, seconds: number): boolean {
  return clock.days ? seconds < 3600 : seconds < Math.min(30, Math.max(10, (clock.base ?? 0) / 10));
}
