// The service worker: the web client opens offline, from the cache, if the server cannot be reached. Responses of /api
// are never cached.

// The build fills in these constants; see service-worker-plugin.ts.
const BUILD = 'dev';
const SHELL = [];
const TRANSLATIONS = {}; // the file of each language

const CACHE = `tilery-${BUILD}`;
const FRONT = '/';
const ALWAYS = [FRONT, '/icon.svg', '/icon-192.png', '/manifest.webmanifest'];
const TIMEOUT = 4000; // milliseconds, for a network that does not respond

// The files of the languages that this device has used or prefers.
async function languageFiles() {
  const languages = new Set(['en', ...navigator.languages.map((language) => language.slice(0, 2))]);
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys())
      for (const language of Object.keys(TRANSLATIONS))
        if (url.includes(`/assets/${language}-`)) languages.add(language);
  return [...languages].flatMap((language) => TRANSLATIONS[language] ?? []);
}

self.addEventListener('install', (event) => {
  const fill = async () => (await caches.open(CACHE)).addAll([...ALWAYS, ...SHELL, ...(await languageFiles())]);
  event.waitUntil(fill());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// Cache files that the page loaded before this worker was active.
self.addEventListener('message', (event) => {
  const keep = event.data?.keep;
  if (!Array.isArray(keep)) return;
  event.waitUntil(
    caches.open(CACHE).then(async (cache) => {
      for (const url of keep) if (!(await cache.match(url))) await cache.add(url).catch(() => {});
    }),
  );
});

// Files with a hash in their names never change, so the cache is always right.
async function asset(request) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(request);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

// Everything else is requested from the server first, with the cache as fallback. All pages have the same shell.
async function networkFirst(request, name) {
  const cache = await caches.open(CACHE);
  const requested = fetch(request).then(async (response) => {
    if (response.ok && response.type === 'basic') await cache.put(name, response.clone());
    return response;
  });
  const cached = await cache.match(name);
  if (!cached) return requested;
  const late = new Promise((done) => setTimeout(done, TIMEOUT, cached));
  return Promise.race([requested.catch(() => cached), late]);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  const isPage = !url.pathname.startsWith('/api') && !url.pathname.includes('.'); // not a file such as the licences
  if (request.mode === 'navigate' && isPage) event.respondWith(networkFirst(request, FRONT));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(asset(request));
  else if (ALWAYS.includes(url.pathname)) event.respondWith(networkFirst(request, url.pathname));
});

// A click on a notification opens its table.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const path = `/t/${event.notification.tag}`;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: 'window' });
    const page = pages.find((one) => new URL(one.url).pathname === path);
    return page ? page.focus() : self.clients.openWindow(path);
  };
  event.waitUntil(open());
});
