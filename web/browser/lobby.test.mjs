// From the first page into a game, in every way there is.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible, begin, confirm, play, resign, says, seen, shot, square, stage } from './people.mjs';

const it = stage();
const button = (page, name) => page.getByRole('button', { name, exact: true });

test('one click begins each game', async (t) => {
  const page = await it.player(t, 'ana');
  await accessible(page);
  await page.getByTestId('quick-chess').click();
  await says(page, 'Sua vez');
  // The engine answers an offer of a draw by playing on.
  await button(page, 'Propor empate').click();
  await page.getByText('O computador responde quando jogar').waitFor();
  await play(page, 'g1', 'f3');
  await says(page, 'Sua vez');
  await page.getByText('O computador responde quando jogar').waitFor({ state: 'detached' });
  await button(page, 'Voltar o lance').click();
  await page.getByText('Nenhum lance ainda').waitFor();
  await says(page, 'Sua vez');
  // Its answer is taken back together with the move, at once.
  await play(page, 'e2', 'e4');
  await says(page, 'Sua vez');
  await page.locator('.moves .ply').nth(1).waitFor();
  await button(page, 'Voltar o lance').click();
  await page.getByText('Nenhum lance ainda').waitFor();
  await says(page, 'Sua vez');
  await page.goto(it.server.url);
  await page.getByTestId('quick-draughts').click();
  await says(page, 'Sua vez');
  await page.locator('.board.draughts').waitFor();
});

test('two at one screen, by dragging, with the board turned after each move', async (t) => {
  const page = await it.player(t, 'bia');
  await begin(page, it.server, { rules: 'draughts', opponent: 'self' });
  await says(page, 'Vez de: Brancas');
  const drag = async (from, to) => {
    const [a, b] = [await square(page, from).boundingBox(), await square(page, to).boundingBox()];
    await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await page.mouse.down();
    await page.mouse.move(a.x + a.width / 2 + 12, a.y + a.height / 2 - 12);
    await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 4 });
    await page.mouse.up();
    await page.locator(`.playing [data-square="${to}"].last:has(.piece)`).waitFor();
  };
  await drag('c3', 'd4');
  await says(page, 'Vez de: Pretas');
  await page.getByLabel('Virar o tabuleiro a cada lance').check();
  await page.locator('.playing .row').first().locator('[data-square="h1"]').waitFor();
  await drag('f6', 'e5');
  await page.locator('.playing .row').first().locator('[data-square="a8"]').waitFor();
  // A capture is compulsory, and the page says which.
  await page.getByTestId('must').filter({ hasText: 'd4' }).waitFor();
  await drag('d4', 'f6');
  await page.getByRole('img', { name: 'Brancas capturaram: 1 pedra' }).waitFor();
  await shot(page, 'lobby-self');
  await button(page, 'Empatar de comum acordo').click();
  await confirm(page);
  await says(page, 'Empate. (comum acordo)');
});

test('time that runs low shows by more than a colour, and ends the game when it is up', async (t) => {
  const page = await it.player(t, 'hugo');
  await begin(page, it.server, { rules: 'chess', opponent: 'self', clock: 'custom', minutes: '0.25', increment: '0' });
  await play(page, 'e2', 'e4');
  await play(page, 'e7', 'e5');
  const clock = page.getByTestId('clock-white');
  await clock.getByRole('img', { name: 'pouco tempo' }).waitFor();
  await shot(page, 'lobby-low-time');
  await says(page, 'Vitória: Pretas. (tempo esgotado)');
  await clock.filter({ hasText: '0:00.0' }).waitFor();
});

test('the computer plays itself, is watched, and is stopped', async (t) => {
  const page = await it.player(t, 'caio');
  await begin(page, it.server, { rules: 'chess', opponent: 'engines', level_first: 'full', level_second: 'full' });
  await page.locator('.moves .ply').nth(2).waitFor();
  await page.getByText('Você está assistindo').waitFor();
  await button(page, 'Anular a partida').click();
  await confirm(page);
  await says(page, 'anulada');
});

test('a game from a position: its faults are named, and the good one is shown', async (t) => {
  const page = await it.player(t, 'dora');
  await page.getByText('Mais opções').click();
  await page.locator('[name=source]').selectOption('position');
  await page.getByTestId('unrated').filter({ hasText: 'posição escolhida' }).waitFor();
  await page.fill('[name=position]', 'nada');
  await page.locator('.new-game [data-code=bad_text]').waitFor();
  await page.fill('[name=position]', '8/8/8/8/8/8/4k3/8 w - - 0 1');
  await page.locator('.new-game [data-code=bad_position]').getByText('falta um rei').waitFor();
  await accessible(page);
  await page.fill('[name=position]', '4k3/P7/8/8/8/8/8/4K3 w - - 0 1');
  await page.getByText('Posição certa. Jogam: Brancas.').waitFor();
  await page.locator('.preview .piece').nth(2).waitFor();
  await page.locator('[name=opponent]').selectOption('self');
  await button(page, 'Começar').click();
  await says(page, 'Vez de: Brancas');
  // The pawn asks what it becomes.
  await square(page, 'a7').click();
  await square(page, 'a8').click();
  await accessible(page);
  await button(page, 'Torre').click();
  await page.locator('[data-square="a8"][aria-label="a8: Torre, brancas"]').waitFor();
  await says(page, 'Xeque! Vez de: Pretas');
});

