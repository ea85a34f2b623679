// Showing a running clock. The server keeps the time; this only counts down
// between two of its answers.

import { useEffect, useState } from 'preact/hooks';
import { serverTime } from '../servertime';
import type { Clock, SideName } from '../types';

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

/** Below this the time is low: a tenth of what the clock began with, 5 to 30 s. */
export const lowTime = (clock: Clock): number => Math.min(30_000, Math.max(5_000, clock.initial_ms / 10));

/** The milliseconds left of a side, now. */
export function remaining(clock: Clock, index: number, side: SideName): number {
  const left = clock.remaining_ms[index] ?? 0;
  return Math.max(0, clock.running === side ? left - serverTime.since(clock.at) : left);
}

/** Draws its component anew while a clock runs, ten times a second. */
export function useTicking(clock: Clock | undefined): void {
  const [, tick] = useState(0);
  const running = clock?.running;
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => tick((n) => n + 1), 100);
    return () => clearInterval(timer);
  }, [running]);
}
