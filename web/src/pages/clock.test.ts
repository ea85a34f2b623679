import { expect, it } from 'vitest';
import { clockText } from './clock';

it('writes clocks as people read them', () => {
  expect(clockText(600_000)).toBe('10:00');
  expect(clockText(61_999)).toBe('1:01');
  expect(clockText(9_950)).toBe('0:09.9');
  expect(clockText(0)).toBe('0:00.0');
  expect(clockText(-5)).toBe('0:00.0');
  expect(clockText(3_723_000)).toBe('1:02:03');
});
