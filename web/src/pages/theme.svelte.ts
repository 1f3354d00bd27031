// The theme: the chosen one, or that of the device.
import { settings } from '../lib/settings.svelte';

const darkness = matchMedia('(prefers-color-scheme: dark)');
const contrast = matchMedia('(prefers-contrast: more)');
const device = $state({ dark: darkness.matches, contrast: contrast.matches });
darkness.addEventListener('change', () => (device.dark = darkness.matches));
contrast.addEventListener('change', () => (device.contrast = contrast.matches));

const BAR = { light: '#f6f1e7', dark: '#16181d', contrast: '#000000' };

export function theme(): keyof typeof BAR {
  if (settings.theme !== 'auto') return settings.theme;
  return device.contrast ? 'contrast' : device.dark ? 'dark' : 'light';
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme();
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BAR[theme()]);
}
applyTheme(); // before anything is drawn
