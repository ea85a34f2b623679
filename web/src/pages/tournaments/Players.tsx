// Who plays or is invited, and for the organiser how they come in and out.

import { useState } from 'preact/hooks';
import { classes } from '../../calls/classes';
import { tournaments, type Player, type Tournament } from '../../calls/tournaments';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Ask } from '../Ask';
import { Failure } from '../Failure';
import { Choice, Scroll, typed, useAct, useRead } from '../forms';
import { levels, loginsIn, nameOf } from './names';

const w = t.tournaments;

export interface Part {
  one: Tournament;
  told: (one: Tournament) => void;
}

export function Players({ one, told }: Part) {
  const { problem, busy, act } = useAct();
  const players = one.players ?? [];
  const started = one.status !== 'open';
  const over = one.status === 'finished' || one.status === 'cancelled';
  const out = (p: Player) => act(async () => told(await tournaments.withdraw(one.id, p.number)));
  const count = players.filter((p) => p.status === 'in').length;
  return (
    <section class="card" data-testid="players">
      <h2>{w.playersCount(count, started ? 0 : one.max_players ?? 0)}</h2>
      <Failure problem={problem} />
      {players.length === 0 ? <p>{w.noPlayers}</p> : (
        <Scroll label={w.players}>
          <table>
            <thead>
              <tr>
                {started && <th scope="col">{w.seed}</th>}
                <th scope="col">{w.player}</th>
                <th scope="col">{w.rating}</th>
                <th scope="col">{w.state}</th>
                {one.organiser && !over && <th scope="col"><span class="sr">{w.out}</span></th>}
              </tr>
            </thead>
            <tbody>
              {players.map((p) => (
                <tr key={p.account || p.level || p.number}>
                  {started && <td>{p.seed || '—'}</td>}
                  <td>{nameOf(p)}{p.number === one.you ? ` (${w.you})` : ''}</td>
                  <td>{p.rating || '—'}</td>
                  <td>{w.playerStates[p.status] ?? p.status}</td>
                  {one.organiser && !over && (
                    <td>
                      {p.status !== 'withdrawn' && (
                        <Ask button={w.takeOut(nameOf(p))} title={w.takeOutAsk(nameOf(p))} yes={w.out} danger disabled={busy}
                          {...(one.status === 'running' ? { text: w.takeOutText } : {})} act={() => out(p)} />
                      )}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}

/** People by their log-ins, one after the other; who could not be invited stays in the field. */
function Invite({ one, told }: Part) {
  const { problem, busy, act } = useAct();
  const [text, setText] = useState('');
  const [failed, setFailed] = useState('');
  const submit = (e: Event) => {
    e.preventDefault();
    setFailed('');
    void act(async () => {
      const logins = loginsIn(text);
      while (logins[0]) {
        try {
          told(await tournaments.add(one.id, { login: logins[0] }));
        } catch (refused) {
          setFailed(logins[0]);
          throw refused;
        }
        logins.shift();
        setText(logins.join(' '));
      }
    });
  };
  return (
    <form class="inline" onSubmit={submit} noValidate>
      <label class="field">
        <span>{w.logins}</span>
        <input name="logins" value={text} autocomplete="off" spellcheck={false} aria-describedby="logins-hint" aria-invalid={!!problem}
          onInput={(e) => setText(e.currentTarget.value)} />
        <small id="logins-hint">{w.loginsHint}</small>
      </label>
      {failed && problem && <p><strong>{failed}</strong></p>}
      <Failure problem={problem} />
      <button disabled={busy || loginsIn(text).length === 0}>{w.invite}</button>
    </form>
  );
}

/** All pupils of a class who are not in yet. */
function AddClass({ one, told }: Part) {
  const { value = [] } = useRead('classes', () => classes.list(false));
  const { problem, busy, act } = useAct();
  const [none, setNone] = useState(false);
  const own = value.filter((c) => c.role === 'teacher' && !c.archived_at);
  if (own.length === 0) return null;
  const submit = (e: Event) => {
    const group = typed(e)('class');
    setNone(false);
    void act(async () => {
      const { pupils = [] } = await classes.get(group);
      const there = new Set((one.players ?? []).map((p) => p.account));
      const accounts = pupils.filter((p) => !p.archived_at && !there.has(p.account)).map((p) => p.account);
      setNone(accounts.length === 0);
      // The server takes so many at once.
      for (let i = 0; i < accounts.length; i += 64) told(await tournaments.add(one.id, { accounts: accounts.slice(i, i + 64) }));
    });
  };
  return (
    <form class="inline" onSubmit={submit} noValidate>
      <Choice name="class" label={w.fromClass}
        options={own.map((c): [string, string] => [c.id, c.school_year ? `${c.name} (${c.school_year})` : c.name])} />
      {none && <p role="status">{w.classIn}</p>}
      <Failure problem={problem} />
      <button disabled={busy}>{w.addClass}</button>
    </form>
  );
}

function AddLevels({ one, told }: Part) {
  const { problem, busy, act } = useAct();
  const there = new Set((one.players ?? []).map((p) => p.level));
  const left = levels.filter((level) => !there.has(level));
  if (left.length === 0) return null;
  const submit = (e: Event) => {
    const value = typed(e);
    const chosen = left.filter((level) => value(level) === 'on');
    if (chosen.length > 0) void act(async () => told(await tournaments.add(one.id, { levels: chosen })));
  };
  return (
    <form class="inline" onSubmit={submit} noValidate>
      <fieldset>
        <legend>{w.levels}</legend>
        {left.map((level) => <label key={level} class="check"><input type="checkbox" name={level} /> {t[level]}</label>)}
      </fieldset>
      <Failure problem={problem} />
      <button disabled={busy}>{w.addLevels}</button>
    </form>
  );
}

export function AddPlayers(part: Part) {
  const { account } = useSession();
  return (
    <section class="card" data-testid="add-players">
      <h2>{w.add}</h2>
      <Invite {...part} />
      {account && <AddClass {...part} />}
      <AddLevels {...part} />
    </section>
  );
}
