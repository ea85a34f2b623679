// The page in a real browser against the real binary.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible, begin, play, resign, says, shot, square, stage, status } from './people.mjs';

const it = stage();
const person = (t, options) => it.person(t, options);

async function register(page, login, { birth = '31/12/1980', policy = 'open', taken = false } = {}) {
  await page.getByRole('link', { name: 'Criar conta' }).first().click();
  await page.fill('[name=login]', login);
  await page.fill('[name=password]', 'uma senha longa');
  await page.fill('[name=first_name]', 'Ana');
  await page.fill('[name=surname]', 'Silva');
  await page.fill('[name=birth_date]', birth);
  await page.selectOption('[name=sex]', 'undisclosed');
  await page.selectOption('[name=policy]', policy);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  if (taken) return;
  await page.getByText('Conta criada').waitFor();
  await page.fill('[name=login]', login);
  await page.fill('[name=password]', 'uma senha longa');
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByTestId('me').waitFor();
}

test('a visitor plays tic-tac-toe at once, to its end', async (t) => {
  const page = await person(t);
  await shot(page, 'home');
  await accessible(page);
  await page.getByTestId('quick').click();
  await says(page, 'Sua vez');
  await accessible(page);
  // The click's answer and the engine's reply come when they come: each round
  // waits for its own O, or for the end.
  const over = page.locator('.score');
  for (let round = 1; round <= 5 && (await over.count()) === 0; round++) {
    await page.locator('.board .square.target').first().click();
    await page.locator('.board [aria-label$=": O"]').nth(round - 1).or(over).first().waitFor();
  }
  await status(page).filter({ hasText: /perdeu|Empate/ }).waitFor();
  await shot(page, 'tictactoe');
});

test('tic-tac-toe with the keyboard alone', async (t) => {
  const page = await person(t);
  await page.getByTestId('quick').focus();
  await page.keyboard.press('Enter');
  await says(page, 'Sua vez');
  await square(page, 'b2').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.locator('[data-square="a3"][aria-label="a3: X"]').waitFor();
  await says(page, 'Sua vez');
});

test('the form of registration tells everything that is wrong', async (t) => {
  const page = await person(t);
  await page.getByRole('link', { name: 'Criar conta' }).first().click();
  await accessible(page);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.equal(await alert.getAttribute('data-code'), 'fields_missing');
  assert.equal(await alert.locator('li').count(), 6);
  await shot(page, 'register-missing');
  await page.fill('[name=login]', 'bia');
  await page.fill('[name=password]', 'uma senha longa');
  await page.fill('[name=first_name]', 'Bia');
  await page.fill('[name=surname]', 'Souza');
  await page.fill('[name=birth_date]', '31/02/2001');
  await page.selectOption('[name=sex]', 'female');
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await page.locator('[data-code=bad_date]').getByText('data de nascimento').waitFor();
  assert.equal(await page.locator('[name=birth_date]').getAttribute('aria-invalid'), 'true');
  await page.fill('[name=birth_date]', '31-01-2001');
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await page.locator('[data-code=bad_date]').waitFor();
  await page.fill('[name=birth_date]', '28/02/2001');
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await page.getByText('Conta criada').waitFor();
  // What was typed stays; the next one with this ID is told.
  await register(page, 'bia', { taken: true });
  await page.locator('[data-code=login_taken]').getByText('já existe').waitFor();
  assert.equal(await page.locator('[name=first_name]').inputValue(), 'Ana');
  await page.goto(`${it.server.url}/login`);
  await page.fill('[name=login]', 'ninguem');
  await page.fill('[name=password]', 'uma senha longa');
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.locator('[data-code=invalid_login]').waitFor();
});

test('chess against the engine: a refused move, a played one, resigning, the rating', async (t) => {
  const page = await person(t);
  await register(page, 'carla');
  await shot(page, 'home-logged-in');
  await page.selectOption('[name=rules]', 'chess');
  await page.selectOption('[name=side]', 'first');
  await page.selectOption('[name=level]', 'plies-2');
  await page.getByRole('button', { name: 'Começar' }).click();
  await says(page, 'Sua vez');
  await shot(page, 'chess');
  await accessible(page);
  await square(page, 'e2').click();
  await square(page, 'e5').click();
  await page.locator('[data-code=cannot_move_so]').waitFor();
  await square(page, 'e2').click();
  await square(page, 'e4').click();
  await page.locator('[data-square="e4"][aria-label="e4: Peão, brancas"]').waitFor();
  await says(page, 'Sua vez');
  assert.equal(await page.locator('.moves li').count(), 1);
  await resign(page);
  await says(page, 'Você perdeu');
  await page.getByText(/Rating 1500\?? → \d+/).waitFor();
  await shot(page, 'chess-resigned');
  await page.getByTestId('me').click();
  await page.getByRole('cell', { name: 'Xadrez' }).waitFor();
  await shot(page, 'me');
  await accessible(page);
});

