// The second factor: set up with an app, asked for at the log-in, recovery codes, and
// its end.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { accessible, fits, password, shot, stage } from './people.mjs';

const it = stage();
const phone = { viewport: { width: 360, height: 740 } };
const button = (where, name) => where.getByRole('button', { name, exact: true });

/** What an authenticator app shows at a time step (RFC 6238). */
function codeOf(secret, step) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((c) => letters.indexOf(c).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((b) => parseInt(b, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const at = mac[19] & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const now = () => Math.floor(Date.now() / 30_000);

test('a second factor is set up, asked for, and taken away', async (t) => {
  const page = await it.player(t, 'vera', phone);
  await page.goto(`${it.server.url}/account`);
  const card = page.getByTestId('factor');
  await card.getByLabel('Senha atual').fill('outra senha longa');
  await button(card, 'Começar').click();
  await card.getByText('A senha está errada.').waitFor();
  await card.getByLabel('Senha atual').fill(password);
  await button(card, 'Começar').click();
  await card.getByRole('img', { name: /QR/ }).waitFor();
  const secret = (await card.getByTestId('factor-secret').textContent()).replaceAll(' ', '');
  const uri = await card.getByRole('link', { name: 'Abrir no aplicativo' }).getAttribute('href');
  assert.match(uri, new RegExp(`^otpauth://totp/Tabuleiro:vera\\?secret=${secret}&`));
  await accessible(page);
  await fits(page);
  await shot(page, 'factor-setup-phone');

  await card.getByLabel('Código de 6 dígitos').fill('000000');
  await button(card, 'Confirmar').click();
  await card.getByText('O código está errado ou já foi usado.').waitFor();
  // The step before is good too, and leaves this one to log in with.
  let step = now() - 1;
  await card.getByLabel('Código de 6 dígitos').fill(codeOf(secret, step));
  await button(card, 'Confirmar').click();
  const codes = await card.getByTestId('recovery').getByRole('listitem').allTextContents();
  assert.equal(codes.length, 10);
  await accessible(page);
  await fits(page);
  await shot(page, 'factor-codes-phone');
  await button(card, 'Já guardei os códigos').click();
  await card.getByText('Restam 10 códigos de reserva.').waitFor();

  const other = await it.person(t);
  await other.goto(`${it.server.url}/login`);
  await other.fill('[name=login]', 'vera');
  await other.fill('[name=password]', password);
  await other.keyboard.press('Enter');
  await other.getByText('A senha está certa. Falta o código').waitFor();
  await other.locator('[name=second_factor]:focus').waitFor();
  await accessible(other);
  await shot(other, 'factor-login');
  await other.keyboard.type('000000');
  await other.keyboard.press('Enter');
  await other.locator('.failure').getByText('O código está errado ou já foi usado.').waitFor();
  step++;
  await other.fill('[name=second_factor]', codeOf(secret, step));
  await other.keyboard.press('Enter');
  await other.getByTestId('me').waitFor();

  // Without the app: a recovery code; and then it all ends, with another.
  const third = await it.person(t);
  await third.goto(`${it.server.url}/login`);
  await third.fill('[name=login]', 'vera');
  await third.fill('[name=password]', password);
  await third.keyboard.press('Enter');
  await third.locator('[name=second_factor]').fill(codes[0].toLowerCase());
  await third.keyboard.press('Enter');
  await third.getByTestId('me').waitFor();
  await third.goto(`${it.server.url}/account`);
  const there = third.getByTestId('factor');
  await there.getByText('Restam 9 códigos de reserva.').waitFor();
  await there.getByText('Desligar a verificação em duas etapas').first().click();
  const open = there.locator('details[open]');
  await open.getByLabel('Senha atual').fill(password);
  await open.getByLabel('Código do aplicativo').fill(codes[1]);
  await button(open, 'Desligar a verificação em duas etapas').click();
  await button(there, 'Começar').waitFor();
});
