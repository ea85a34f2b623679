// The pages about oneself: access, keys, devices, ratings, taking it away.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accessible, begin, fits, password, resign, says, shot, stage } from './people.mjs';

const it = stage();
const phone = { viewport: { width: 360, height: 740 } };
const button = (where, name) => where.getByRole('button', { name, exact: true });

/** Logs somebody in at one more browser. */
async function again(t, login, options) {
  const page = await it.person(t, options);
  const answer = await page.request.post(`${it.server.url}/v1/sessions`, { data: { login, password } });
  assert.equal(answer.status(), 201);
  await page.reload();
  await page.getByTestId('me').waitFor();
  return page;
}

async function open(page) {
  await page.goto(`${it.server.url}/account`);
  await page.getByTestId('sessions').getByText('esta sessão').waitFor();
}

test('a server that does not answer at first turns nobody into a visitor', async (t) => {
  const page = await it.player(t, 'ines');
  let refused = 0;
  await page.route('**/v1/me', (route) => (refused++ < 2
    ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"code":"unavailable"}' })
    : route.continue()));
  await page.reload();
  await page.getByText('Sem ligação com o servidor').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Entrar' }).count(), 0);
  await page.getByTestId('me').waitFor();
  assert.equal(refused, 3);
});

test('one reaches the account by the keyboard and reads it on a phone', async (t) => {
  const page = await it.player(t, 'nina', phone);
  await page.getByTestId('me').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Conta e segurança' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Conta e segurança' }).waitFor();
  await page.getByText('31/12/1980').waitFor();
  await page.getByTestId('sessions').getByText('esta sessão').waitFor();
  await accessible(page);
  await fits(page);
  await shot(page, 'account-phone');
});

test('one corrects one\'s data, and no child grows up by that', async (t) => {
  const page = await it.player(t, 'nara');
  await open(page);
  const correct = page.getByTestId('correct');
  await button(correct, 'Corrigir os dados').click();
  await correct.locator('[name=first_name]').fill('Nara Lúcia');
  await correct.locator('[name=birth_date]').fill('31/02/1980');
  await button(correct, 'Salvar a correção').click();
  await correct.locator('[data-code=bad_date]').waitFor();
  await accessible(page);
  await correct.locator('[name=birth_date]').fill('01/01/2016');
  await button(correct, 'Salvar a correção').click();
  await correct.getByText('Os dados foram corrigidos.').waitFor();
  await page.getByText('Nara Lúcia').waitFor();
  await page.getByText('01/01/2016').waitFor();
  await button(correct, 'Corrigir os dados').click();
  await correct.locator('[name=birth_date]').fill('01/01/1980');
  await button(correct, 'Salvar a correção').click();
  await correct.locator('[data-code=protection_kept]').waitFor();
});

test('sessions are ended one by one and all at once', async (t) => {
  const page = await it.player(t, 'olga');
  const others = [await again(t, 'olga'), await again(t, 'olga'), await again(t, 'olga')];
  await open(page);
  const sessions = page.getByTestId('sessions');
  await sessions.getByRole('listitem').nth(3).waitFor();
  await shot(page, 'account');
  const end = sessions.getByRole('button', { name: /^Encerrar a sessão/ });
  assert.equal(await end.count(), 3);
  await end.first().focus();
  await page.keyboard.press('Enter');
  await sessions.getByRole('listitem').nth(3).waitFor({ state: 'detached' });
  await button(sessions, 'Encerrar todas as outras').click();
  await sessions.getByText('2 sessões encerradas.').waitFor();
  assert.equal(await sessions.getByRole('listitem').count(), 1);
  for (const other of others) {
    await other.goto(it.server.url);
    await other.getByRole('link', { name: 'Entrar' }).waitFor();
  }
});

test('the password is changed with the old one, and everybody logs in anew', async (t) => {
  const page = await it.player(t, 'pia');
  const other = await again(t, 'pia');
  await open(page);
  const change = async (old, next) => {
    await page.fill('[name=old_password]', old);
    await page.fill('[name=new_password]', next);
    await button(page, 'Trocar a senha').click();
  };
  await change('não é esta', 'lua azul de papel');
  await page.locator('[data-code=wrong_password]').waitFor();
  await change(password, 'password');
  await page.locator('[data-code=password_common]').waitFor();
  await change(password, 'lua azul de papel');
  await page.getByText('Senha trocada.').waitFor();
  await accessible(page);
  await page.fill('[name=login]', 'pia');
  await page.fill('[name=password]', password);
  await button(page, 'Entrar').click();
  await page.locator('[data-code=invalid_login]').waitFor();
  await page.fill('[name=password]', 'lua azul de papel');
  await button(page, 'Entrar').click();
  await page.getByTestId('me').waitFor();
  await other.goto(it.server.url);
  await other.getByRole('link', { name: 'Entrar' }).waitFor();
});

test('a key for programs is shown once, works, and is revoked', async (t) => {
  const page = await it.player(t, 'rosa');
  const program = await it.person(t);
  const status = async (text) =>
    (await program.request.get(`${it.server.url}/v1/me`, { headers: { Authorization: `Bearer ${text}` } })).status();
  await open(page);
  const tokens = page.getByTestId('tokens');
  await tokens.getByText('Nenhuma chave.').waitFor();
  await tokens.getByText('Nova chave').click();
  await tokens.getByLabel('Nome da chave').fill('meu programa');
  await button(tokens, 'Criar a chave').click();
  await tokens.getByRole('alert').waitFor();
  await tokens.getByLabel('Ver a conta e os ratings').check();
  await tokens.getByLabel('Vale por').selectOption('30');
  await button(tokens, 'Criar a chave').click();
  const text = await tokens.getByTestId('secret').inputValue();
  assert.match(text, /^tbl_[A-Za-z0-9_-]{43}$/);
  await button(tokens, 'Copiar').click();
  await tokens.getByText('Copiado.').waitFor();
  await accessible(page);
  await shot(page, 'account-token');
  assert.equal(await status(text), 200);
  await open(page);
  await tokens.getByText('meu programa').waitFor();
  assert.equal(await tokens.getByTestId('secret').count(), 0);
  await button(tokens, 'Revogar a chave meu programa').click();
  await tokens.getByText('Nenhuma chave.').waitFor();
  assert.equal(await status(text), 401);
});

