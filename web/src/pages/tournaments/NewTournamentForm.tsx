// Making a tournament. Only what fits its kind is asked for.

import { useState } from 'preact/hooks';
import { tournaments } from '../../calls/tournaments';
import { go } from '../../router';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { Choice, Field, typed, useAct } from '../forms';
import { presets } from '../lobby/request';
import { requestOf } from './request';

const w = t.tournaments;

function Select({ name, label, value, options, onChoose }: {
  name: string;
  label: string;
  value: string;
  options: [string, string][];
  onChoose: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} value={value} onChange={(e) => onChoose(e.currentTarget.value)}>
        {options.map(([key, text]) => <option key={key} value={key}>{text}</option>)}
      </select>
    </label>
  );
}

const Check = ({ name, label, checked = false }: { name: string; label: string; checked?: boolean }) => (
  <label class="check"><input type="checkbox" name={name} defaultChecked={checked} /> {label}</label>
);

export function NewTournamentForm() {
  const { problem, busy, act } = useAct();
  const [kind, setKind] = useState('round_robin');
  const [clock, setClock] = useState('');
  const submit = (e: Event) => {
    const value = typed(e);
    void act(async () => go(`/tournaments/${(await tournaments.create(requestOf(value))).id}`));
  };
  const clocks = presets.map((p): [string, string] => {
    const [minutes = 0, increment = 0] = p.split('+').map(Number);
    return [p, t.minutes(minutes, increment)];
  });
  return (
    <section class="card" data-testid="new-tournament">
      <h2>{w.newOne}</h2>
      <form class="inline" onSubmit={submit} noValidate>
        <Field name="name" label={t.people.name} maxLength={100} problem={problem} />
        <Choice name="rules" label={t.game} options={(['chess', 'draughts', 'tictactoe'] as const).map((r): [string, string] => [r, t[r]])} />
        <Select name="kind" label={w.kind} value={kind} onChoose={setKind}
          options={['round_robin', 'swiss', 'knockout'].map((k): [string, string] => [k, w.kinds[k] ?? k])} />
        {kind === 'round_robin' && <Choice name="cycles" label={w.cycles} options={Object.entries(w.cycleNames)} />}
        {kind === 'swiss' && (
          <>
            <Field name="rounds" label={w.rounds} hint={w.roundsHint} inputMode="numeric" maxLength={2} problem={problem} />
            <Check name="late" label={w.late} />
          </>
        )}
        {kind === 'knockout' && (
          <>
            <Choice name="games" label={w.games} options={['1', '2', '4', '6', '8'].map((n): [string, string] => [n, n])} />
            <Choice name="tie" label={w.tie} options={Object.entries(w.ties)} />
          </>
        )}
        <Choice name="entry" label={w.entry} options={Object.entries(w.entries)} />
        <Select name="clock" label={t.clock} value={clock} onChoose={setClock} options={[['', t.noClock], ...clocks, ['custom', t.customClock]]} />
        {clock === 'custom' && (
          <>
            <Field name="minutes" label={t.customMinutes} inputMode="numeric" value="15" maxLength={6} />
            <Field name="increment" label={t.customIncrement} inputMode="numeric" value="10" maxLength={3} />
          </>
        )}
        <Check name="rated" label={t.rated} />
        <Check name="auto" label={w.auto} checked />
        <details>
          <summary>{t.moreOptions}</summary>
          <div class="form">
            <label class="field">
              <span>{w.roundTime}</span>
              <select name="round_minutes" aria-describedby="round-time-hint">
                {Object.entries(w.roundTimes).map(([key, text]) => <option key={key} value={key}>{text}</option>)}
              </select>
              <small id="round-time-hint">{w.roundTimeHint}</small>
            </label>
            <Field name="max_players" label={w.maxPlayers} inputMode="numeric" maxLength={3} problem={problem} />
          </div>
        </details>
        <Failure problem={problem} />
        <p class="muted">{w.makeHint}</p>
        <button class="main" disabled={busy}>{w.make}</button>
      </form>
    </section>
  );
}
