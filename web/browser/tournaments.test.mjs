// Tournaments: made, joined, started, played and decided, by their organiser and by
// whom she invites.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible, confirm, fits, resign, says, shot, stage } from './people.mjs';

const it = stage();
const phone = { viewport: { width: 360, height: 740 } };
const button = (where, name) => where.getByRole('button', { name, exact: true });

/** Makes a tournament with the form; `choices` are values by field. */
async function make(page, name, choices) {
  await page.getByRole('link', { name: 'Torneios', exact: true }).click();
  const form = page.getByTestId('new-tournament');
  await form.locator('[name=name]').fill(name);
  for (const [field, value] of Object.entries(choices)) await form.locator(`[name=${field}]`).selectOption(value);
  await button(form, 'Criar torneio').click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

async function invite(page, logins) {
  await page.getByLabel('Usuários a convidar').fill(logins);
  await button(page, 'Convidar').click();
}

/** Looks at the page anew, as one who comes back to it. */
const look = (page, address) => page.goto(address).then(() => page.getByTestId('summary').waitFor());

/** Rows of a table in a part of the page, as their cells' texts. */
const rows = async (page, part) => page.getByTestId(part).locator('tbody tr').evaluateAll((all) =>
  all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));

test('a round robin of tic-tac-toe is played by two people and a level of the computer', async (t) => {
  const boss = await it.player(t, 'ada', phone);
  const guest = await it.player(t, 'bela', phone);
  await boss.getByRole('link', { name: 'Torneios', exact: true }).click();
  await boss.getByText('Você não organiza nenhum torneio.').waitFor();
  await boss.getByText('Você não está em nenhum torneio.').waitFor();
  await accessible(boss);
  await fits(boss);
  await button(boss, 'Criar torneio').click();
  await boss.locator('[data-code=bad_field]').waitFor();
  await make(boss, 'Copa da Velha', { rules: 'tictactoe' });
  const address = boss.url();
  await boss.getByText('Para começar são precisos pelo menos dois jogadores.').waitFor();
  assert.ok(await button(boss, 'Começar o torneio').isDisabled());

  await button(boss, 'Entrar no torneio').click();
  await boss.getByText('Você joga neste torneio.').waitFor();
  await invite(boss, 'bela, ninguem');
  await boss.locator('[data-code=account_not_found]').waitFor();
  assert.equal(await boss.getByLabel('Usuários a convidar').inputValue(), 'ninguem');
  await boss.getByLabel('Principiante').check();
  await button(boss, 'Acrescentar níveis').click();
  await boss.getByTestId('players').getByRole('row').nth(3).waitFor();
  await boss.getByTestId('players').getByText('convidado').waitFor();
  await accessible(boss);
  await fits(boss);

  await guest.getByRole('link', { name: 'Torneios', exact: true }).click();
  await guest.getByTestId('playing').getByRole('link', { name: 'Copa da Velha' }).click();
  await guest.getByText('Você foi convidado para este torneio.').waitFor();
  assert.equal(await guest.getByTestId('organiser').count(), 0);
  await button(guest, 'Aceitar o convite').click();
  await guest.getByText('Você joga neste torneio.').waitFor();

  // The page of the organiser hears of it by itself.
  await boss.getByTestId('players').getByText('convidado').waitFor({ state: 'detached' });
  await button(boss, 'Começar o torneio').focus();
  await boss.keyboard.press('Enter');
  await boss.getByRole('dialog').getByText('3 jogadores.').waitFor();
  await boss.getByTestId('confirm').focus();
  await boss.keyboard.press('Enter');
  await boss.getByTestId('summary').getByText('rodada 1 de 3').waitFor();
  assert.deepEqual((await rows(boss, 'rounds')).map((row) => row[3]).sort(), ['descansa', 'jogando']);
  assert.deepEqual((await rows(boss, 'table')).map((row) => row[2]), ['0', '0', '0']);
  await accessible(boss);
  await fits(boss);
  await shot(boss, 'tournament-phone');

  // Rounds follow by themselves; whoever can gives up, so that all have results.
  for (let round = 1; round <= 3; round++) {
    await look(boss, address);
    await boss.getByTestId('rounds').getByText(`Rodada ${round}`).waitFor();
    const pairing = (await rows(boss, 'rounds')).find((row) => row[3] === 'jogando');
    const loser = pairing.includes('bela') ? guest : boss;
    await look(loser, address);
    await loser.getByTestId('rounds').locator('details').first().getByRole('link', { name: /^Ver a partida 1/ }).click();
    await resign(loser);
    await says(loser, 'Você perdeu.');
  }
  await look(boss, address);
  await boss.getByTestId('summary').getByText('terminado').waitFor();
  const table = await rows(boss, 'table');
  assert.deepEqual(table.map((row) => [row[1], row[2]]),
    [['Computador: Principiante', '2'], ['ada', '1'], ['bela', '0']]);
  await boss.setViewportSize({ width: 1200, height: 900 });
  await accessible(boss);
  await shot(boss, 'tournament');
  const [file] = await Promise.all([boss.waitForEvent('download'), boss.getByRole('link', { name: 'Baixar a classificação (CSV)' }).click()]);
  assert.equal(file.suggestedFilename(), 'table.csv');
});

