// Where a game begins: the first position, one that was typed, or a record. What
// is typed is read by the server at once, and shown.

import { useEffect, useState } from 'preact/hooks';
import { api, Problem } from '../../api';
import { Picture } from '../../board/Picture';
import { say, t } from '../../texts';
import type { Piece, RecordedGame, Rules, Ruling } from '../../types';
import { Failure } from '../Failure';
import { asProblem } from '../game/useGame';
import { fits, type Settings, type Source } from './request';

const patience = 400;

/** Asks after the typing has paused; the answer belongs to the text it was asked for. */
function useRead<T>(text: string, key: string, read: (text: string) => Promise<T>): { found?: T; problem?: Problem } {
  const [state, setState] = useState<{ key: string; found?: T; problem?: Problem }>({ key: '' });
  const full = `${key} ${text}`;
  useEffect(() => {
    if (!text.trim()) return undefined;
    let stale = false;
    const timer = setTimeout(() => {
      read(text.trim()).then((found) => !stale && setState({ key: full, found }),
        (e: unknown) => !stale && setState({ key: full, problem: asProblem(e) }));
    }, patience);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [full]);
  return state.key === full ? state : {};
}

function Preview({ rules, pieces }: { rules: Rules; pieces: Piece[] | undefined }) {
  return pieces ? <div class="preview"><Picture rules={rules} pieces={pieces} label={t.preview} /></div> : null;
}

function PositionField({ s, set }: { s: Settings; set: (change: Partial<Settings>) => void }) {
  const { found, problem } = useRead<Ruling>(s.position, s.rules, (text) => api.inspect(s.rules, text));
  return (
    <>
      <label class="field">
        <span>{t.positionText[s.rules]}</span>
        <textarea name="position" rows={2} value={s.position} spellcheck={false} aria-invalid={!!problem}
          onInput={(e) => set({ position: e.currentTarget.value })} />
      </label>
      <Failure problem={problem} {...(problem?.code === 'bad_text' ? { sentence: t.positionUnread } : {})} />
      {found && <p role="status">{t.positionGood(t[found.side])}</p>}
      <Preview rules={s.rules} pieces={found?.pieces} />
    </>
  );
}

const nameOf = (g: RecordedGame, index: number) => {
  const tag = (name: string) => g.tags?.find((x) => x.name === name)?.value;
  return tag('White') || tag('Black') ? t.against(tag('White') ?? '?', tag('Black') ?? '?') : String(index + 1);
};

function RecordField({ s, set }: { s: Settings; set: (change: Partial<Settings>) => void }) {
  const { found, problem } = useRead<RecordedGame[]>(s.record, s.rules, (text) => api.readRecord(s.rules, text));
  const game = found?.[s.recordGame - 1] ?? found?.[0];
  const plies = game?.moves?.length ?? 0;
  const ply = Math.min(s.recordPly ?? plies, plies);
  const text = game?.positions?.[ply];
  const [shown, setShown] = useState<{ text: string; pieces: Piece[] }>();
  useEffect(() => {
    if (!text) return undefined;
    let stale = false;
    api.inspect(s.rules, text).then(({ pieces = [] }) => !stale && setShown({ text, pieces }), () => undefined);
    return () => { stale = true; };
  }, [s.rules, text]);
  return (
    <>
      <label class="field">
        <span>{t.recordText[s.rules]}</span>
        <textarea name="record" rows={5} value={s.record} spellcheck={false} aria-invalid={!!problem || !!game?.faults?.length}
          onInput={(e) => set({ record: e.currentTarget.value, recordGame: 1, recordPly: undefined })} />
      </label>
      <Failure problem={problem} />
      {found && !game && <p class="failure" role="alert">{t.recordEmpty}</p>}
      {!!game?.faults?.length && (
        <ul class="failure" role="alert" data-testid="faults">
          {game.faults.map((f, i) => <li key={i}>{t.faultAt(say(f.code), f.line ?? 0)}</li>)}
        </ul>
      )}
      {found && found.length > 1 && (
        <label class="field">
          <span>{t.recordGame}</span>
          <select name="record_game" value={String(s.recordGame)}
            onChange={(e) => set({ recordGame: Number(e.currentTarget.value), recordPly: undefined })}>
            {found.map((g, i) => <option key={i} value={String(i + 1)}>{nameOf(g, i)}</option>)}
          </select>
        </label>
      )}
      {game && (
        <>
          <p role="status">{t.recordGood(plies)}</p>
          <label class="field">
            <span>{t.recordPly}: {ply}</span>
            <input type="range" name="record_ply" min={0} max={plies} value={ply}
              onInput={(e) => set({ recordPly: Number(e.currentTarget.value) })} />
          </label>
          <Preview rules={s.rules} pieces={shown?.text === text ? shown?.pieces : undefined} />
        </>
      )}
    </>
  );
}

export function StartFrom({ s, set }: { s: Settings; set: (change: Partial<Settings>) => void }) {
  const source = s.source === 'record' && !fits.record(s) ? 'start' : s.source;
  return (
    <>
      <label class="field">
        <span>{t.whereFrom}</span>
        <select name="source" value={source} onChange={(e) => set({ source: e.currentTarget.value as Source })}>
          <option value="start">{t.fromStart}</option>
          <option value="position">{t.fromPosition}</option>
          {fits.record(s) && <option value="record">{t.fromRecord}</option>}
        </select>
      </label>
      {source === 'position' && <PositionField s={s} set={set} />}
      {source === 'record' && <RecordField s={s} set={set} />}
    </>
  );
}
