// A game that has not begun: to sit down, to answer an invitation, to wait.

import { useState } from 'preact/hooks';
import { api } from '../../api';
import { useSession } from '../../session';
import { t } from '../../texts';
import type { Game } from '../../types';
import { Dialog } from '../Dialog';
import type { Play } from './useGame';

/** Asks for the reason of a refusal and sends it. */
export function DeclineDialog({ onDecline, onClose }: { onDecline: (reason: string) => void; onClose: () => void }) {
  return (
    <Dialog title={t.declineInvite} onClose={onClose}>
      <form onSubmit={(e) => {
        e.preventDefault();
        const reason = new FormData(e.currentTarget as HTMLFormElement).get('reason');
        onClose();
        onDecline(typeof reason === 'string' ? reason : '');
      }}>
        <label class="field">
          <span>{t.declineWhy}</span>
          <select name="reason">
            {Object.entries(t.declineReasons).map(([code, text]) => <option key={code} value={code}>{text}</option>)}
          </select>
        </label>
        <div class="actions">
          <button class="main" data-testid="decline">{t.declineInvite}</button>
          <button type="button" onClick={onClose}>{t.back}</button>
        </div>
      </form>
    </Dialog>
  );
}

export function Waiting({ game, play }: { game: Game; play: Play }) {
  const { account } = useSession();
  const [declining, setDeclining] = useState(false);
  const [copied, setCopied] = useState(false);
  if (game.status !== 'open') return null;
  const kept = game.seats.find((s) => s.kind === 'invited');
  const invited = !!kept && kept.account === account?.id;
  if (game.your_side && !invited) {
    return (
      <div class="actions">
        {!kept && navigator.clipboard && (
          <button class="main" onClick={() => navigator.clipboard.writeText(location.href).then(() => setCopied(true), () => undefined)}>
            {t.copyAddress}
          </button>
        )}
        <button disabled={play.busy} onClick={() => play.act(() => api.cancel(game.id))}>{t.cancelGame}</button>
        <span role="status">{copied ? t.copied : ''}</span>
      </div>
    );
  }
  if (kept && !invited) return null;
  return (
    <div class="actions">
      <button class="main" disabled={play.busy} onClick={() => play.act(() => api.accept(game.id))}>{t.takeSeat}</button>
      {invited && <button disabled={play.busy} onClick={() => setDeclining(true)}>{t.declineInvite}</button>}
      {declining && (
        <DeclineDialog onClose={() => setDeclining(false)} onDecline={(reason) => play.act(() => api.decline(game.id, reason))} />
      )}
    </div>
  );
}
