// What a teacher or an operator decides of a game of others.

import { useState } from 'preact/hooks';
import { api } from '../../api';
import { useSession } from '../../session';
import { t } from '../../texts';
import type { Game } from '../../types';
import { Dialog } from '../Dialog';
import { Failure } from '../Failure';
import { Choice, Field, typed, useAct } from '../forms';
import { names } from './seats';

export function Adjudicate({ game }: { game: Game }) {
  const { account } = useSession();
  const { problem, busy, act } = useAct();
  const [asked, setAsked] = useState(false);
  const roles = account?.roles ?? [];
  const decidable = ['running', 'suspended', 'finished'].includes(game.status);
  if (game.your_side || !decidable || !(roles.includes('teacher') || roles.includes('operator'))) return null;
  const choices = Object.entries(t.adjudicate.outcomes(...names(game)));
  const submit = (e: Event) => {
    const value = typed(e);
    void act(async () => {
      await api.adjudicate(game.id, value('result'), value('note').trim());
      setAsked(false);
    });
  };
  return (
    <div class="actions">
      <button type="button" onClick={() => setAsked(true)}>{t.adjudicate.button}</button>
      {asked && (
        <Dialog title={t.adjudicate.button} onClose={() => setAsked(false)}>
          <form class="inline" onSubmit={submit} noValidate>
            <p class="muted">{t.adjudicate.text}</p>
            <Choice name="result" label={t.adjudicate.result} options={choices} />
            <Field name="note" label={t.adjudicate.note} problem={problem} maxLength={200} />
            <Failure problem={problem} />
            <div class="actions">
              <button class="main" disabled={busy} data-testid="confirm">{t.adjudicate.yes}</button>
              <button type="button" onClick={() => setAsked(false)}>{t.people.keep}</button>
            </div>
          </form>
        </Dialog>
      )}
    </div>
  );
}
