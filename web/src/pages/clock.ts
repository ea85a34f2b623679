// Showing a running clock. The server keeps the time; this only counts down
// between two of its answers.

import { useEffect, useState } from 'preact/hooks';
import type { Clock } from '../types';

/** Minutes and seconds, with tenths below ten seconds. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.floor(left / 1000);
  const h = Math.floor(seconds / 3600);
  const m = Math.floor((seconds % 3600) / 60);
  const s = String(seconds % 60).padStart(2, '0');
  return h > 0 ? `${h}:${String(m).padStart(2, '0')}:${s}` : `${m}:${s}`;
}

/** The texts of both clocks, the side that moves first first; empty without a clock. */
export function useRemaining(clock: Clock | undefined): string[] {
  const [received, setReceived] = useState(() => performance.now());
  const [, tick] = useState(0);
  useEffect(() => setReceived(performance.now()), [clock?.at, clock?.running]);
  useEffect(() => {
    if (!clock?.running) return;
    const timer = setInterval(() => tick((n) => n + 1), 100);
    return () => clearInterval(timer);
  }, [clock?.running]);
  if (!clock) return [];
  const first = clock.running === 'white' || clock.running === 'x';
  return clock.remaining_ms.map((ms, i) => {
    const runs = !!clock.running && first === (i === 0);
    return clockText(runs ? ms - (performance.now() - received) : ms);
  });
}
