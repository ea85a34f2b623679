// A position to look at, not to play on: for lists and previews.

import type { Piece, Rules } from '../types';
import { PieceDrawing } from './pieces';
import { isDark, squaresOf } from './squares';

export function Picture({ rules, pieces, label, flipped = false }: {
  rules: Rules;
  pieces: readonly Piece[];
  label: string;
  flipped?: boolean;
}) {
  const size = rules === 'tictactoe' ? 3 : 8;
  const on = new Map(pieces.map((p) => [p.square, p]));
  return (
    <div class={`board picture ${rules}`} role="img" aria-label={label} style={{ '--size': size }}>
      {squaresOf(size, flipped).map((row) => (
        <div class="row" key={row[0]}>
          {row.map((square) => {
            const piece = on.get(square);
            return (
              <span key={square} class={`square ${isDark(square) ? 'dark' : 'light'}`}>
                {piece && <PieceDrawing rules={rules} side={piece.side} kind={piece.kind} />}
              </span>
            );
          })}
        </div>
      ))}
    </div>
  );
}
