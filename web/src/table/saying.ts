// What happens in quick succession is told to screen readers as one text: each new text would replace the one before.
import { announce } from '../lib/announce.svelte';

const GATHERED = 150; // milliseconds
let texts: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  texts.push(text);
  timer ??= setTimeout(() => {
    announce(texts.join(' '));
    texts = [];
    timer = undefined;
  }, GATHERED);
}