test('a game goes on from a record, after as many moves as were chosen', async (t) => {
  const page = await it.player(t, 'enzo');
  await page.getByText('Mais opções').click();
  await page.locator('[name=source]').selectOption('record');
  await page.fill('[name=record]', '[White "Ana"]\n\n1. e4 e5 2. Ke4 *');
  await page.getByTestId('faults').waitFor();
  await page.fill('[name=record]', '1. e4 e5 2. Nf3 Nc6 3. Bb5 *');
  await page.getByText('5 lances lidos').waitFor();
  await page.locator('[name=record_ply]').fill('2');
  await page.getByText('Continuar depois de quantos lances: 2').waitFor();
  await shot(page, 'lobby-record');
  await page.locator('[name=opponent]').selectOption('self');
  await button(page, 'Começar').click();
  await says(page, 'Vez de: Brancas');
  assert.deepEqual((await seen(page)).moves, ['e4', 'e5']);
  await play(page, 'g1', 'f3');
  assert.deepEqual((await seen(page)).moves, ['e4', 'e5', 'Cf3']);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Baixar a partida' }).click()]);
  assert.match(download.suggestedFilename(), /\.pgn$/);
  assert.match(await readFile(await download.path(), 'utf8'), /1\. e4 e5 2\. Nf3/);
});

test('a new game in mid-game: the old one is kept, given up or annulled', async (t) => {
  const page = await it.player(t, 'flora');
  await begin(page, it.server, { rules: 'draughts', opponent: 'self' });
  await says(page, 'Vez de: Brancas');
  const kept = page.url();
  const another = async (how) => {
    const from = page.url();
    await button(page, 'Nova partida…').click();
    await page.locator(`dialog [value=${how}]`).check();
    await accessible(page);
    await button(page, 'Começar outra igual').click();
    await page.waitForURL((url) => url.href !== from);
    await says(page, 'Vez de: Brancas');
  };
  await another('keep');
  const annulled = page.url();
  await another('abort');
  const given = page.url();
  await another('resign');
  await page.goto(kept);
  await says(page, 'Vez de: Brancas');
  await page.goto(annulled);
  await says(page, 'anulada');
  await page.goto(given);
  await says(page, 'desistência');
  // Or another kind of game is chosen, and the old one goes when it begins.
  await page.goto(kept);
  await button(page, 'Nova partida…').click();
  await page.locator('dialog [value=resign]').check();
  await button(page, 'Escolher outra').click();
  await page.getByText('a atual é dada por perdida').waitFor();
  await page.locator('[name=rules]').selectOption('tictactoe');
  await page.locator('[name=opponent]').selectOption('self');
  await button(page, 'Começar').click();
  await page.locator('.board.tictactoe').waitFor();
  await page.goto(kept);
  await says(page, 'desistência');
  // Whoever thinks better of it goes to the first page anew.
  await page.goto(`${it.server.url}/?replaces=${kept.split('/').pop()}&how=resign`);
  await page.getByText('a atual é dada por perdida').waitFor();
  await page.getByRole('link', { name: 'Tabuleiro' }).click();
  await page.getByText('a atual é dada por perdida').waitFor({ state: 'detached' });
});

test('a whole game with the keyboard alone, from the first page to the next game', async (t) => {
  const page = await it.player(t, 'gabi');
  const focused = (selector) => page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector);
  const tabTo = async (selector) => {
    for (let i = 0; i < 120; i++) {
      if (await focused(selector)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`Tab never reaches ${selector}`);
  };
  const choose = async (name, value) => {
    await tabTo(`[name=${name}]`);
    for (let i = 0; i < 10; i++) {
      if ((await page.locator(`[name=${name}]`).inputValue()) === value) return;
      await page.keyboard.press('ArrowDown');
    }
    assert.fail(`${name} never becomes ${value}`);
  };
  const walkTo = async (name) => {
    for (let i = 0; i < 20; i++) {
      const at = await page.evaluate(() => document.activeElement?.getAttribute('data-square') ?? '');
      assert.match(at, /^[a-h][1-8]$/);
      if (at === name) return;
      const key = at[0] < name[0] ? 'ArrowRight' : at[0] > name[0] ? 'ArrowLeft' : at[1] < name[1] ? 'ArrowUp' : 'ArrowDown';
      await page.keyboard.press(key);
    }
    assert.fail(`the arrows never reach ${name}`);
  };
  const move = async (from, to, next) => {
    await tabTo('.board [data-square]');
    await walkTo(from);
    await page.keyboard.press('Enter');
    await walkTo(to);
    await page.keyboard.press('Enter');
    await says(page, next);
  };
  // What has the focus can be seen.
  await page.keyboard.press('Tab');
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'none');
  await choose('rules', 'chess');
  await choose('opponent', 'self');
  await tabTo('.new-game button.main');
  await page.keyboard.press('Enter');
  await says(page, 'Vez de: Brancas');
  await move('f2', 'f3', 'Vez de: Pretas');
  // Esc puts a piece down; a wrong square says why.
  await walkTo('e7');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await move('e7', 'e5', 'Vez de: Brancas');
  await move('g2', 'g4', 'Vez de: Pretas');
  await move('d8', 'h4', 'Vitória: Pretas. (xeque-mate)');
  assert.deepEqual((await seen(page)).moves, ['f3', 'e5', 'g4', 'Dh4#']);
  const first = page.url();
  await tabTo('.offers button.main');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.href !== first);
  await says(page, 'Vez de: Brancas');
  // A question takes the focus, and gives it back when it is put away.
  await tabTo('.actions button');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  assert.ok(await focused('dialog *'));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.ok(await focused('.actions button'));
});

test('a guest plays on at one screen, and gives up', async (t) => {
  const page = await it.person(t);
  await begin(page, it.server, { rules: 'tictactoe', opponent: 'self' });
  await says(page, 'Vez de: X');
  await square(page, 'b2').click();
  await says(page, 'Vez de: O');
  await resign(page);
  await says(page, 'Vitória: X. (desistência)');
});
