// The account: data, access, codes, people, and taking it all away.

import { useState } from 'preact/hooks';
import { Problem } from '../../api';
import { accounts, type RelatedPerson, type Relations } from '../../calls/account';
import { go } from '../../router';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Dialog } from '../Dialog';
import { Failure } from '../Failure';
import { dayOf, download, Field, isoDay, typed, useAct, useRead } from '../forms';
import { Devices, Password, Sessions, Tokens } from './Access';
import { Correct } from './Correct';
import { ClaimCode, ClaimOperator, MakeCode } from './Codes';
import { SecondFactorCard } from './Factor';
import { FindPerson } from './FindPerson';
import { PersonNav } from './PersonNav';

const p = t.people;

function Data() {
  const { account, refresh } = useSession();
  if (!account) return null;
  const sexes: Record<string, string> = { female: t.female, male: t.male, other: t.other, undisclosed: t.undisclosed };
  const rows: [string, string | undefined][] = [
    [t.loginField, account.login],
    [p.fullName, [account.first_name, account.surname].filter(Boolean).join(' ')],
    [t.birthDate.replace(/ \(.*/, ''), account.birth_date && isoDay(account.birth_date)],
    [t.sex, account.sex && sexes[account.sex]],
    [p.policyLabel, p.policyNames[account.policy]],
    [p.roles, (account.roles ?? []).map((r) => p.roleNames[r] ?? r).join(', ')],
    [p.since, account.created_at && dayOf(account.created_at)],
  ];
  return (
    <section class="card">
      <h2>{p.data}</h2>
      <dl>
        {rows.filter(([, value]) => value).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
      </dl>
      <Correct account={account.id} own onDone={refresh} />
    </section>
  );
}

function People({ title, people, linked = false }: { title?: string; people: RelatedPerson[] | undefined; linked?: boolean }) {
  if (!people || people.length === 0) return null;
  return (
    <>
      {title && <h3>{title}</h3>}
      <ul class="plain">
        {people.map((person) => {
          const text = person.name ? `${person.name} (${person.login})` : person.login;
          return <li key={person.account}>{linked ? <a href={`/people/${person.account}`}>{text}</a> : text}</li>;
        })}
      </ul>
    </>
  );
}

function Children({ children }: { children: RelatedPerson[] | undefined }) {
  if (!children || children.length === 0) return null;
  return <section class="card" data-testid="children"><h2>{p.children}</h2><People people={children} linked /></section>;
}

function CodesAndPeople({ value, problem, again }: { value: Relations | undefined; problem: Problem | undefined; again: () => Promise<void> }) {
  const { account } = useSession();
  const operator = account?.roles?.includes('operator') ?? false;
  return (
    <section class="card" data-testid="codes">
      <h2>{p.codes}</h2>
      <p class="muted">{p.codesText}</p>
      <ClaimCode onUsed={again} />
      {!operator && <ClaimOperator />}
      <Failure problem={problem} />
      {value?.protected && <p class="notice">{p.protectedNote} {value.public_games ? p.publicYes : p.publicNo}</p>}
      <People title={p.teachers} people={value?.teachers} />
      <People title={p.guardians} people={value?.guardians} />
    </section>
  );
}

function Operator() {
  return (
    <section class="card" data-testid="operator">
      <h2>{p.operator}</h2>
      <MakeCode button={p.makeTeacherCode} text={p.teacherCodeText} make={() => accounts.makeCode({ purpose: 'teacher' })} />
      <FindPerson />
      <p><a href="/audit">{p.auditTitle}</a></p>
    </section>
  );
}

function TakeOut() {
  const { problem, busy, act } = useAct();
  const take = (path: string, name: string) => () => act(() => download(path, name));
  return (
    <section class="card">
      <h2>{p.takeOut}</h2>
      <p class="muted">{p.takeOutText}</p>
      <Failure problem={problem} />
      <p role="status">{busy ? p.preparing : ''}</p>
      <div class="actions">
        <button class="main" disabled={busy} onClick={take('/v1/me/export', 'tabuleiro.zip')}>{p.takeAll}</button>
        <button disabled={busy} onClick={take('/v1/me/games.pgn', 'xadrez.pgn')}>{p.takeChess}</button>
        <button disabled={busy} onClick={take('/v1/me/games.pdn', 'damas.pdn')}>{p.takeDraughts}</button>
      </div>
    </section>
  );
}

function Delete() {
  const { refresh } = useSession();
  const { problem, busy, act } = useAct();
  const [asked, setAsked] = useState(false);
  const [sure, setSure] = useState(false);
  const submit = (e: Event) => {
    const password = typed(e)('password');
    void act(async () => {
      await accounts.deleteMe(password);
      await refresh();
      go('/login/deleted');
    });
  };
  return (
    <section class="card danger">
      <h2>{p.deleteAccount}</h2>
      <p>{p.deleteText}</p>
      <button class="danger" onClick={() => { setSure(false); setAsked(true); }}>{p.deleteAccount}…</button>
      {asked && (
        <Dialog title={p.deleteAsk} onClose={() => setAsked(false)}>
          <form class="inline" onSubmit={submit} noValidate>
            <p>{p.deleteText}</p>
            <Failure problem={problem} {...(problem?.code === 'invalid_login' ? { sentence: p.passwordWrong } : {})} />
            <Field name="password" label={t.password} type="password" autocomplete="current-password" problem={problem} />
            <label class="check">
              <input type="checkbox" name="sure" checked={sure} onChange={(e) => setSure(e.currentTarget.checked)} /> {p.deleteSure}
            </label>
            <div class="actions">
              <button class="danger" disabled={busy || !sure}>{p.deleteNow}</button>
              <button type="button" onClick={() => setAsked(false)}>{p.keep}</button>
            </div>
          </form>
        </Dialog>
      )}
    </section>
  );
}

export function AccountPage() {
  const { account } = useSession();
  const { value, problem, again } = useRead<Relations>(`relations ${account?.id}`, async () => (account ? accounts.relations() : {}));
  if (!account) return <Failure problem={new Problem('not_logged_in', 401)} />;
  return (
    <>
      <PersonNav here="/account" />
      <h1>{p.accountTitle}</h1>
      <div class="columns wide">
        <div class="stack">
          <Data />
          <Children children={value?.children} />
          <Sessions />
          <Devices />
          <CodesAndPeople value={value} problem={problem} again={again} />
        </div>
        <div class="stack">
          {account.roles?.includes('operator') && <Operator />}
          <Password />
          <SecondFactorCard />
          <Tokens />
          <TakeOut />
          <Delete />
        </div>
      </div>
    </>
  );
}
