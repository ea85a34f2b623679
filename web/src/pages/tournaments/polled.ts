// Something that is read again every few seconds while the page is seen. What was
// read last stays where reading fails.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../api';
import { asProblem } from '../forms';

/** Milliseconds between two looks, and to the next one where something is about to change. */
const every = 10_000;
const soon = 1_000;
/** How often in a row something is expected soon before it is waited for as for all else. */
const patience = 5;

const always = () => true;
const never = () => false;

export function usePolled<T>(key: string, read: () => Promise<T>, newer: (was: T, is: T) => boolean = always,
  due: (value: T) => boolean = never) {
  const [state, setState] = useState<{ key: string; value?: T; problem?: Problem }>({ key: '' });
  const look = useRef<(inTime: number) => void>(() => undefined);
  /** Takes what the server has told; an answer that was overtaken changes nothing. */
  const take = useCallback((value: T) => setState((was) =>
    (was.key === key && was.value !== undefined && !newer(was.value, value) ? { key, value: was.value } : { key, value })), [key]);
  useEffect(() => {
    let stopped = false;
    let timer = 0;
    let hoped = 0;
    const now = async () => {
      clearTimeout(timer);
      let inTime = every;
      try {
        const value = await read();
        if (!stopped) take(value);
        hoped = due(value) ? hoped + 1 : 0;
        if (hoped > 0 && hoped <= patience) inTime = soon;
      } catch (e) {
        if (!stopped) setState((was) => ({ ...(was.key === key ? was : { key }), problem: asProblem(e) }));
      }
      if (!stopped && !document.hidden) next(inTime);
    };
    const next = (inTime: number) => {
      clearTimeout(timer);
      timer = window.setTimeout(now, inTime);
    };
    const seen = () => {
      if (document.hidden) clearTimeout(timer);
      else void now();
    };
    look.current = next;
    document.addEventListener('visibilitychange', seen);
    void now();
    return () => {
      stopped = true;
      clearTimeout(timer);
      look.current = () => undefined;
      document.removeEventListener('visibilitychange', seen);
    };
  }, [key]);
  /** The answer to a command: what follows from it is looked at soon. */
  const told = useCallback((value: T) => {
    take(value);
    look.current(soon);
  }, [take]);
  return { ...(state.key === key ? state : { key }), told } as { value?: T; problem?: Problem; told: (value: T) => void };
}
