// People at browsers of their own, beside one server: what the tests of the page
// have in common.

import AxeBuilder from '@axe-core/playwright';
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { Server, setting } from './server.mjs';

/** A hang fails after this long; nothing else waits for a time. */
const limit = 60_000;

export const password = 'uma senha longa';

/** A server and a browser for all tests of a file. */
export function stage() {
  const it = {
    server: undefined,
    browser: undefined,

    /** Somebody at the first page. Errors in the page fail the test. */
    async person(t, options = {}) {
      const context = await it.browser.newContext({ locale: 'pt-BR', viewport: { width: 1200, height: 900 }, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(limit);
      const errors = [];
      page.on('pageerror', (e) => errors.push(String(e)));
      page.on('dialog', (dialog) => dialog.accept());
      t.after(async () => {
        await context.close();
        assert.deepEqual(errors, []);
      });
      await page.goto(it.server.url);
      return page;
    },

    /** Somebody with a new account, logged in, at the first page. */
    async player(t, login, options = {}) {
      const page = await it.person(t, options);
      const send = async (path, data, headers = {}) => {
        const answer = await page.request.post(it.server.url + path, { data, headers });
        assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
      };
      await send('/v1/accounts', {
        login, password, first_name: 'Ana', surname: 'Silva', birth_date: '31/12/1980', sex: 'undisclosed', policy: 'open',
      }, { 'Idempotency-Key': `register-${login}` });
      await send('/v1/sessions', { login, password });
      await page.reload();
      await page.getByTestId('me').waitFor();
      return page;
    },
  };
  before(async () => {
    it.server = await Server.start();
    it.browser = await chromium.launch({
      executablePath: setting('TABULEIRO_TEST_CHROMIUM'),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync'],
    });
  });
  after(async () => {
    await it.browser?.close();
    await it.server?.end();
  });
  return it;
}

export const square = (page, name) => page.locator(`.playing [data-square="${name}"]`);
export const status = (page) => page.getByTestId('status');

/** Waits until the status says it. */
export async function says(page, text) {
  await status(page).filter({ hasText: text }).waitFor();
}

/** Plays a move by two clicks and waits until it stands on every board. */
export async function play(page, from, to, ...others) {
  await square(page, from).click();
  await square(page, to).click();
  for (const each of [page, ...others]) {
    await each.locator(`.playing [data-square="${to}"].last:has(.piece)`).waitFor();
  }
}

/** Answers the question that stands before the page with yes. */
export async function confirm(page) {
  await page.getByTestId('confirm').click();
}

export async function resign(page) {
  await page.getByRole('button', { name: 'Desistir', exact: true }).click();
  await confirm(page);
}

/** Makes a game with the form; `choices` are values by field. */
export async function begin(page, server, choices, checks = []) {
  await page.goto(server.url);
  for (const [name, value] of Object.entries(choices)) {
    const field = page.locator(`.new-game [name=${name}]`);
    if (await field.evaluate((e) => e.tagName === 'SELECT')) await field.selectOption(value);
    else await field.fill(value);
  }
  if (checks.length > 0) await page.getByText('Mais opções').click();
  for (const name of checks) await page.locator(`.new-game [name=${name}]`).check();
  await page.getByRole('button', { name: 'Começar' }).click();
  await status(page).waitFor();
}

/** What stands on the board and in the list of moves, to compare two pages. */
export async function seen(page) {
  const squares = page.locator('.playing [data-square]');
  const labels = await squares.evaluateAll((all) => all.map((e) => e.getAttribute('aria-label')).sort());
  return { labels, moves: await page.locator('.moves .ply').allInnerTexts() };
}

export async function shot(page, name) {
  const folder = process.env.TABULEIRO_SHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Nobody is kept out by how the page is built. */
export async function accessible(page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target).join(' ')}`), []);
}

/** Nothing has to be pushed aside to be read. */
export async function fits(page) {
  const [wide, narrow] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide <= narrow, `the page is ${wide} wide on ${narrow}`);
}
