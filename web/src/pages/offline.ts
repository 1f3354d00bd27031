// What was loaded before the service worker was there is told to it, so that it opens without a network too.
export async function keepLoaded(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType('resource').map((entry) => entry.name);
  active?.postMessage({ keep: loaded.filter((name) => name.startsWith(`${location.origin}/assets/`)) });
}
