// The current address, changed without reloading the page.

export const route = $state({ path: location.pathname, search: location.search, hash: location.hash });

function syncRoute(): void {
  route.path = location.pathname;
  route.search = location.search;
  route.hash = location.hash;
}

export function navigate(path: string, replace = false): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  syncRoute();
  if (!replace) window.scrollTo(0, 0);
}

export function startRouter(): void {
  addEventListener('popstate', syncRoute);
  addEventListener('hashchange', syncRoute);
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    if (link.pathname.startsWith('/api')) return;
    if (link.pathname === location.pathname && link.hash) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash);
  });
}