test('draughts against the engine', async (t) => {
  const page = await person(t);
  await register(page, 'davi');
  await page.selectOption('[name=rules]', 'draughts');
  await page.selectOption('[name=side]', 'first');
  await page.selectOption('[name=level]', 'plies-2');
  await page.getByRole('button', { name: 'Começar' }).click();
  await says(page, 'Sua vez');
  await square(page, 'c3').click();
  await square(page, 'd4').click();
  await page.locator('[data-square="d4"][aria-label="d4: Pedra, brancas"]').waitFor();
  await says(page, 'Sua vez');
  await shot(page, 'draughts');
});

test('a guided account is told which lessons are missing', async (t) => {
  const page = await person(t);
  await register(page, 'edu', { birth: '01/05/2015', policy: 'guided' });
  await page.selectOption('[name=rules]', 'chess');
  await page.getByRole('button', { name: 'Começar' }).click();
  const alert = page.locator('[data-code=gate_closed]');
  await alert.waitFor();
  assert.equal(await alert.locator('li').count(), 4);
  await shot(page, 'gate-closed');
});

test('the page says the ways out of check, and who must capture how many', async (t) => {
  const [eva, leo] = [await person(t), await person(t)];
  await register(eva, 'eva');
  await register(leo, 'leo');
  const seat = async (rules) => {
    await begin(eva, it.server, { rules, opponent: 'person', side: 'first' });
    await says(eva, 'Esperando');
    await leo.goto(eva.url());
    await leo.getByRole('button', { name: 'Sentar e jogar' }).click();
    await says(eva, 'Sua vez');
  };
  await seat('chess');
  await play(eva, 'e2', 'e4', leo);
  await play(leo, 'f7', 'f5', eva);
  await play(eva, 'd1', 'h5', leo);
  await leo.getByText('Bloquear o caminho: g6').waitFor();
  assert.equal(await leo.getByTestId('way').count(), 1);
  await accessible(leo);
  await shot(leo, 'check');
  await square(leo, 'a7').click();
  await leo.locator('[data-code=king_left_in_check]').waitFor();
  await play(leo, 'g7', 'g6', eva);
  assert.equal(await leo.getByTestId('way').count(), 0);
  await square(eva, 'a1').click();
  await eva.locator('[data-code=piece_stuck]').waitFor();

  await seat('draughts');
  await play(eva, 'c3', 'd4', leo);
  await play(leo, 'f6', 'e5', eva);
  await eva.getByText('A captura é obrigatória: d4.').waitFor();
  await eva.locator('[data-square="d4"].must').waitFor();
  await square(eva, 'a3').click();
  await eva.locator('[data-code=capture_compulsory]').waitFor();
  await accessible(eva);
  await shot(eva, 'must');
});

test('who plays tic-tac-toe for fun may see what perfect play brings, by keyboard', async (t) => {
  const page = await person(t);
  await page.getByTestId('quick').click();
  await says(page, 'Sua vez');
  const option = page.getByLabel('Mostrar o resultado com jogo perfeito');
  assert.equal(await page.getByTestId('help').count(), 0);
  await option.focus();
  await page.keyboard.press('Space');
  await page.getByTestId('help').getByText('Empate com jogo perfeito.').waitFor();
  await accessible(page);
  await shot(page, 'perfect');
  await page.keyboard.press('Space');
  await page.getByTestId('help').waitFor({ state: 'detached' });
});

test('hanging pieces are shown on request in a casual game against the engine, and in no other', async (t) => {
  const page = await person(t);
  await register(page, 'hana');
  const against = async (rated) => {
    await page.goto(it.server.url);
    await page.setChecked('[name=rated]', rated);
    await page.selectOption('[name=rules]', 'chess');
    await page.selectOption('[name=side]', 'first');
    await page.selectOption('[name=level]', 'plies-2');
    await page.getByRole('button', { name: 'Começar' }).click();
    await says(page, 'Sua vez');
  };
  const option = page.getByLabel('Mostrar peças penduradas');
  await against(true);
  assert.equal(await option.count(), 0);
  await resign(page);
  await says(page, 'Você perdeu');

  await against(false);
  assert.equal(await page.locator('.square.hanging').count(), 0);
  await option.check();
  await page.getByTestId('help').getByText('Nenhuma peça pendurada.').waitFor();
  await option.uncheck();
  // What the engine leaves hanging is its own choice: the answer is given here.
  await page.route('**/v1/rules/explain', (route) => route.fulfill({
    json: {
      insight: {
        targets: [
          { square: 'e7', side: 'black', attackers: ['a3'], hanging: true },
          { square: 'b2', side: 'white', attackers: ['f6'], hanging: true },
          { square: 'd2', side: 'white', attackers: ['b4'], defenders: ['c1'] },
        ],
      },
    },
  }));
  await option.check();
  const help = page.getByTestId('help');
  await help.getByText('Suas peças penduradas: b2.').waitFor();
  await help.getByText('Peças penduradas do adversário: e7.').waitFor();
  await help.getByText('Atacadas, mas defendidas: d2.').waitFor();
  await page.locator('.square.hanging[aria-label="b2: Peão, brancas, pendurada"]').waitFor();
  assert.equal(await page.locator('.square.hanging').count(), 2);
  await accessible(page);
  await shot(page, 'hanging');
});
