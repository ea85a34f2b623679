// A pupil as their teacher sees them, or a child as their guardian does: ratings,
// games, and what the viewer may do for them.

import { useState } from 'preact/hooks';
import { Problem } from '../../api';
import { accounts } from '../../calls/account';
import { classes, type Class, type Pupil, type Slip } from '../../calls/classes';
import { go } from '../../router';
import { useSession } from '../../session';
import { say, t } from '../../texts';
import type { Game, Rating } from '../../types';
import { MakeCode } from '../account/Codes';
import { Correct } from '../account/Correct';
import { RatingHistory } from '../account/RatingGraph';
import { Ask } from '../Ask';
import { Failure } from '../Failure';
import { dayOf, download, Field, typed, useAct, useRead } from '../forms';
import { titleOf } from './ClassesPage';
import { Slips } from './Slips';

const p = t.people;

interface Person {
  name: string;
  login: string;
  pupil: Pupil | undefined;
  group: Class | undefined;
  publicGames: boolean;
}

async function find(account: string, group: string | undefined): Promise<Person> {
  if (group) {
    const people = await classes.get(group);
    const pupil = people.pupils?.find((one) => one.account === account);
    if (!pupil) throw new Problem('account_not_found', 404);
    return { name: pupil.name || pupil.login, login: pupil.login, pupil, group: people.class, publicGames: pupil.public_allowed ?? false };
  }
  const child = (await accounts.relations()).children?.find((one) => one.account === account);
  if (!child) throw new Problem('account_not_found', 404);
  return { name: child.name || child.login, login: child.login, pupil: undefined, group: undefined, publicGames: child.public_games ?? false };
}

const namesIn = (game: Game) =>
  game.seats.map((s) => (s.kind === 'engine' ? t.engine : s.kind === 'open' ? '…' : s.name || t.visitor)) as [string, string];

