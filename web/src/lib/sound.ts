// Short synthesised sounds. Browsers allow sound only after the first press of a pointer or key.
import { settings } from './settings.svelte';

export type Sound = 'turn' | 'tile' | 'score' | 'end' | 'chat';

interface Note {
  at: number; // seconds
  pitch: number; // hertz
  length: number;
  loud: number;
  shape: OscillatorType;
}

const note = (at: number, pitch: number, length: number, loud: number, shape: OscillatorType = 'sine'): Note => ({
  at,
  pitch,
  length,
  loud,
  shape,
});

const SOUNDS: Record<Sound, Note[]> = {
  turn: [note(0, 587, 0.22, 0.16), note(0.11, 880, 0.34, 0.16), note(0.11, 1760, 0.2, 0.03)],
  tile: [note(0, 1480, 0.045, 0.09, 'triangle'), note(0.012, 620, 0.07, 0.1, 'triangle')],
  score: [note(0, 784, 0.14, 0.09), note(0.07, 1047, 0.2, 0.09)],
  end: [note(0, 523, 0.3, 0.13), note(0.14, 659, 0.3, 0.13), note(0.28, 784, 0.3, 0.13), note(0.42, 1047, 0.7, 0.15)],
  chat: [note(0, 932, 0.09, 0.07), note(0.08, 1245, 0.12, 0.06)],
};

let context: AudioContext | null = null;
let isUnlocked = false;

function unlock(): void {
  isUnlocked = true;
  if (settings.sound && !context && typeof AudioContext === 'function') context = new AudioContext();
  void context?.resume();
}

if (typeof addEventListener === 'function') {
  addEventListener('pointerdown', unlock, { passive: true });
  addEventListener('keydown', unlock, { passive: true });
}

function playNote(audio: AudioContext, one: Note): void {
  const start = audio.currentTime + one.at;
  const tone = audio.createOscillator();
  const level = audio.createGain();
  tone.type = one.shape;
  tone.frequency.value = one.pitch;
  level.gain.setValueAtTime(0, start);
  level.gain.linearRampToValueAtTime(one.loud, start + 0.008);
  level.gain.exponentialRampToValueAtTime(0.0001, start + one.length);
  tone.connect(level).connect(audio.destination);
  tone.start(start);
  tone.stop(start + one.length + 0.02);
}

export function sound(name: Sound): void {
  if (!settings.sound || !isUnlocked) return;
  unlock();
  if (context?.state === 'running') for (const one of SOUNDS[name]) playNote(context, one);
}