test('the organiser decides a board, takes a player out and pairs the next round', async (t) => {
  const boss = await it.player(t, 'cida');
  const guests = [];
  for (const login of ['dora', 'eva', 'fabi']) guests.push(await it.player(t, login, phone));
  await boss.getByRole('link', { name: 'Torneios', exact: true }).click();
  await boss.getByLabel('Cada rodada começa sozinha').uncheck();
  await make(boss, 'Suíço', { rules: 'chess', kind: 'swiss', entry: 'open', clock: '5+3' });
  const address = boss.url();
  for (const guest of guests) {
    await look(guest, address);
    await button(guest, 'Entrar no torneio').click();
    await guest.getByText('Você joga neste torneio.').waitFor();
  }
  const last = guests.at(-1);
  await button(last, 'Sair do torneio').click();
  await confirm(last);
  await button(last, 'Entrar no torneio').click();
  await button(last, 'Sair do torneio').waitFor();
  await boss.getByTestId('players').getByRole('row').nth(3).waitFor();
  await button(boss, 'Começar o torneio').click();
  await confirm(boss);
  await boss.getByTestId('rounds').getByText('Rodada 1').waitFor();
  await boss.getByText('passa (vale vitória)').waitFor();
  const decide = boss.getByRole('button', { name: /^Decidir a mesa/ });
  await decide.click();
  await boss.getByLabel('Resultado').selectOption('1/2-1/2');
  await accessible(boss);
  await boss.getByLabel('Foi jogada').check();
  await boss.getByTestId('confirm').click();
  await boss.locator('[data-result="1/2-1/2"]').waitFor();
  await button(boss, 'Emparceirar a próxima rodada').click();
  await boss.getByTestId('summary').getByText('rodada 2 de 2').waitFor();
  await boss.getByTestId('rounds').getByText('Rodada 2').waitFor();
  // Whoever sits out the last round leaves it going on; a player of its only game would end it.
  const free = (await boss.getByTestId('rounds').getByRole('row').filter({ hasText: 'passa (vale vitória)' })
    .first().getByRole('cell').nth(1).innerText()).trim();
  const gone = guests[['dora', 'eva', 'fabi'].indexOf(free)];
  await button(boss, `Tirar ${free}`).click();
  await confirm(boss);
  await boss.getByTestId('players').getByText('saiu').waitFor();
  await look(gone, address);
  await gone.getByText('Você saiu deste torneio.').waitFor();
  await fits(gone);
  await button(boss, 'Cancelar o torneio').click();
  await confirm(boss);
  await boss.getByTestId('summary').getByText('cancelado').waitFor();
  assert.equal(await boss.getByTestId('organiser').count(), 0);
});

