// Live games of people: challenges, offers, matches, watchers, restarts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible, begin, confirm, fits, play, resign, says, seen, shot, square, stage, status } from './people.mjs';

const it = stage();
const button = (page, name) => page.getByRole('button', { name, exact: true });

/** Two players, the first of whom makes a game that the second accepts. */
async function pair(t, a, b, choices = {}, checks = [], options = {}) {
  const [first, second] = [await it.player(t, a), await it.player(t, b, options)];
  await begin(first, it.server, { rules: 'chess', opponent: 'person', side: 'first', ...choices, invite: b }, checks);
  await says(first, `Esperando ${b}`);
  await second.getByTestId('invitations').getByRole('button', { name: /^Jogar/ }).click();
  await says(first, 'Sua vez');
  await says(second, 'Vez de: Brancas');
  return [first, second];
}

test('two people play each other live while the server is killed and started again', async (t) => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };
  const [ana, rui] = await pair(t, 'ana', 'rui', { clock: '30+0' }, [], phone);
  await play(ana, 'f2', 'f3', rui);
  await play(rui, 'e7', 'e5', ana);
  await it.server.restart('SIGKILL');
  // Both pages come back by themselves; the first move needs no reload.
  await play(ana, 'g2', 'g4', rui);
  await shot(rui, 'live-phone');
  await it.server.down('SIGKILL');
  await ana.getByText('Sem ligação com o servidor').waitFor();
  await it.server.up(it.server.address);
  await ana.getByText('Sem ligação com o servidor').waitFor({ state: 'detached' });
  await play(rui, 'd8', 'h4', ana);
  await says(ana, 'Você perdeu. (xeque-mate)');
  await says(rui, 'Você venceu! (xeque-mate)');
  // Ratings come after the end, and both see both.
  for (const page of [ana, rui]) {
    await page.getByTestId('seat-white').getByText(/Rating 1500\? → \d+ \(−\d+\)/).waitFor();
    await page.getByTestId('seat-black').getByText(/Rating 1500\? → \d+ \(\+\d+\)/).waitFor();
  }
  assert.deepEqual(await seen(ana), await seen(rui));
  assert.deepEqual((await seen(ana)).moves, ['f3', 'e5', 'g4', 'Dh4#']);
  await shot(ana, 'live-mate');
});

test('a challenge by login is declined with a reason, and refused where nobody has the login', async (t) => {
  const [eva, leo] = [await it.player(t, 'eva'), await it.player(t, 'leo')];
  await begin(eva, it.server, { rules: 'draughts', opponent: 'person', invite: 'leo' });
  await says(eva, 'Esperando leo');
  await shot(eva, 'live-waiting');
  await leo.getByTestId('invitations').getByRole('button', { name: /^Recusar/ }).click();
  await leo.locator('[name=reason]').selectOption('later');
  await accessible(leo);
  await leo.getByTestId('decline').click();
  await says(eva, 'O convite foi recusado');
  await eva.getByText('Agora não, mais tarde').waitFor();
  await leo.getByTestId('invitations').waitFor({ state: 'detached' });

  await eva.goto(it.server.url);
  await eva.locator('[name=opponent]').selectOption('person');
  await eva.fill('[name=invite]', 'ninguem-assim');
  await button(eva, 'Começar').click();
  await eva.locator('[data-code=account_not_found]').waitFor();
});

test('moves are taken back by agreement; the game counts captures and stays casual', async (t) => {
  const [bia, caio] = await pair(t, 'bia', 'caio', {}, ['takebacks']);
  await play(bia, 'e2', 'e4', caio);
  await play(caio, 'd7', 'd5', bia);
  await play(bia, 'e4', 'd5', caio);
  for (const page of [bia, caio]) {
    await page.getByRole('img', { name: 'Brancas capturaram: 1 peão' }).waitFor();
    await page.getByTestId('lead-white').getByText('+1').waitFor();
  }
  await button(bia, 'Voltar o lance').click();
  await bia.getByText('Você pediu para voltar o lance').waitFor();
  await button(caio, 'Recusar').click();
  await bia.getByText('Você pediu para voltar o lance').waitFor({ state: 'detached' });
  // Nobody is asked twice about one move.
  await button(bia, 'Voltar o lance').click();
  await bia.locator('[data-code=takeback_standing]').waitFor();
  await button(caio, 'Voltar o lance').click();
  await button(bia, 'Permitir').click();
  for (const page of [bia, caio]) {
    await page.getByTestId('captured-white').waitFor({ state: 'detached' });
  }
  await says(caio, 'Sua vez');
  await play(caio, 'd7', 'd5', bia);
  await play(bia, 'e4', 'd5', caio);
  await button(bia, 'Voltar o lance').click();
  await caio.getByText('O adversário pede para voltar').waitFor();
  await accessible(caio);
  await shot(caio, 'live-takeback');
  await button(caio, 'Permitir').click();
  await says(bia, 'Sua vez');
  for (const page of [bia, caio]) {
    await page.getByTestId('captured-white').waitFor({ state: 'detached' });
    await page.locator('.playing [data-square="e4"]:has(.piece)').waitFor();
    assert.deepEqual((await seen(page)).moves, ['e4', 'd5']);
  }
});

