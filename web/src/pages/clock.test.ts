import { expect, it } from 'vitest';
import type { Clock } from '../types';
import { clockText, lowTime, remaining } from './clock';

it('writes clocks as people read them', () => {
  expect(clockText(600_000)).toBe('10:00');
  expect(clockText(61_999)).toBe('1:01');
  expect(clockText(9_950)).toBe('0:09.9');
  expect(clockText(0)).toBe('0:00.0');
  expect(clockText(-5)).toBe('0:00.0');
  expect(clockText(3_723_000)).toBe('1:02:03');
});

const clock = (extra: Partial<Clock>): Clock => ({
  initial_ms: 60_000, remaining_ms: [40_000, 50_000], at: '2030-01-01T00:00:00Z', ...extra,
});

it('stands still for the side whose time does not run', () => {
  expect(remaining(clock({ running: 'white' }), 1, 'black')).toBe(50_000);
  expect(remaining(clock({}), 0, 'white')).toBe(40_000);
});

it('is low at a tenth of the time, within 5 to 30 seconds', () => {
  expect(lowTime(clock({}))).toBe(6_000);
  expect(lowTime(clock({ initial_ms: 10_000 }))).toBe(5_000);
  expect(lowTime(clock({ initial_ms: 1_800_000 }))).toBe(30_000);
});
