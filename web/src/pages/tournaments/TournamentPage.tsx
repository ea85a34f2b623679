// One tournament: what it is, what one may do in it, its table, rounds and players.

import { Problem } from '../../api';
import { tournaments, type Tournament } from '../../calls/tournaments';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Ask } from '../Ask';
import { Failure } from '../Failure';
import { useAct } from '../forms';
import { Connection } from '../game/Connection';
import { clockOf, nameOf, ownGame, personOf, summary } from './names';
import { AddPlayers, Players, type Part } from './Players';
import { Rounds } from './Rounds';
import { Table } from './Table';
import { useTournament } from './useTournament';

const w = t.tournaments;

const open = (one: Tournament) => one.status === 'open' || (one.status === 'running' && one.kind === 'swiss' && !!one.late);

/** What the one who looks may do as a player. */
function You({ one, told }: Part) {
  const { problem, busy, act } = useAct();
  const you = one.players?.find((p) => p.number === one.you);
  const run = (what: (id: string) => Promise<Tournament>) => act(async () => told(await what(one.id)));
  const join = (text: string) => <button class="main" disabled={busy} onClick={() => run(tournaments.join)}>{text}</button>;
  const over = one.status === 'finished' || one.status === 'cancelled';
  if (over || (!you && !open(one))) return null;
  const leave = (id: string) => tournaments.withdraw(id);
  const game = ownGame(one);
  return (
    <section class="card" data-testid="you">
      <Failure problem={problem} />
      {you && <p role="status">{you.status === 'invited' ? w.invited : you.status === 'in' ? w.youPlay : w.youLeft}</p>}
      <div class="actions">
        {game && (
          <a class="button main" href={`/games/${game.id}`} data-testid="own-game">
            {w.ownGame(nameOf(one.players?.find((p) => p.number === game.other)))}
          </a>
        )}
        {!you && join(w.join)}
        {you?.status === 'invited' && open(one) && join(w.accept)}
        {you?.status === 'invited' && <button disabled={busy} onClick={() => run(leave)}>{w.refuse}</button>}
        {you?.status === 'in' && (
          <Ask button={w.leave} title={w.leaveAsk} danger disabled={busy}
            {...(one.status === 'running' ? { text: w.leaveText } : {})} act={() => run(leave)} />
        )}
      </div>
    </section>
  );
}

/** What only the organiser may do. */
function Organiser({ one, told }: Part) {
  const { problem, busy, act } = useAct();
  const run = (what: (id: string) => Promise<Tournament>) => act(async () => told(await what(one.id)));
  const count = (status: string) => (one.players ?? []).filter((p) => p.status === status).length;
  const [inside, invited] = [count('in'), count('invited')];
  const last = one.played?.[one.played.length - 1];
  const complete = !!last && (last.boards ?? []).every((b) => b.result);
  return (
    <section class="card" data-testid="organiser">
      <h2>{w.organiserPart}</h2>
      <Failure problem={problem} />
      {one.status === 'open' && inside < 2 && <p class="muted">{w.needTwo}</p>}
      <div class="actions">
        {one.status === 'open' && (
          <Ask button={w.start} title={w.startAsk} text={w.startText(inside, invited)} disabled={busy || inside < 2} act={() => run(tournaments.start)} />
        )}
        {one.status === 'running' && !one.auto && complete && (one.paired ?? 0) < (one.rounds ?? 0) && (
          <button class="main" disabled={busy} onClick={() => run(tournaments.pair)}>{w.pair}</button>
        )}
        <Ask button={w.cancel} title={w.cancelAsk} danger disabled={busy}
          {...(one.status === 'running' ? { text: w.cancelText } : {})} act={() => run(tournaments.cancel)} />
      </div>
    </section>
  );
}

function About({ one }: { one: Tournament }) {
  const minutes = one.round_minutes ?? 0;
  const facts: [string, string][] = [
    [w.facts.kind, (w.kinds[one.kind] ?? one.kind) + ((one.games ?? 0) > 1 ? `, ${w.perMatch(one.games ?? 0)}` : '')],
    [w.facts.game, t[one.rules]],
    [w.facts.clock, clockOf(one)],
    [w.facts.deadline, w.roundTimes[minutes] ?? w.minutes(minutes)],
    [w.facts.rated, one.rated ? t.ratedShort : t.casual],
    [w.facts.entry, w.entries[one.entry] ?? one.entry],
  ];
  if (one.organiser_name) facts.push([w.facts.organiser, personOf(one.organiser_name)]);
  const path = `/tournaments/${one.id}`;
  return (
    <section class="card">
      <h2>{w.about}</h2>
      <dl>
        {facts.map(([name, text]) => <div key={name}><dt>{name}</dt><dd>{text}</dd></div>)}
        {open(one) && <div><dt>{w.address}</dt><dd><a href={path}>{location.origin + path}</a></dd></div>}
      </dl>
    </section>
  );
}

export function TournamentPage({ id }: { id: string }) {
  const { account } = useSession();
  if (!account) return <Failure problem={new Problem('not_logged_in', 401)} />;
  return <Whole id={id} account={account.id} />;
}

function Whole({ id, account }: { id: string; account: string }) {
  const { one, problem, connected, told } = useTournament(id, account);
  if (!one) return problem ? <Failure problem={problem} /> : <p role="status">{t.people.loading}</p>;
  const over = one.status === 'finished' || one.status === 'cancelled';
  return (
    <>
      <p><a href="/tournaments">{w.title}</a></p>
      <div class="heading">
        <h1>{one.name}</h1>
        <span class="muted" role="status" data-testid="summary">{summary(one)}</span>
      </div>
      <Connection connected={connected} />
      <Failure problem={problem} />
      <You one={one} told={told} />
      <Rounds one={one} told={told} />
      <Table one={one} />
      <div class="columns wide">
        <div class="stack">
          <Players one={one} told={told} />
          {one.organiser && open(one) && <AddPlayers one={one} told={told} />}
        </div>
        <div class="stack">
          {one.organiser && !over && <Organiser one={one} told={told} />}
          <About one={one} />
        </div>
      </div>
    </>
  );
}