test('a match: rematch with sides exchanged, its score, and a draw by agreement', async (t) => {
  const [dora, enzo] = await pair(t, 'dora', 'enzo', { rules: 'draughts' });
  await play(dora, 'c3', 'd4', enzo);
  await resign(enzo);
  await says(dora, 'Você venceu! (desistência)');
  await says(enzo, 'Você perdeu. (desistência)');
  const before = dora.url();
  await button(dora, 'Revanche').click();
  await enzo.getByText('O adversário quer a revanche').waitFor();
  await button(enzo, 'Revanche').click();
  await says(enzo, 'Sua vez');
  await says(dora, 'Vez de: Brancas');
  assert.notEqual(dora.url(), before);
  assert.equal(dora.url(), enzo.url());
  await dora.getByText('Partida 2 da série · Placar da série: 1 a 0').waitFor();
  await enzo.getByText('Partida 2 da série · Placar da série: 0 a 1').waitFor();
  await button(enzo, 'Propor empate').click();
  await enzo.getByText('Empate proposto').waitFor();
  await button(dora, 'Recusar').click();
  await enzo.getByText('Empate proposto').waitFor({ state: 'detached' });
  await button(dora, 'Propor empate').click();
  await button(enzo, 'Aceitar').click();
  await says(dora, 'Empate. (comum acordo)');
  await dora.getByText('Placar da série: 1,5 a 0,5').waitFor();
  await shot(dora, 'live-match');
});

test('a game that has hardly begun is aborted without a result', async (t) => {
  const [flora, gabi] = await pair(t, 'flora', 'gabi');
  await play(flora, 'e2', 'e4', gabi);
  await button(gabi, 'Anular a partida').click();
  await confirm(gabi);
  for (const page of [flora, gabi]) await says(page, 'anulada, sem resultado');
  // After a move of each side it is too late.
  await button(flora, 'Começar outra igual').click();
  await says(flora, 'Esperando gabi');
  await gabi.goto(it.server.url);
  await gabi.getByTestId('invitations').getByRole('button', { name: /^Jogar/ }).click();
  await status(gabi).filter({ hasText: /Sua vez|Vez de: Brancas/ }).waitFor();
  const [white, black] = (await status(gabi).innerText()) === 'Sua vez' ? [gabi, flora] : [flora, gabi];
  await play(white, 'e2', 'e4', black);
  await button(black, 'Anular a partida').waitFor();
  await play(black, 'e7', 'e5', white);
  for (const page of [white, black]) await button(page, 'Anular a partida').waitFor({ state: 'detached' });
});

test('an open seek is found and taken; others watch, without buttons', async (t) => {
  const [hugo, iris, juca] = [await it.player(t, 'hugo'), await it.player(t, 'iris'), await it.person(t)];
  await begin(hugo, it.server, { rules: 'chess', opponent: 'person', side: 'first', clock: '10+0' }, ['public']);
  await says(hugo, 'Esperando alguém');
  await hugo.goto(it.server.url);
  await hugo.getByTestId('waiting').waitFor();
  await iris.getByTestId('seeks').getByRole('button', { name: /hugo/ }).click();
  await hugo.getByTestId('mine').getByText('sua vez').waitFor();
  await shot(hugo, 'live-lobby');
  await hugo.getByTestId('mine').getByRole('link', { name: /^Continuar/ }).click();
  await says(hugo, 'Sua vez');
  await juca.goto(it.server.url);
  await juca.getByTestId('live').getByRole('link', { name: /hugo × iris/ }).click();
  await says(juca, 'Vez de: Brancas');
  await juca.getByText('Você está assistindo').waitFor();
  await play(hugo, 'e2', 'e4', iris, juca);
  for (const name of ['Desistir', 'Propor empate', 'Anular a partida', 'Nova partida…']) {
    assert.equal(await button(juca, name).count(), 0, name);
  }
  assert.equal(await juca.locator('.board .movable').count(), 0);
  await accessible(juca);
  // Whoever walks through the moves sees what stood there, and comes back.
  await play(iris, 'e7', 'e5', hugo, juca);
  await button(juca, 'Começo').click();
  await juca.locator('.playing [data-square="e2"]:has(.piece)').waitFor();
  await button(juca, 'Próximo lance').click();
  await juca.locator('.playing [data-square="e4"]:has(.piece)').waitFor();
  await juca.locator('.playing [data-square="e5"]:has(.piece)').waitFor({ state: 'detached' });
  await button(juca, 'Voltar à partida').click();
  await juca.locator('.playing [data-square="e5"]:has(.piece)').waitFor();
});