test('a teacher adds a class to a knock-out, watches its games, and somebody goes on from each board', async (t) => {
  const teacher = await it.player(t, 'profa');
  const command = async (path, data) => {
    const answer = await teacher.request.post(it.server.url + path, { data, headers: { 'Idempotency-Key': crypto.randomUUID() } });
    assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
    return answer.json();
  };
  await command('/v1/operator', { code: await it.server.operatorCode });
  await command('/v1/codes/claim', { code: (await command('/v1/codes', { purpose: 'teacher' })).code });
  const { id } = (await command('/v1/classes', { name: '4B', school_year: 2026 })).class;
  await command(`/v1/classes/${id}/pupils`, { names: ['Ana', 'Bia', 'Caio'] });
  await make(teacher, 'Copa da Turma', { rules: 'draughts', kind: 'knockout', entry: 'class' });
  await teacher.getByTestId('add-players').locator('[name=class]').selectOption({ label: '4B (2026)' });
  await button(teacher, 'Acrescentar a turma').click();
  await teacher.getByTestId('players').getByRole('row').nth(3).waitFor();
  assert.deepEqual((await rows(teacher, 'players')).map((row) => row[2]), ['dentro', 'dentro', 'dentro']);
  await button(teacher, 'Acrescentar a turma').click();
  await teacher.getByText('Todos os alunos desta turma já estão no torneio.').waitFor();
  await button(teacher, 'Começar o torneio').click();
  await confirm(teacher);
  await teacher.getByTestId('summary').getByText('rodada 1 de 2').waitFor();
  const address = teacher.url();
  await teacher.getByRole('link', { name: /^Ver a partida 1/ }).click();
  await says(teacher, 'Vez de: Brancas');
  await look(teacher, address);
  await teacher.getByRole('button', { name: /^Decidir a mesa/ }).click();
  assert.equal(await teacher.getByLabel('Resultado').locator('option').count(), 2);
  await teacher.getByLabel('Resultado').selectOption('0-1');
  await teacher.getByTestId('confirm').click();
  await teacher.getByTestId('summary').getByText('rodada 2 de 2').waitFor();
  await teacher.getByRole('button', { name: /^Decidir a mesa/ }).click();
  await teacher.getByTestId('confirm').click();
  await teacher.getByTestId('summary').getByText('terminado').waitFor();
  assert.equal((await rows(teacher, 'table'))[0][0], '1');
});

test('whoever plays in a tournament watches all its games and its table live; a stranger finds neither', async (t) => {
  const boss = await it.player(t, 'gabi');
  const players = [];
  for (const login of ['hugo', 'iara', 'joca']) players.push(await it.player(t, login, phone));
  const stranger = await it.player(t, 'kaua');
  await make(boss, 'Aberto da Praça', { rules: 'tictactoe', entry: 'open' });
  const address = boss.url();
  for (const page of players) {
    await page.getByRole('link', { name: 'Torneios', exact: true }).click();
    await page.getByTestId('joinable').getByText('organizado por gabi').first().waitFor();
    await page.getByTestId('joinable').getByRole('link', { name: 'Aberto da Praça' }).click();
    await button(page, 'Entrar no torneio').click();
    await page.getByText('Você joga neste torneio.').waitFor();
  }
  await accessible(players[0]);
  await boss.getByTestId('players').getByRole('row').nth(3).waitFor();
  await button(boss, 'Começar o torneio').click();
  await confirm(boss);
  // Nobody touches these pages: the pairing and the results come by themselves.
  for (const page of players) await page.getByTestId('rounds').getByText('Rodada 1').waitFor();
  const pairing = (await rows(boss, 'rounds')).find((row) => row[3] === 'jogando');
  const [loser, winner] = [pairing[1], pairing[2]].map((login) => players[['hugo', 'iara', 'joca'].indexOf(login)]);
  const rests = players.find((page) => page !== loser && page !== winner);
  await rests.getByRole('link', { name: /^Ver a partida 1/ }).click();
  await rests.locator('.playing').waitFor();
  const game = rests.url();
  assert.equal(await winner.getByTestId('own-game').count(), 1);
  await loser.getByRole('link', { name: /^Jogar com / }).click();
  await loser.waitForURL(game);
  await resign(loser);
  await says(rests, 'desistência');
  await rests.getByRole('link', { name: 'Torneio desta partida' }).click();
  await rests.getByTestId('table').waitFor();
  await shot(rests, 'tournament-watched');
  await winner.getByTestId('rounds').getByText('Rodada 2').waitFor();
  assert.equal((await rows(winner, 'table'))[0][2], '1');
  await stranger.goto(game);
  await stranger.locator('[data-code=game_not_found]').waitFor();
  await stranger.goto(address); // an open one is seen, its games are not
  await stranger.getByTestId('rounds').waitFor();
  assert.equal(await stranger.getByRole('link', { name: /^Ver a partida/ }).count(), 0);
  await stranger.getByText('gabi').first().waitFor();
});
