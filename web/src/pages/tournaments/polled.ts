// Something that is read again every few seconds while the page is seen. What was
// read last stays where reading fails.

import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../api';
import { asProblem } from '../forms';

/** Milliseconds between two looks. */
const every = 10_000;

export function usePolled<T>(key: string, read: () => Promise<T>) {
  const [state, setState] = useState<{ key: string; value?: T; problem?: Problem }>({ key: '' });
  useEffect(() => {
    let stopped = false;
    let timer = 0;
    const now = async () => {
      clearTimeout(timer);
      try {
        const value = await read();
        if (!stopped) setState({ key, value });
      } catch (e) {
        if (!stopped) setState((was) => ({ ...(was.key === key ? was : { key }), problem: asProblem(e) }));
      }
      if (!stopped && !document.hidden) timer = window.setTimeout(now, every);
    };
    const seen = () => {
      if (document.hidden) clearTimeout(timer);
      else void now();
    };
    document.addEventListener('visibilitychange', seen);
    void now();
    return () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [key]);
  return (state.key === key ? state : { key }) as { value?: T; problem?: Problem };
}