test('a piece that was touched has to move, and a move waits for the end of the turn', async (t) => {
  const [kaua, lia] = await pair(t, 'kaua', 'lia', {}, ['touch_move', 'confirm_move']);
  await square(kaua, 'g1').click();
  await kaua.getByTestId('touched').filter({ hasText: 'g1' }).waitFor();
  await square(kaua, 'e2').click();
  await kaua.locator('[data-code=touched_piece]').waitFor();
  await square(kaua, 'f3').click();
  await button(kaua, 'Mudar').click();
  await square(kaua, 'h3').click();
  await shot(kaua, 'live-confirm');
  await accessible(kaua);
  assert.equal(await lia.locator('.moves .ply').count(), 0);
  await button(kaua, 'Terminar a vez: Ch3').click();
  await lia.locator('.playing [data-square="h3"].last:has(.piece)').waitFor();
  await says(lia, 'Sua vez');
});

test('a player who leaves is seen to be away, and loses by claim when gone for long', async (t) => {
  // Two minutes are a bullet game: nobody has to wait long.
  const [noe, olga] = await pair(t, 'noe', 'olga', { clock: 'custom', minutes: '2', increment: '0' });
  await play(noe, 'e2', 'e4', olga);
  await play(olga, 'e7', 'e5', noe);
  const dot = noe.getByTestId('seat-black').getByRole('img');
  await dot.and(noe.getByLabel('presente')).waitFor();
  const there = olga.url();
  await olga.goto(it.server.url);
  await noe.getByTestId('away').waitFor();
  await dot.and(noe.getByLabel('ausente')).waitFor();
  await accessible(noe);
  await olga.goto(there);
  await noe.getByTestId('away').waitFor({ state: 'detached' });
  await button(noe, 'Dar 15 segundos').click();
  await olga.getByTestId('clock-black').filter({ hasText: /2:1\d/ }).waitFor();
  await olga.goto(it.server.url);
  await noe.getByTestId('gone').waitFor();
  await shot(noe, 'live-gone');
  await accessible(noe);
  await button(noe, 'Pedir a vitória').click();
  await says(noe, 'Você venceu! (o adversário foi embora)');
});

test('a game without a clock is saved by agreement, and gone on with', async (t) => {
  const [paula, quim] = await pair(t, 'paula', 'quim', { rules: 'draughts' });
  await play(paula, 'c3', 'd4', quim);
  await button(paula, 'Guardar para depois').click();
  await paula.getByText('Você propôs guardar').waitFor();
  await button(quim, 'Guardar para depois').click();
  for (const page of [paula, quim]) await says(page, 'Partida guardada');
  await shot(quim, 'live-saved');
  await quim.goto(it.server.url);
  await quim.getByTestId('suspended').getByRole('link', { name: /^Continuar/ }).click();
  await button(quim, 'Continuar a partida').click();
  await quim.getByText('Esperando o adversário').waitFor();
  await button(paula, 'Continuar a partida').click();
  await says(quim, 'Sua vez');
  await play(quim, 'f6', 'e5', paula);
});

test('a game without a clock may be claimed when nobody has moved for long', async (t) => {
  const [rita, saul] = await pair(t, 'rita', 'saul', { rules: 'draughts' });
  await play(rita, 'c3', 'd4', saul);
  assert.equal(await rita.getByTestId('gone').count(), 0);
  // The page's day is another one; the server's is not, and its word decides.
  for (const page of [rita, saul]) {
    await page.clock.setSystemTime(Date.now() + 15 * 24 * 3600 * 1000);
    await page.reload();
    await page.getByTestId('seat-black').waitFor();
  }
  assert.equal(await saul.getByTestId('gone').count(), 0); // it is their move that is missing
  await rita.getByText('Há mais de 14 dias ninguém joga nesta partida.').waitFor();
  await accessible(rita);
  await button(rita, 'Pedir a vitória').click();
  await rita.getByText('O adversário ainda pode voltar.').waitFor();
});

test('the pages of a live game fit a screen of 320 pixels', async (t) => {
  const narrow = { viewport: { width: 320, height: 640 }, hasTouch: true, reducedMotion: 'reduce', colorScheme: 'dark' };
  const page = await it.player(t, 'mia', narrow);
  await fits(page);
  await accessible(page);
  await page.getByText('Mais opções').click();
  await page.locator('[name=source]').selectOption('record');
  await fits(page);
  await page.goto(it.server.url);
  await begin(page, it.server, { rules: 'chess', opponent: 'self', clock: '10+0' }, ['takebacks']);
  await says(page, 'Vez de: Brancas');
  await play(page, 'e2', 'e4');
  await fits(page);
  await accessible(page);
  await shot(page, 'live-320');
});
