// Addresses of the pages, by the history of the browser.

import { useEffect, useState } from 'preact/hooks';

export function go(path: string): void {
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

export function usePath(): string {
  // What is asked for after the path makes another page too.
  const [address, setAddress] = useState(location.pathname + location.search);
  useEffect(() => {
    const change = () => setAddress(location.pathname + location.search);
    addEventListener('popstate', change);
    return () => removeEventListener('popstate', change);
  }, []);
  return address.split('?')[0] ?? '/';
}

/** A click on a link inside the page goes there without loading it anew. */
export function follow(e: MouseEvent): void {
  const link = (e.target as Element | null)?.closest('a');
  if (!link || e.defaultPrevented || e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey) return;
  if (link.target || link.origin !== location.origin || link.hasAttribute('data-plain')) return;
  e.preventDefault();
  go(link.pathname);
}
