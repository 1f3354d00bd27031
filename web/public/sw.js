// The page opens without a network: its shell comes out of the cache when the server cannot be reached. What the server
// knows (/api) is never kept here.

// The build writes its own name and the files of the shell in here; see shell.ts.
const BUILD = 'dev';
const SHELL = [];
const WORDS = {}; // the catalogue of each language

const CACHE = `tilery-${BUILD}`;
const FRONT = '/';
const ALWAYS = [FRONT, '/icon.svg', '/icon-192.png', '/manifest.webmanifest'];
const PATIENCE = 4000; // milliseconds for a network that is there but does not answer

// The languages that this device has used, or would be spoken to in.
async function spoken() {
  const languages = new Set(['en', ...navigator.languages.map((language) => language.slice(0, 2))]);
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys())
      for (const language of Object.keys(WORDS)) if (url.includes(`/assets/${language}-`)) languages.add(language);
  return [...languages].flatMap((language) => WORDS[language] ?? []);
}

self.addEventListener('install', (event) => {
  const kept = async () => (await caches.open(CACHE)).addAll([...ALWAYS, ...SHELL, ...(await spoken())]);
  event.waitUntil(kept());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// What the page had loaded before this worker was there.
self.addEventListener('message', (event) => {
  const keep = event.data?.keep;
  if (!Array.isArray(keep)) return;
  event.waitUntil(
    caches.open(CACHE).then(async (cache) => {
      for (const url of keep) if (!(await cache.match(url))) await cache.add(url).catch(() => {});
    }),
  );
});

// Files with a hash in their names never change: what is here is right.
async function asset(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

// Everything else is asked for first. Every address of the page has the same shell.
async function freshFirst(request, name) {
  const cache = await caches.open(CACHE);
  const asked = fetch(request).then(async (answer) => {
    if (answer.ok && answer.type === 'basic') await cache.put(name, answer.clone());
    return answer;
  });
  const kept = await cache.match(name);
  if (!kept) return asked;
  const late = new Promise((done) => setTimeout(done, PATIENCE, kept));
  return Promise.race([asked.catch(() => kept), late]);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate' && !url.pathname.startsWith('/api')) event.respondWith(freshFirst(request, FRONT));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(asset(request));
  else if (ALWAYS.includes(url.pathname)) event.respondWith(freshFirst(request, url.pathname));
});

// A notification leads to its table.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const path = `/t/${event.notification.tag}`;
  const shown = async () => {
    const pages = await self.clients.matchAll({ type: 'window' });
    const page = pages.find((one) => new URL(one.url).pathname === path);
    return page ? page.focus() : self.clients.openWindow(path);
  };
  event.waitUntil(shown());
});
