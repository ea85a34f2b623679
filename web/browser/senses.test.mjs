// What one hears and sees of moves: sounds, pieces that glide, the steps through a
// game.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, play, square, stage } from './people.mjs';

const it = stage();
const button = (where, name) => where.getByRole('button', { name, exact: true });

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

test('the steps keep the focus at the ends, and the board does not flicker between them', async (t) => {
  const page = await it.player(t, 'passo');
  await begin(page, it.server, { rules: 'chess', opponent: 'self' });
  await play(page, 'e2', 'e4');
  await play(page, 'e7', 'e5');
  await play(page, 'g1', 'f3');
  // A move that is still on its way to the list would end looking back.
  await page.locator('.moves button.ply').nth(2).waitFor();
  const back = button(page, 'Lance anterior');
  await back.focus();
  await page.keyboard.press('Enter');
  await square(page, 'g1').locator('.piece').waitFor();
  // The next position is a while on its way: until it comes the one before stays.
  let answer;
  const asked = new Promise((resolve) => {
    void page.route('**/v1/rules/replay', (route) => { answer = () => route.continue(); resolve(); });
  });
  await page.keyboard.press('Enter');
  await asked;
  assert.equal(await square(page, 'g1').locator('.piece').count(), 1);
  assert.equal(await square(page, 'f3').locator('.piece').count(), 0);
  answer();
  await square(page, 'e7').locator('.piece').waitFor();
  await page.unroute('**/v1/rules/replay');
  await page.keyboard.press('Enter');
  await square(page, 'e2').locator('.piece').waitFor();
  assert.equal(await back.getAttribute('aria-disabled'), 'true');
  await page.keyboard.press('Enter');
  assert.ok(await back.evaluate((e) => e === document.activeElement));
  await button(page, 'Próximo lance').focus();
  for (const name of ['e4', 'e5', 'f3']) {
    await page.keyboard.press('Enter');
    await page.locator(`.playing [data-square="${name}"].last:has(.piece)`).waitFor();
  }
  assert.ok(await button(page, 'Próximo lance').evaluate((e) => e === document.activeElement));
});
