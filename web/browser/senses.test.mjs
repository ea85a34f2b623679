// What one hears and sees of moves: sounds, pieces that glide, the steps through a
// game.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, play, square, stage } from './people.mjs';

const it = stage();

/** Counts tones and glides from the next page on. */
async function counted(page) {
  await page.addInitScript(() => {
    window.tones = 0;
    window.glides = 0;
    const oscillator = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () { window.tones++; return oscillator.call(this); };
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...args) { window.glides++; return animate.apply(this, args); };
  });
}

const count = (page, what) => page.evaluate((name) => window[name], what);

test('moves are heard and seen, unless one wants neither', async (t) => {
  const page = await it.player(t, 'sonia');
  await counted(page);
  await begin(page, it.server, { rules: 'chess', opponent: 'self' });
  await play(page, 'e2', 'e4');
  assert.equal(await count(page, 'tones'), 1);
  assert.equal(await count(page, 'glides'), 1);

  await page.getByLabel('Som dos lances').uncheck();
  await play(page, 'e7', 'e5');
  assert.equal(await count(page, 'tones'), 1);
  assert.equal(await count(page, 'glides'), 2);
  await page.reload();
  await square(page, 'e5').locator('.piece').waitFor();
  assert.equal(await page.getByLabel('Som dos lances').isChecked(), false);
  assert.equal(await count(page, 'glides'), 0);

  const calm = await it.player(t, 'calma', { reducedMotion: 'reduce' });
  await counted(calm);
  await begin(calm, it.server, { rules: 'chess', opponent: 'self' });
  await play(calm, 'e2', 'e4');
  assert.equal(await count(calm, 'glides'), 0);
});
