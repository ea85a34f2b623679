import { expect, it } from 'vitest';
import { ServerTime } from './servertime';

it('knows the server clock by the latest time that it named', () => {
  let now = 1_000;
  const time = new ServerTime(() => now);
  const at = new Date(501_000).toISOString();
  expect(time.since(at)).toBe(0);
  time.observe(501_000); // 500 s ahead, or a little more
  now = 4_000;
  expect(time.since(at)).toBe(3_000);
  time.observe('an answer without a date');
  time.observe(null);
  time.observe(502_000); // late news: 498 s ahead says nothing new
  expect(time.since(at)).toBe(3_000);
  time.observe(504_250);
  expect(time.since(at)).toBe(3_250);
  expect(time.since(new Date(600_000).toISOString())).toBe(0);
});