function Games({ value, problem }: { value: Game[] | undefined; problem: Problem | undefined }) {
  return (
    <section class="card" data-testid="games">
      <h2>{p.games}</h2>
      <Failure problem={problem} />
      {!value && !problem && <p role="status">{p.loading}</p>}
      {value?.length === 0 && <p>{p.noGames}</p>}
      <ul class="games">
        {(value ?? []).map((game) => (
          <li key={game.id}>
            <span>
              <a href={`/games/${game.id}`}>{t[game.rules]}: {t.against(...namesIn(game))}</a>
              <span class="detail muted">{game.created_at ? dayOf(game.created_at) : ''}</span>
            </span>
            <span>{game.status === 'finished' && game.result ? game.result : p.results[game.status]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A guardian is told no list of ratings: there is one for each game and speed of rated games. */
function ratingsIn(games: readonly Game[]): Rating[] {
  const found = new Map<string, Rating>();
  for (const { rules, speed = 'none', rated, status } of games) {
    if (rated && status === 'finished') found.set(`${rules} ${speed}`, { rules, speed, rating: 0, deviation: 0 });
  }
  return [...found.values()];
}

/** What a guardian may do for a child. */
function Guard({ account, name, allowed, again }: { account: string; name: string; allowed: boolean; again: () => Promise<void> }) {
  const { account: me } = useSession();
  const { problem, busy, act } = useAct();
  const change = () => act(async () => {
    await accounts.allowPublic(account, !allowed);
    await again();
  });
  return (
    <section class="card" data-testid="guard">
      <h2>{p.guard}</h2>
      <Failure problem={problem} />
      <p role="status">{allowed ? p.publicYes : p.publicNo}</p>
      <p class="muted">{p.publicText}</p>
      <div class="actions">
        <button disabled={busy} onClick={change}>{allowed ? p.forbidPublic : p.allowPublic}</button>
        <Ask button={p.endGuard} title={p.endGuardAsk(name)} danger disabled={busy}
          act={() => act(async () => { await accounts.endGuardian(account, me?.id ?? ''); go('/account'); })} />
      </div>
    </section>
  );
}

function MoveTo({ group, account }: { group: Class; account: string }) {
  const { problem, busy, act } = useAct();
  const { value = [] } = useRead('mine', () => classes.list(false));
  const others = value.filter((c) => c.role === 'teacher' && c.id !== group.id);
  const submit = (e: Event) => {
    const to = typed(e)('to');
    void act(async () => {
      await classes.movePupil(group.id, account, to);
      go(`/classes/${to}`);
    });
  };
  if (others.length === 0) return <p class="muted">{p.noOtherClass}</p>;
  return (
    <form class="inline" onSubmit={submit}>
      <Failure problem={problem} />
      <label class="field">
        <span>{p.moveTo}</span>
        <select name="to">{others.map((c) => <option key={c.id} value={c.id}>{titleOf(c)}</option>)}</select>
      </label>
      <button disabled={busy}>{p.move}</button>
    </form>
  );
}

function Manage({ group, pupil, again, onSlips }: { group: Class; pupil: Pupil; again: () => Promise<void>; onSlips: (slips: Slip[]) => void }) {
  const { problem, busy, act } = useAct();
  const { account } = pupil;
  const name = pupil.name || pupil.login;
  const then = (what: () => Promise<unknown>) => () => act(async () => { await what(); await again(); });
  const rename = (e: Event) => {
    const value = typed(e);
    void act(async () => { await classes.updatePupil(group.id, account, { name: value('name').trim() }); await again(); });
  };
  return (
    <section class="card" data-testid="manage">
      <h2>{p.manage}</h2>
      <Failure problem={problem} />
      {pupil.made_by_class ? (
        <form class="inline" onSubmit={rename} noValidate>
          <Field name="name" label={p.name} value={pupil.name ?? ''} maxLength={64} problem={problem} />
          <button disabled={busy}>{p.rename}</button>
        </form>
      ) : <p class="notice">{p.notByClass}</p>}
      <div class="actions">
        {pupil.made_by_class && (
          <Ask button={p.resetSelected(0)} title={p.resetAsk} text={p.resetText} yes={p.resetYes} disabled={busy}
            act={() => act(async () => onSlips(await classes.resetAccess(group.id, [account])))} />
        )}
        <button disabled={busy} onClick={then(() => accounts.allowPublic(account, !pupil.public_allowed))}>
          {pupil.public_allowed ? p.forbidPublic : p.allowPublic}
        </button>
        {pupil.policy === 'guided' && (
          <Ask button={p.openPolicy} title={p.openPolicyAsk} disabled={busy} act={then(() => accounts.openPolicy(account))} />
        )}
      </div>
      <MoveTo group={group} account={account} />
      <div class="actions">
        <button disabled={busy} onClick={then(() => classes.updatePupil(group.id, account, { archived: !pupil.archived_at }))}>
          {pupil.archived_at ? p.restorePupil : p.archivePupil}
        </button>
        <Ask button={p.removePupil} title={p.removePupilAsk(name)} text={p.removePupilText} danger disabled={busy}
          act={() => act(async () => { await classes.removePupil(group.id, account); go(`/classes/${group.id}`); })} />
      </div>
      <h3>{p.guardianCode}</h3>
      <MakeCode button={p.guardianCode} text={p.guardianText} make={() => accounts.makeCode({ purpose: 'guardian', account })} />
    </section>
  );
}

/** What the person has learnt. */
function Lessons({ account }: { account: string }) {
  const { value, problem } = useRead(account, () => classes.lessons(account));
  if (problem || value?.length === 0) return null;
  return (
    <section class="card" data-testid="lessons">
      <h2>{t.lessons}</h2>
      <ul class="games">
        {(value ?? []).map((lesson) => (
          <li key={lesson.id}><span>{say(lesson.id)}</span><span>{lesson.passed ? t.passed : t.missing}</span></li>
        ))}
      </ul>
    </section>
  );
}

function DataOf({ account, name, back, again }: { account: string; name: string; back: string; again: () => Promise<void> }) {
  const { problem, busy, act } = useAct();
  return (
    <section class="card">
      <h2>{p.accountData}</h2>
      <Failure problem={problem} />
      <h3>{p.kept}</h3>
      <ul>{p.keptList.map((what) => <li key={what}>{what}</li>)}</ul>
      <p class="muted">{p.keptText}</p>
      <Correct account={account} onDone={again} />
      <div class="actions">
        <button disabled={busy} onClick={() => act(() => download(`/v1/accounts/${account}/export`, 'tabuleiro.zip'))}>{p.exportOf}</button>
        <Ask button={p.deleteOf} title={p.deleteOfAsk(name)} text={p.deleteText} yes={p.deleteNow} danger disabled={busy}
            act={() => act(async () => { await accounts.deleteAccount(account); go(back); })} />
      </div>
    </section>
  );
}

export function PersonPage({ account, group }: { account: string; group?: string }) {
  const { account: me } = useSession();
  const { value, problem, again } = useRead(`${account} ${group}`, () => find(account, group));
  const { value: games, problem: ungiven } = useRead(account, () => classes.games(account));
  const [slips, setSlips] = useState<Slip[]>();
  if (!me) return <Failure problem={new Problem('not_logged_in', 401)} />;
  if (problem) return <Failure problem={problem} />;
  if (!value) return <p role="status">{p.loading}</p>;
  const { pupil } = value;
  if (slips && value.group) return <Slips title={titleOf(value.group)} slips={slips} onDone={() => { setSlips(undefined); void again(); }} />;
  const back = value.group ? `/classes/${value.group.id}` : '/account';
  return (
    <>
      <p><a href={back}>{value.group ? titleOf(value.group) : p.accountTitle}</a></p>
      <div class="heading">
        <h1>{value.name}</h1>
        <span class="muted">
          {value.login}
          {pupil?.archived_at && <> · <span class="tag">{p.archivedPupil}</span></>}
          {pupil?.access && <> · {p.accessNames[pupil.access]}</>}
          {pupil && <> · {pupil.public_allowed ? p.publicYes : p.publicNo}</>}
        </span>
      </div>
      <section class="card" data-testid="ratings">
        <h2>{p.ratingsTitle}</h2>
        <RatingHistory account={account} ratings={pupil ? pupil.ratings ?? [] : ratingsIn(games ?? [])} />
      </section>
      <div class="columns wide">
        <div class="stack">
          <Games value={games} problem={ungiven} />
          <Lessons account={account} />
          {(!pupil || pupil.made_by_class) && <DataOf account={account} name={value.name} back={back} again={again} />}
        </div>
        {!value.group && <Guard account={account} name={value.name} allowed={value.publicGames} again={again} />}
        {value.group?.role === 'teacher' && !value.group.archived_at && pupil && (
          <Manage group={value.group} pupil={pupil} again={again} onSlips={setSlips} />
        )}
      </div>
    </>
  );
}
