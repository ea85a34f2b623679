// Collections of records: importing, searching, walking through, playing on.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible, fits, says, shot, stage } from './people.mjs';

const it = stage();
const phone = { viewport: { width: 360, height: 740 } };
const button = (where, name) => where.getByRole('button', { name, exact: true });

const game = (white, black, result, moves, event = 'Copa') =>
  `[Event "${event}"]\n[Site "?"]\n[Date "1999.05.02"]\n[Round "1"]\n[White "${white}"]\n[Black "${black}"]\n[Result "${result}"]\n\n${moves} ${result}\n\n`;

const mate = game('Silva, Ana', 'Souza, Rui', '0-1', '1. f3 e5 2. g4 Qh4#');
const pgn = mate + game('Lima, Eva', 'Silva, Ana', '1/2-1/2', '1. e4 c5 2. Nf3 d6 3. d4 cxd4')
  + mate + game('Reis, Leo', 'Paz, Bia', '1-0', '1. e4 e5 2. Ke3 Nf6') + game('Sá, Zoé', 'Paz, Bia', '1-0', '1. d4 d5 2. c4 e6', 'Final');

async function newCollection(page, name, rules = 'chess') {
  await page.goto(`${it.server.url}/collections`);
  await page.getByLabel('Nome', { exact: true }).fill(name);
  await page.getByLabel('Jogo').selectOption(rules);
  await button(page, 'Criar').click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

async function importText(page, name, text) {
  const box = page.getByTestId('import');
  await box.locator('[name=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await button(box, 'Importar').click();
  await box.getByTestId('report').waitFor();
  return box.getByTestId('report');
}

const rows = async (page) => page.getByTestId('results').getByRole('row').evaluateAll((all) =>
  all.slice(1).map((row) => row.querySelector('td').textContent));

/** Searches and waits for what is found. */
async function search(page, fields, expected) {
  const form = page.getByRole('search');
  for (const [label, value] of Object.entries(fields)) {
    const field = form.getByLabel(label);
    if (await field.evaluate((e) => e.tagName === 'SELECT')) await field.selectOption(value);
    else await field.fill(value);
  }
  const answered = page.waitForResponse((r) => r.url().includes('/records?'));
  await button(form, 'Procurar').click();
  await answered;
  if (expected.length === 0) await page.getByText('Nenhuma partida assim.').waitFor();
  else await page.getByTestId('results').getByRole('row').nth(expected.length).waitFor();
  await page.getByTestId('results').getByRole('row').nth(expected.length + 1).waitFor({ state: 'detached' });
  assert.deepEqual(await rows(page), expected);
}

test('a file is imported with a report of faults and of what came twice', async (t) => {
  const page = await it.player(t, 'ada', phone);
  await page.getByRole('link', { name: 'Coleções' }).click();
  await page.getByText('Nenhuma coleção.').waitFor();
  await accessible(page);
  await fits(page);
  await newCollection(page, 'Meus mates');
  await button(page.getByTestId('import'), 'Importar').click();
  await page.getByText('Escolha um arquivo.').waitFor();
  const report = await importText(page, 'a.pgn', pgn);
  await report.getByText('3 de 5 partidas acrescentadas.').waitFor();
  await report.getByText('1 repetidas, deixadas de fora').waitFor();
  await report.getByText('1 com erro, deixadas de fora').waitFor();
  const [twice, fault] = await report.getByRole('row').evaluateAll((all) => all.slice(1).map((row) => row.textContent));
  assert.match(twice, /^3Silva, Ana - Souza, Rui\d+:\d+repetida: igual à partida 1não$/);
  assert.match(fault, /^4Reis, Leo - Paz, Bia\d+:\d+.*lance 3.*não$/);
  await page.getByTestId('size').getByText('3 partidas').waitFor();
  await page.getByTestId('results').getByRole('row').nth(3).waitFor();
  await accessible(page);
  await fits(page);
  await shot(page, 'collection-phone');
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Baixar a coleção').click()]);
  assert.equal(file.suggestedFilename().split('.').pop(), 'pgn');
  assert.match((await readFile(await file.path())).toString(), /\[White "Silva, Ana"\]/);
});

test('records are found by player, side, opening, result and position', async (t) => {
  const page = await it.player(t, 'bela');
  await newCollection(page, 'Torneio');
  await importText(page, 'a.pgn', pgn);
  await page.getByTestId('results').getByRole('row').nth(3).waitFor();
  const [first, second, third] = ['Silva, Ana × Souza, Rui', 'Lima, Eva × Silva, Ana', 'Sá, Zoé × Paz, Bia'];
  await search(page, { Jogador: 'silva' }, [first, second]);
  await search(page, { Jogador: 'silva', 'Jogando de': 'black' }, [second]);
  await button(page, 'Limpar').click();
  await page.getByTestId('results').getByRole('row').nth(3).waitFor();
  await search(page, { Jogador: 'zoe' }, [third]);
  await search(page, { Jogador: '', Resultado: '0-1' }, [first]);
  await search(page, { Resultado: '1-0', Abertura: 'queen' }, [third]);
  await shot(page, 'collection');
  await search(page, { Resultado: '', Abertura: 'no such opening' }, []);
  await page.getByText('Mais critérios').click();
  await search(page, { Abertura: '', 'Posição (FEN)': 'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1' }, [third]);
  await page.getByLabel('Posição (FEN)').fill('nada');
  await button(page, 'Procurar').click();
  await page.locator('[data-code=bad_text], [data-code=bad_position]').waitFor();
});

test('a record is walked through by keyboard, searched from, and played on', async (t) => {
  const page = await it.player(t, 'cida');
  await newCollection(page, 'Estudos');
  await importText(page, 'a.pgn', pgn);
  await page.getByRole('link', { name: 'Silva, Ana × Souza, Rui' }).click();
  const place = page.getByTestId('place');
  await place.getByText('Posição depois de 0 de 4 lances').waitFor();
  // It is no game of the server, which has no file of it to link to.
  assert.equal(await page.locator('main a[href^="/v1/"]').count(), 0);
  const at = (square, piece) => page.locator(`[data-square="${square}"][aria-label="${square}: ${piece}"]`);
  await at('e2', 'Peão, brancas').waitFor();
  await accessible(page);
  await button(page, 'Próximo lance').focus();
  await page.keyboard.press('Enter');
  await at('f3', 'Peão, brancas').waitFor();
  await page.keyboard.press('ArrowRight');
  await at('e5', 'Peão, pretas').waitFor();
  await page.keyboard.press('End');
  await at('h4', 'Dama, pretas').waitFor();
  await page.locator('[data-square="h4"].check').waitFor();
  await place.getByText('Posição depois de 4 de 4 lances').waitFor();
  await shot(page, 'record');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await place.getByText('Posição depois de 2 de 4 lances').waitFor();
  await at('d8', 'Dama, pretas').waitFor();
  await page.setViewportSize(phone.viewport);
  await fits(page);
  await accessible(page);
  await shot(page, 'record-phone');
  await page.setViewportSize({ width: 1200, height: 900 });

  await button(page, 'Procurar esta posição na coleção').click();
  await page.getByTestId('results').getByRole('row').nth(1).waitFor();
  assert.deepEqual(await rows(page), ['Silva, Ana × Souza, Rui']);
  await page.getByRole('link', { name: 'Silva, Ana × Souza, Rui' }).click();
  await button(page, 'e5').click();
  await place.getByText('Posição depois de 2 de 4 lances').waitFor();
  const on = page.getByTestId('play-on');
  await on.getByText('Depois do lance 2.').waitFor();
  await on.getByLabel('Adversário').selectOption('self');
  await button(on, 'Jogar a partir daqui').click();
  await says(page, 'Vez de: Brancas');
  assert.deepEqual(await page.locator('.moves .ply').allInnerTexts(), ['f3', 'e5']);
});

test('records of draughts are walked through too, and a collection is named anew and deleted', async (t) => {
  const page = await it.player(t, 'dora');
  await newCollection(page, 'Damas', 'draughts');
  await importText(page, 'a.pdn',
    '[Event "Copa"]\n[White "Reis, Leo"]\n[Black "Paz, Bia"]\n[Result "2-0"]\n[GameType "26"]\n\n1. c3-d4 f6-e5 2. d4xf6 g7xe5 2-0\n');
  await page.getByRole('link', { name: 'Reis, Leo × Paz, Bia' }).click();
  await button(page, 'Posição atual').click();
  await page.locator('[data-square="e5"][aria-label="e5: Pedra, pretas"].last').waitFor();
  await shot(page, 'record-draughts');
  await button(page, 'Apagar esta partida').click();
  await page.getByTestId('confirm').click();
  await page.getByText('Nenhuma partida assim.').waitFor();
  const settings = page.getByTestId('collection-settings');
  await settings.getByLabel('Nome').fill('Damas antigas');
  await button(settings, 'Mudar o nome').click();
  await page.getByRole('heading', { name: 'Damas antigas', level: 1 }).waitFor();
  await button(settings, 'Apagar a coleção').click();
  await page.getByTestId('confirm').click();
  await page.getByText('Nenhuma coleção.').waitFor();
});

test('own games are searched and played on from, without being imported', async (t) => {
  const page = await it.player(t, 'dani');
  const other = await it.player(t, 'edu');
  const command = async (who, path, data) => {
    const answer = await who.request.post(it.server.url + path, { data, headers: { 'Idempotency-Key': crypto.randomUUID() } });
    assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
    return answer.json();
  };
  const { game } = await command(page, '/v1/games', { rules: 'chess', opponent: 'person', side: 'white' });
  await command(other, `/v1/games/${game.id}/accept`, {});
  for (const [turn, move] of ['e2e4', 'c7c5', 'g1f3'].entries()) {
    await command([page, other][turn % 2], `/v1/games/${game.id}/moves`, { move, turn });
  }
  await command(other, `/v1/games/${game.id}/resign`, {});
  await page.getByRole('link', { name: 'Coleções' }).click();
  await page.getByTestId('own-games').getByRole('link', { name: 'Xadrez' }).click();
  await page.getByTestId('results').getByRole('link', { name: 'dani × edu' }).waitFor();
  await accessible(page);
  await shot(page, 'own-games');
  await page.getByLabel('Resultado').selectOption({ label: 'Você perdeu' });
  await button(page, 'Procurar').click();
  await page.getByText('Nenhuma partida assim.').waitFor();
  await button(page, 'Limpar').click();
  await page.getByLabel('Abertura').fill('sicilian');
  await button(page, 'Procurar').click();
  await page.getByTestId('results').getByRole('link', { name: 'dani × edu' }).click();
  await page.getByTestId('place').getByText('Posição depois de 0 de 3 lances').waitFor();
  await button(page, 'Próximo lance').click();
  await button(page, 'Procurar esta posição na coleção').click();
  await page.getByTestId('results').getByRole('link', { name: 'dani × edu' }).click();
  await button(page, 'Próximo lance').click();
  await button(page, 'Próximo lance').click();
  await page.getByTestId('place').getByText('Posição depois de 2 de 3 lances').waitFor();
  await page.getByTestId('play-on').locator('[name=opponent]').selectOption('self');
  await button(page.getByTestId('play-on'), 'Jogar a partir daqui').click();
  await says(page, 'Vez de: Brancas');
});

test('a teacher shares a collection with a class, whose pupils read it and change nothing', async (t) => {
  const teacher = await it.player(t, 'profe');
  const command = async (path, data) => {
    const answer = await teacher.request.post(it.server.url + path, { data, headers: { 'Idempotency-Key': crypto.randomUUID() } });
    assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
    return answer.json();
  };
  await command('/v1/operator', { code: await it.server.operatorCode });
  await command('/v1/codes/claim', { code: (await command('/v1/codes', { purpose: 'teacher' })).code });
  const { id } = (await command('/v1/classes', { name: '5C', school_year: 2026 })).class;
  const { slips } = await command(`/v1/classes/${id}/pupils`, { names: ['Ana'] });
  await newCollection(teacher, 'Para a turma');
  await importText(teacher, 'a.pgn', pgn);
  const shares = teacher.getByTestId('shares');
  await shares.locator('[name=class]').selectOption({ label: '5C (2026)' });
  await button(shares, 'Compartilhar').click();
  await button(shares, 'Deixar de compartilhar com 5C').waitFor();
  await accessible(teacher);
  await shot(teacher, 'collection-shared');

  const pupil = await it.person(t, phone);
  const password = 'uma senha longa';
  const send = async (path, data, key) => {
    const answer = await pupil.request.post(it.server.url + path, { data, headers: { 'Idempotency-Key': key } });
    assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
  };
  await send('/v1/access', { login: slips[0].login, code: slips[0].code, password }, crypto.randomUUID());
  await send('/v1/sessions', { login: slips[0].login, password }, crypto.randomUUID());
  await pupil.goto(`${it.server.url}/collections`);
  await pupil.getByTestId('shared').getByRole('link', { name: 'Para a turma' }).click();
  await pupil.getByText('Compartilhada com 5C.').waitFor();
  assert.equal(await pupil.getByTestId('import').count(), 0);
  assert.equal(await button(pupil, 'Apagar a coleção').count(), 0);
  await fits(pupil);
  await pupil.getByRole('link', { name: 'Silva, Ana × Souza, Rui' }).click();
  await pupil.getByTestId('place').waitFor();
  assert.equal(await button(pupil, 'Apagar esta partida').count(), 0);
  await button(shares, 'Deixar de compartilhar com 5C').click();
  await button(shares, 'Compartilhar').waitFor();
  await pupil.goto(`${it.server.url}/collections`);
  await pupil.getByText('Nenhuma coleção.').waitFor();
  assert.equal(await pupil.getByTestId('shared').count(), 0);
});
