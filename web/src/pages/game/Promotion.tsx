// Which piece a pawn becomes.

import { PieceDrawing } from '../../board/pieces';
import { t } from '../../texts';
import type { Move } from '../../types';
import { Dialog } from '../Dialog';

const kinds: Record<string, 'queen' | 'rook' | 'bishop' | 'knight'> = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight' };

export function Promotion({ moves, side, onChoose, onClose }: {
  moves: readonly Move[];
  side: string;
  onChoose: (move: Move) => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={t.promoteTo} onClose={onClose}>
      <div class="promotions">
        {moves.map((m) => {
          const kind = kinds[m.promotion ?? ''] ?? 'queen';
          return (
            <button key={m.text} aria-label={t[kind]} title={t[kind]} onClick={() => onChoose(m)}>
              <PieceDrawing rules="chess" side={side} kind={kind} />
            </button>
          );
        })}
      </div>
      <div class="actions"><button onClick={onClose}>{t.cancel}</button></div>
    </Dialog>
  );
}
