// A game made to measure. What most people want stands first; the rest waits
// behind "more options".

import { useState } from 'preact/hooks';
import { api, type Problem } from '../../api';
import { go } from '../../router';
import { useSession } from '../../session';
import { t } from '../../texts';
import type { GameOptions, Rules } from '../../types';
import { Failure } from '../Failure';
import { asProblem } from '../game/useGame';
import { defaults, fits, presets, requestOf, unrated, type Opponent, type Settings } from './request';
import { StartFrom } from './StartFrom';

const levels = ['plies-2', 'plies-4', 'plies-6', 'full'] as const;
const opponents: Opponent[] = ['engine', 'person', 'self', 'engines'];

function Choice({ name, label, value, options, onChoose }: {
  name: string;
  label: string;
  value: string;
  options: [value: string, text: string, disabled?: boolean][];
  onChoose: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} value={value} onChange={(e) => onChoose(e.currentTarget.value)}>
        {options.map(([v, text, disabled]) => <option key={v} value={v} disabled={disabled ?? false}>{text}</option>)}
      </select>
    </label>
  );
}

function NumberField({ name, label, value, min, max, step = 1, onChange }: {
  name: string;
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  onChange: (value: number) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <input type="number" name={name} value={value} min={min} max={max} step={step} required
        onInput={(e) => onChange(e.currentTarget.valueAsNumber)} />
    </label>
  );
}

/** The game that this one takes the place of, as the address names it. */
function replaced(): { game: string; how: string } | undefined {
  const asked = new URLSearchParams(location.search);
  const [game, how] = [asked.get('replaces') ?? '', asked.get('how') ?? ''];
  return /^[0-9a-f-]{36}$/.test(game) && how in t.replacingHow ? { game, how } : undefined;
}

export function NewGameForm() {
  const { account } = useSession();
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const [replaces] = useState(replaced);
  const [s, setSettings] = useState<Settings>(() => ({ ...defaults, rules: account ? 'chess' : 'tictactoe' }));
  const set = (change: Partial<Settings>) => setSettings((held) => ({ ...held, ...change }));
  const why = unrated(s, !!account);
  const submit = async (e: Event) => {
    e.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const game = await api.create({ ...requestOf(s, !!account), ...(replaces ? { replaces } : {}) });
      go(`/games/${game.id}`);
    } catch (e) {
      setProblem(asProblem(e));
    } finally {
      setBusy(false);
    }
  };
  const levelChoices = levels.map((l): [string, string] => [l, t[l]]);
  const option = (name: keyof GameOptions) => fits[name](s) && (
    <label class="check">
      <input type="checkbox" name={name} checked={!!s.options[name]}
        onChange={(e) => set({ options: { ...s.options, [name]: e.currentTarget.checked } })} /> {t.options[name]}
    </label>
  );
  const sides: [string, string] = s.rules === 'tictactoe' ? [t.x, t.o] : [t.white, t.black];
  return (
    <form class="card form new-game" onSubmit={submit}>
      <h2>{t.ownGame}</h2>
      {replaces && <p class="notice">{t.replacing(t.replacingHow[replaces.how] ?? '')}</p>}
      {!account && <p>{t.loginToPlay}</p>}
      <Choice name="rules" label={t.game} value={s.rules} onChoose={(v) => set({ rules: v as Rules })}
        options={[['chess', t.chess, !account], ['draughts', t.draughts, !account], ['tictactoe', t.tictactoe]]} />
      <Choice name="opponent" label={t.opponent} value={s.opponent} onChoose={(v) => set({ opponent: v as Opponent })}
        options={opponents.map((o): [string, string, boolean] => [o, t.opponents[o], o === 'engines' && !account])} />
      {s.opponent === 'engine' && s.rules !== 'tictactoe' && (
        <Choice name="level" label={t.level} value={s.level} onChoose={(level) => set({ level })} options={levelChoices} />
      )}
      {s.opponent === 'engines' && (
        <>
          <Choice name="level_first" label={t.firstEngine} value={s.levels[0]} options={levelChoices}
            onChoose={(level) => set({ levels: [level, s.levels[1]] })} />
          <Choice name="level_second" label={t.secondEngine} value={s.levels[1]} options={levelChoices}
            onChoose={(level) => set({ levels: [s.levels[0], level] })} />
        </>
      )}
      {account && fits.invite(s) && (
        <label class="field">
          <span>{t.invite}</span>
          <input name="invite" value={s.invite} autocomplete="off" spellcheck={false} aria-describedby="invite-hint"
            aria-invalid={problem?.code === 'account_not_found'} onInput={(e) => set({ invite: e.currentTarget.value })} />
          <small id="invite-hint">{t.inviteHint}</small>
        </label>
      )}
      {fits.side(s) && (
        <Choice name="side" label={t.side} value={s.side} onChoose={(side) => set({ side })}
          options={[['random', t.lot], ['first', sides[0]], ['second', sides[1]]]} />
      )}
      <Choice name="clock" label={t.clock} value={s.clock} onChoose={(clock) => set({ clock })}
        options={[['', t.noClock], ...presets.map((p): [string, string] => {
          const [minutes = 0, increment = 0] = p.split('+').map(Number);
          return [p, t.minutes(minutes, increment)];
        }), ['custom', t.customClock]]} />
      {s.clock === 'custom' && (
        <div class="pair">
          <NumberField name="minutes" label={t.customMinutes} value={s.minutes} min={0.25} max={1440} step={0.25} onChange={(minutes) => set({ minutes })} />
          <NumberField name="increment" label={t.customIncrement} value={s.increment} min={0} max={600} onChange={(increment) => set({ increment })} />
        </div>
      )}
      {account && (
        <label class="check">
          <input type="checkbox" name="rated" checked={s.rated && why.length === 0} disabled={why.length > 0}
            aria-describedby={why.length > 0 ? 'unrated' : undefined}
            onChange={(e) => set({ rated: e.currentTarget.checked })} /> {t.rated}
        </label>
      )}
      {account && why.length > 0 && (
        <p class="muted" id="unrated" data-testid="unrated">{t.ratedBecause(why.map((field) => t.unrated[field] ?? field).join('; '))}</p>
      )}
      <details>
        <summary>{t.moreOptions}</summary>
        <div class="form">
          {option('takebacks')}
          {option('hints')}
          {option('touch_move')}
          {option('confirm_move')}
          {account && (
            <label class="check">
              <input type="checkbox" name="public" checked={s.visible} onChange={(e) => set({ visible: e.currentTarget.checked })} /> {t.watchable}
            </label>
          )}
          {fits.draws(s) && (
            <Choice name="draws" label={t.drawRules} value={s.draws} onChoose={(draws) => set({ draws })}
              options={Object.entries(t.drawSets)} />
          )}
          {fits.move_seconds(s) && (
            <label class="field">
              <span>{t.moveSeconds}</span>
              <input type="number" name="move_seconds" min={1} max={60} value={s.moveSeconds ?? ''} aria-describedby="move-seconds-hint"
                onInput={(e) => set({ moveSeconds: Number.isNaN(e.currentTarget.valueAsNumber) ? undefined : e.currentTarget.valueAsNumber })} />
              <small id="move-seconds-hint">{t.moveSecondsHint}</small>
            </label>
          )}
          <StartFrom s={s} set={set} />
        </div>
      </details>
      <Failure problem={problem} />
      <button class="main" disabled={busy}>{t.begin}</button>
    </form>
  );
}
