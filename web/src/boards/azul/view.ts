// A position of both Azul editions, as the server sends it.
import type { View } from '../../lib/types';

export interface AzulBoard {
  score: number;
  lines: string[]; // five texts such as "BB"
  wall: string[]; // five rows of five letters, "." where there is no tile
  floor: string; // from the left, "m" is the marker
  saucer: string | null;
}

export interface AzulView extends View {
  round: number;
  phase: 'start' | 'discs' | 'fill' | 'extra' | 'offer' | 'tiling' | 'over';
  starter: number;
  marker: number | null; // the seat that has it, null if it is in the centre
  stalled: number;
  bag: number[];
  lid: number[];
  centre: string;
  discs: string[]; // 'plain', 'extra', 'magnetB' ... 'magnetW', 'keeper', 'spreader', 'saucer'
  factories: string[];
  boards: AzulBoard[];
  ended_by: string;
  saucer_gone: boolean;
}