test('a shared computer is let in by the code that it shows, or turned away', async (t) => {
  const owner = await it.player(t, 'sara');
  const pc = await it.person(t, phone);
  const ask = async () => {
    await pc.goto(`${it.server.url}/login/shared`);
    await pc.fill('[name=name]', 'sala 3');
    await button(pc, 'Mostrar o código').click();
    const code = await pc.getByTestId('user-code').innerText();
    await open(owner);
    const devices = owner.getByTestId('devices');
    await devices.getByLabel('Código mostrado no aparelho').fill(code.toLowerCase().replace('-', ' '));
    await button(devices, 'Procurar').click();
    await devices.getByText('sala 3').waitFor();
    return devices;
  };
  await pc.getByRole('link', { name: 'Entrar' }).click();
  await pc.getByRole('link', { name: 'Entrar em computador compartilhado' }).waitFor();
  await accessible(pc);
  await fits(pc);
  await shot(pc, 'login-phone');

  let devices = await ask();
  await shot(pc, 'shared-phone');
  await accessible(pc);
  await accessible(owner);
  await button(devices, 'Recusar').click();
  await pc.getByTestId('pairing-ended').waitFor();

  devices = await ask();
  await shot(owner, 'account-pairing');
  await devices.getByLabel('Sair sozinho depois de').selectOption('30');
  await button(devices, 'Deixar entrar').click();
  await devices.getByTestId('pair-done').waitFor();
  await pc.getByTestId('me').getByText('sara').waitFor();
  await open(owner);
  await owner.getByTestId('sessions').getByText('entrou por código').waitFor();

  await devices.getByLabel('Código mostrado no aparelho').fill('XXXX-2222');
  await button(devices, 'Procurar').click();
  await devices.locator('[data-code=pairing_not_found]').waitFor();
});

test('a rated game makes a graph with the same numbers in a table', async (t) => {
  const page = await it.player(t, 'tais', phone);
  await page.goto(`${it.server.url}/ratings`);
  await page.getByText('Ainda não há partidas que valem pontos.').waitFor();
  await begin(page, it.server, { rules: 'chess', opponent: 'engine', side: 'first', level: 'plies-2' });
  await says(page, 'Sua vez');
  await resign(page);
  await page.getByText(/Rating 1500\? → \d+/).waitFor();
  await page.goto(`${it.server.url}/ratings`);
  await page.getByTestId('graph').waitFor();
  const row = page.getByTestId('rating-table').getByRole('row').nth(1);
  const cells = await row.getByRole('cell').allInnerTexts();
  assert.match(cells[0], /^\d\d\/\d\d\/\d{4}$/);
  assert.ok(Number(cells[1]) < 1500);
  assert.equal(cells[3], '1');
  assert.match(await page.getByTestId('graph').getAttribute('aria-label'), new RegExp(`^Rating de Xadrez, sem relógio: ${cells[1]} em`));
  await accessible(page);
  await fits(page);
  await shot(page, 'ratings-phone');

  // A long history is for the server to tell; the picture of one is looked at here.
  const points = Array.from({ length: 40 }, (_, i) => ({
    day: new Date(Date.UTC(2026, 0, 1 + 5 * i)).toISOString().slice(0, 10),
    rating: Math.round(1500 + 90 * Math.sin(i / 5) + 4 * i), deviation: Math.max(60, 200 - 6 * i), changes: 1 + (i % 4),
  }));
  await page.route('**/ratings/history?*', (route) => route.fulfill({ json: { points } }));
  await page.setViewportSize({ width: 1200, height: 900 });
  await page.getByLabel('Período').selectOption('90');
  await page.getByTestId('rating-table').getByRole('row').nth(40).waitFor();
  await accessible(page);
  await shot(page, 'ratings');
});

test('all data is taken away, and the account is deleted with its password', async (t) => {
  const page = await it.player(t, 'ugo', phone);
  await open(page);
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Baixar tudo (ZIP)').click()]);
  assert.match(file.suggestedFilename(), /^tabuleiro-ugo-.*\.zip$/);
  assert.equal((await readFile(await file.path())).subarray(0, 2).toString(), 'PK');
  await button(page, 'Apagar a conta…').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  assert.ok(await button(dialog, 'Apagar para sempre').isDisabled());
  await dialog.getByLabel('Entendo que não há volta').check();
  await dialog.getByLabel('Senha').fill('errada');
  await button(dialog, 'Apagar para sempre').click();
  await dialog.getByText('A senha está errada.').waitFor();
  await accessible(page);
  await shot(page, 'account-delete-phone');
  await dialog.getByLabel('Senha').fill(password);
  await button(dialog, 'Apagar para sempre').click();
  await page.getByText('A sua conta foi apagada.').waitFor();
  await page.fill('[name=login]', 'ugo');
  await page.fill('[name=password]', password);
  await button(page, 'Entrar').click();
  await page.locator('[data-code=invalid_login]').waitFor();
});
