// Classes: how one becomes a teacher, pupils from a list of names, slips, first
// log-ins, and what teachers, pupils and guardians see.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible, fits, shot, stage } from './people.mjs';

const it = stage();
const phone = { viewport: { width: 360, height: 740 } };
const button = (where, name) => where.getByRole('button', { name, exact: true });

async function command(page, path, data) {
  const answer = await page.request.post(it.server.url + path, { data, headers: { 'Idempotency-Key': crypto.randomUUID() } });
  assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

let operator;

/** A code that makes its user a teacher; the first call makes the operator. */
async function teacherCode(t) {
  operator ??= (async () => {
    const page = await it.player(t, 'zeca');
    await command(page, '/v1/operator', { code: await it.server.operatorCode });
    return (await page.context().storageState()).cookies;
  })();
  const cookies = await operator;
  const page = await it.person(t);
  await page.context().addCookies(cookies);
  return (await command(page, '/v1/codes', { purpose: 'teacher' })).code;
}

async function teacher(t, login, options) {
  const page = await it.player(t, login, options);
  await command(page, '/v1/codes/claim', { code: await teacherCode(t) });
  return page;
}

async function newClass(page, name) {
  await page.goto(`${it.server.url}/classes`);
  await page.getByLabel('Nome da turma').fill(name);
  await page.getByLabel('Ano letivo').fill('2026');
  await button(page, 'Criar').click();
  await page.getByRole('heading', { name: `${name} (2026)` }).waitFor();
}

/** Adds pupils by their names; what is on their slips. */
async function addPupils(page, names) {
  await page.getByLabel('Cole a lista de nomes').fill(names.join('\n'));
  await button(page, names.length === 1 ? 'Criar 1 conta' : `Criar ${names.length} contas`).click();
  return slipsOn(page, names.length);
}

async function slipsOn(page, count) {
  const slips = page.getByTestId('slips').getByRole('listitem');
  await slips.nth(count - 1).waitFor();
  const texts = await slips.evaluateAll((all) => all.map((e) =>
    [e.querySelector('h2').textContent, ...[...e.querySelectorAll('dd')].map((d) => d.textContent)]));
  return texts.map(([name, , login, code]) => ({ name, login, code }));
}

async function leaveSlips(page) {
  await button(page, 'Já imprimi: voltar à turma').click();
  await page.getByRole('dialog').getByText('Voltar sem os códigos?').waitFor();
  await page.getByTestId('confirm').click();
  await page.getByTestId('pupils').waitFor();
}

async function firstAccess(page, { login, code }, password) {
  await page.goto(`${it.server.url}/first`);
  await page.fill('[name=login]', login);
  await page.fill('[name=code]', code);
  await page.fill('[name=password]', password);
  await button(page, 'Guardar a senha e entrar').click();
}

test('the operator makes a code, and who uses it teaches', async (t) => {
  const boss = await it.player(t, 'yara', phone);
  const code = await teacherCode(t);
  await boss.getByRole('link', { name: 'Turmas' }).click();
  await boss.getByText('É professor?').waitFor();
  await boss.getByText('Nenhuma turma.').waitFor();
  assert.equal(await boss.getByLabel('Nome da turma').count(), 0);
  await accessible(boss);
  await fits(boss);
  const claim = boss.getByTestId('claim');
  await claim.getByLabel('Código').fill('AAAA-BBBB-CCCC');
  await button(claim, 'Usar o código').click();
  await claim.locator('[data-code=bad_code]').waitFor();
  await claim.getByLabel('Código').fill(code);
  await claim.getByLabel('Código').press('Enter');
  await claim.getByText('Agora você é professor').waitFor();
  await boss.getByLabel('Nome da turma').waitFor();
  await accessible(boss);
  await shot(boss, 'classes-phone');
});

test('the one who has the code of the installation is its operator', async (t) => {
  await teacherCode(t);
  const page = await it.person(t);
  await page.context().addCookies(await operator);
  await page.goto(`${it.server.url}/account`);
  const box = page.getByTestId('operator');
  await button(box, 'Criar código de professor').click();
  assert.match(await box.getByTestId('secret').inputValue(), /^\w{4}-\w{4}-\w{4}$/);
  await it.player(t, 'prof.nova');
  const find = box.getByTestId('find');
  await find.getByLabel('Usuário da pessoa').fill('ninguem-assim');
  await button(find, 'Procurar').click();
  await find.locator('[data-code=account_not_found]').waitFor();
  await find.getByLabel('Usuário da pessoa').fill('PROF.NOVA');
  await find.getByLabel('Usuário da pessoa').press('Enter');
  await button(find, 'Dar o papel de professor').click();
  await find.getByText('aluno, professor').waitFor();
  await accessible(page);
  await shot(page, 'operator');
  await button(find, 'Tirar o papel de professor').click();
  await page.getByTestId('confirm').click();
  await button(find, 'Dar o papel de professor').waitFor();
  await box.getByRole('link', { name: 'Registro de auditoria' }).click();
  await page.getByRole('row', { name: /você.*tirou o papel de professor.*Ana \(prof.nova\)/ }).waitFor();
  await page.getByRole('cell', { name: 'tornou-se operador' }).waitFor();
  await button(page, 'Conferir o registro').click();
  await page.getByText(/Registro íntegro até o número \d+/).waitFor();
  await accessible(page);
  await shot(page, 'audit');
});

test('a class from a list of names: looked at, made, printed once, used by a pupil, given anew', async (t) => {
  const page = await teacher(t, 'profa');
  await newClass(page, '4º B');
  await accessible(page);
  await page.getByLabel('Cole a lista de nomes').fill(`1. Ana Lima\nBia\nbia\n${'x'.repeat(70)}\nCaio;9 anos`);
  await page.getByTestId('to-add').getByText('4 alunos a acrescentar').waitFor();
  await page.getByTestId('preview').getByText('bia (repetido na lista)').waitFor();
  await page.getByTestId('preview').getByText('longo demais').waitFor();
  await shot(page, 'class-preview');
  const slips = await addPupils(page, ['Ana Lima', 'Bia', 'Caio']);
  assert.deepEqual(slips.map((s) => s.name), ['Ana Lima', 'Bia', 'Caio']);
  for (const { code } of slips) assert.match(code, /^\w{4}-\w{4}-\w{4}$/);
  await accessible(page);
  await shot(page, 'class-slips');
  // On paper there is nothing but the slips.
  await page.emulateMedia({ media: 'print' });
  assert.ok(await page.getByTestId('slips').isVisible());
  assert.ok(!(await page.locator('header').isVisible()));
  assert.ok(!(await button(page, 'Imprimir').isVisible()));
  await shot(page, 'class-print');
  await page.emulateMedia({ media: 'screen' });
  await leaveSlips(page);
  const row = (name) => page.getByTestId('pupils').getByRole('row', { name: new RegExp(name) });
  await row('Ana Lima').getByText('código por usar').waitFor();

  const ana = await it.person(t, phone);
  await ana.getByRole('link', { name: 'Entrar' }).click();
  await ana.getByRole('link', { name: 'Primeiro acesso com código' }).click();
  await accessible(ana);
  await fits(ana);
  await firstAccess(ana, { ...slips[0], code: slips[1].code }, 'pipa amarela');
  await ana.locator('[data-code=bad_code]').waitFor();
  await firstAccess(ana, slips[0], 'curta');
  await ana.locator('[data-code=password_short]').waitFor();
  await shot(ana, 'first-access-phone');
  await firstAccess(ana, slips[0], 'pipa amarela no vento');
  await ana.getByTestId('me').getByText(slips[0].login).waitFor();
  await ana.getByRole('link', { name: 'Turmas' }).click();
  await ana.getByText('você é aluno').waitFor();
  await ana.getByRole('link', { name: '4º B (2026)' }).click();
  await ana.getByRole('heading', { name: 'Colegas' }).waitFor();
  await ana.getByText(slips[1].login).waitFor();
  await accessible(ana);

  await page.reload();
  await row('Ana Lima').getByText('com senha').waitFor();
  await row('Ana Lima').getByRole('checkbox').check();
  await accessible(page);
  await shot(page, 'class');
  await page.setViewportSize(phone.viewport);
  await fits(page);
  await shot(page, 'class-phone');
  await page.setViewportSize({ width: 1200, height: 900 });
  await button(page, 'Novo código de acesso (1)').click();
  await page.getByTestId('confirm').click();
  const [renewed] = await slipsOn(page, 1);
  assert.equal(renewed.login, slips[0].login);
  assert.notEqual(renewed.code, slips[0].code);
  await leaveSlips(page);
  await row('Ana Lima').getByText('código por usar').waitFor();
  await ana.goto(it.server.url);
  await ana.getByRole('link', { name: 'Entrar' }).waitFor();
  await firstAccess(ana, renewed, 'outra pipa no vento');
  await ana.getByTestId('me').waitFor();

  await page.getByText('Registro do que foi feito').click();
  await page.getByTestId('audit').getByRole('row', { name: /você.*deu novo código de acesso.*Ana Lima/ }).waitFor();
  await accessible(page);
});

test('a teacher sees a pupil’s games and ratings and takes care of their place', async (t) => {
  const page = await teacher(t, 'profb');
  await newClass(page, '5º A');
  await newClass(page, '5º C');
  const [davi] = await addPupils(page, ['Davi']);
  await leaveSlips(page);
  const pupil = await it.person(t);
  await firstAccess(pupil, davi, 'barco de papel azul');
  await pupil.getByTestId('me').waitFor();
  const { game } = await command(pupil, '/v1/games', { rules: 'tictactoe', opponent: 'engine', level: 'full', side: 'first', rated: true });
  await command(pupil, `/v1/games/${game.id}/moves`, { move: 'a1', turn: game.turn ?? 0 });
  await command(pupil, `/v1/games/${game.id}/resign`, {});

  await page.getByTestId('pupils').getByRole('link', { name: 'Davi' }).click();
  await page.getByTestId('games').getByText('Jogo da velha').waitFor();
  await page.getByTestId('manage').waitFor();
  await accessible(page);
  await shot(page, 'pupil');
  await page.getByTestId('games').getByRole('link').first().click();
  await page.locator('.board').waitFor();
  // The teacher decides it otherwise, once the result was rated.
  for (let rated = false; !rated;) {
    const { game: now } = await (await pupil.request.get(`${it.server.url}/v1/games/${game.id}`)).json();
    rated = now.seats.some((seat) => seat.rating_after);
  }
  await button(page, 'Decidir esta partida').click();
  await page.getByTestId('confirm').click();
  await page.getByRole('alert').first().waitFor();
  await page.getByLabel('Resultado').selectOption('1/2-1/2');
  await page.getByLabel('Por quê (os jogadores leem)').fill('Faltou luz.');
  await accessible(page);
  await shot(page, 'adjudicate');
  await page.getByTestId('confirm').click();
  await page.getByText('Decidida por um responsável: Faltou luz.').waitFor();
  await page.goBack();

  const manage = page.getByTestId('manage');
  await manage.getByLabel('Nome', { exact: true }).fill('Davi Souza');
  await button(manage, 'Mudar o nome').click();
  await page.getByRole('heading', { name: 'Davi Souza' }).waitFor();
  await button(manage, 'Permitir partidas públicas').click();
  await page.getByText('Partidas públicas estão permitidas.').waitFor();
  await button(manage, 'Arquivar').click();
  await button(manage, 'Restaurar').waitFor();
  await button(manage, 'Restaurar').click();
  await button(manage, 'Arquivar').waitFor();

  // The guardian's code is used at an account of their own.
  await button(manage, 'Código para o responsável').click();
  const code = await manage.getByTestId('secret').inputValue();
  await page.setViewportSize(phone.viewport);
  await fits(page);
  await shot(page, 'pupil-phone');
  const guardian = await it.player(t, 'mamae', phone);
  await guardian.goto(`${it.server.url}/account`);
  const codes = guardian.getByTestId('codes');
  await codes.getByTestId('claim').getByLabel('Código').fill(code);
  await button(codes.getByTestId('claim'), 'Usar o código').click();
  await codes.getByText('Agora você acompanha esta criança.').waitFor();
  await guardian.getByTestId('children').getByRole('link', { name: /Davi Souza/ }).click();
  await guardian.getByTestId('games').getByText('Jogo da velha').waitFor();
  await guardian.getByTestId('graph').waitFor();
  await guardian.getByTestId('lessons').waitFor();
  await guardian.getByText('O que guardamos').waitFor();
  await button(guardian.getByTestId('guard'), 'Proibir partidas públicas').click();
  await guardian.getByText('Partidas públicas não estão permitidas.').waitFor();
  await accessible(guardian);
  await fits(guardian);
  await shot(guardian, 'child-phone');
  await button(guardian.getByTestId('guard'), 'Deixar de acompanhar').click();
  await guardian.getByTestId('confirm').click();
  await codes.waitFor();
  await guardian.getByTestId('children').waitFor({ state: 'detached' });

  await manage.getByLabel('Passar para a turma').selectOption({ label: '5º A (2026)' });
  await button(manage, 'Passar').click();
  await page.getByRole('heading', { name: '5º A (2026)' }).waitFor();
  await page.getByTestId('pupils').getByRole('link', { name: 'Davi Souza' }).click();
  await button(page.getByTestId('manage'), 'Tirar da turma').click();
  await page.getByTestId('confirm').click();
  await page.getByRole('heading', { name: '5º A (2026)' }).waitFor();
  await page.getByText('Ainda não há alunos.').waitFor();
});

test('teachers share a class, and archive it', async (t) => {
  const page = await teacher(t, 'profc');
  const other = await teacher(t, 'profd');
  await newClass(page, '6º D');
  const teachers = page.getByTestId('teachers');
  await teachers.getByLabel('Usuário do professor').fill('ninguem-assim');
  await button(teachers, 'Acrescentar professor').click();
  await teachers.locator('[data-code=account_not_found]').waitFor();
  await teachers.getByLabel('Usuário do professor').fill('profd');
  await button(teachers, 'Acrescentar professor').click();
  await button(teachers, 'Tirar o professor profd').waitFor();
  await other.goto(page.url());
  await other.getByTestId('teachers').getByText('profc').waitFor();

  // Who has an account already comes in by a code.
  await button(page, 'Criar código da turma').click();
  const code = await page.getByTestId('secret').inputValue();
  const grown = await it.player(t, 'vera');
  await grown.goto(`${it.server.url}/classes`);
  await grown.getByTestId('claim').getByLabel('Código').fill(code);
  await button(grown.getByTestId('claim'), 'Usar o código').click();
  await grown.getByRole('link', { name: '6º D (2026)' }).waitFor();

  const settings = page.getByTestId('settings');
  await settings.getByLabel('Nome da turma').fill('6º E');
  await button(settings, 'Salvar').click();
  await page.getByRole('heading', { name: '6º E (2026)' }).waitFor();
  await button(settings, 'Arquivar a turma').click();
  await page.getByTestId('confirm').click();
  await button(settings, 'Restaurar a turma').waitFor();
  await accessible(page);
  await page.goto(`${it.server.url}/classes`);
  await page.getByText('Nenhuma turma.').waitFor();
  await page.getByLabel('Mostrar também as arquivadas').check();
  await page.getByRole('link', { name: '6º E (2026)' }).click();
  await button(settings, 'Restaurar a turma').click();
  await button(settings, 'Arquivar a turma').waitFor();
});
