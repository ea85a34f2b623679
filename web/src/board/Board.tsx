// The one board of all games: rows and columns of buttons. A move is a walk
// along a legal path that the server sent, by click or by key.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../texts';
import type { Move, Piece } from '../types';
import { candidates, start, step, targets, type Walk } from '../walk';
import { PieceDrawing } from './pieces';

export interface BoardProps {
  rules: 'chess' | 'draughts' | 'tictactoe';
  pieces: readonly Piece[];
  /** The moves that this player may make now; none while waiting. */
  moves: readonly Move[];
  /** Seen from the side that answers. */
  flipped?: boolean;
  lastSquares?: readonly string[];
  checkSquares?: readonly string[];
  lineSquares?: readonly string[];
  /** Pieces that must capture. */
  mustSquares?: readonly string[];
  /** Pieces that can be taken at a gain, where the player asked to see them. */
  hangingSquares?: readonly string[];
  /** Squares to point at after a refusal. */
  pointSquares?: readonly string[];
  /** Several moves share a path only in a promotion: the page asks which. */
  onChosen: (moves: Move[]) => void;
  /** A click that no path allows; the page asks the server why. */
  onRefused: (from: string | undefined, to: string) => void;
}

const files = 'abcdefgh';

/** Square names in the order in which they are drawn, row by row. */
export function squaresOf(size: number, flipped: boolean): string[][] {
  const rows: string[][] = [];
  for (let r = 0; r < size; r++) {
    const rank = flipped ? r + 1 : size - r;
    const row: string[] = [];
    for (let c = 0; c < size; c++) row.push(`${files[flipped ? size - 1 - c : c]}${rank}`);
    rows.push(row);
  }
  return rows;
}

/** What a screen reader says of a piece. */
export function pieceName(rules: string, piece: Piece): string {
  const side = t[piece.side];
  if (rules === 'tictactoe') return side;
  const kind = piece.kind === 'king' && rules === 'draughts' ? t.draughtsKing : t[piece.kind as 'king' | 'man'];
  return `${kind}, ${side.toLowerCase()}`;
}

const isDark = (square: string) => (files.indexOf(square[0] ?? 'a') + Number(square[1])) % 2 === 1;

export function Board(props: BoardProps) {
  const { rules, pieces, moves, flipped = false } = props;
  const size = rules === 'tictactoe' ? 3 : 8;
  const grid = useMemo(() => squaresOf(size, flipped), [size, flipped]);
  const bySquare = useMemo(() => new Map(pieces.map((p) => [p.square, p])), [pieces]);
  const [walk, setWalk] = useState<Walk>(start);
  const [focus, setFocus] = useState(() => (rules === 'tictactoe' ? 'b2' : 'a1'));
  const table = useRef<HTMLDivElement>(null);

  useEffect(() => setWalk(start), [moves]);

  const next = targets(moves, walk.prefix);
  const picked = walk.prefix[0];
  const taken = useMemo(() => {
    const squares = new Set<string>();
    if (walk.prefix.length > 0) for (const m of candidates(moves, walk.prefix)) m.captures?.forEach((s) => squares.add(s));
    return squares;
  }, [moves, walk]);

  const act = (square: string) => {
    setFocus(square);
    const result = step(moves, walk, square);
    switch (result.kind) {
      case 'walking':
        return setWalk(result.walk);
      case 'released':
        return setWalk(start);
      case 'chosen':
        setWalk(start);
        return props.onChosen(result.moves);
      case 'refused':
        return props.onRefused(result.from, result.to);
    }
  };

  const key = (e: KeyboardEvent) => {
    if (e.key === 'Escape') return setWalk(start);
    const row = grid.findIndex((squares) => squares.includes(focus));
    const column = grid[row]?.indexOf(focus) ?? 0;
    const by: Record<string, [number, number]> = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    };
    const d = by[e.key];
    if (!d) return;
    e.preventDefault();
    const square = grid[row + d[0]]?.[column + d[1]];
    if (!square) return;
    setFocus(square);
    table.current?.querySelector<HTMLButtonElement>(`[data-square="${square}"]`)?.focus();
  };

  const cell = (square: string, r: number, c: number) => {
    const piece = bySquare.get(square);
    const classes = ['square', isDark(square) ? 'dark' : 'light'];
    if (props.lastSquares?.includes(square)) classes.push('last');
    if (props.checkSquares?.includes(square)) classes.push('check');
    if (props.lineSquares?.includes(square)) classes.push('win');
    if (props.mustSquares?.includes(square)) classes.push('must');
    const hangs = props.hangingSquares?.includes(square) ?? false;
    if (hangs) classes.push('hanging');
    if (props.pointSquares?.includes(square)) classes.push('point');
    if (walk.prefix.includes(square)) classes.push('picked');
    if (taken.has(square)) classes.push('taken');
    if (next.has(square)) classes.push(walk.prefix.length > 0 || rules === 'tictactoe' ? 'target' : 'movable');
    const moving = walk.prefix.length > 1 && square === walk.prefix[walk.prefix.length - 1];
    const shown = moving ? bySquare.get(picked ?? '') : walk.prefix.length > 1 && square === picked ? undefined : piece;
    return (
      <button
        key={square}
        type="button"
        role="gridcell"
        class={classes.join(' ')}
        data-square={square}
        tabIndex={square === focus ? 0 : -1}
        aria-label={`${square}: ${piece ? pieceName(rules, piece) : t.emptySquare}${hangs ? `, ${t.hangs}` : ''}`}
        aria-selected={walk.prefix.includes(square)}
        onClick={() => act(square)}
        onFocus={() => setFocus(square)}
      >
        {shown && <PieceDrawing rules={rules} side={shown.side} kind={shown.kind} />}
        {c === 0 && <span class="rank" aria-hidden="true">{square[1]}</span>}
        {r === size - 1 && <span class="file" aria-hidden="true">{square[0]}</span>}
      </button>
    );
  };

  return (
    <div ref={table} class={`board ${rules}`} role="grid" aria-label={t.boardLabel} onKeyDown={key} style={{ '--size': size }}>
      {grid.map((row, r) => (
        <div class="row" role="row" key={row[0]}>
          {row.map((square, c) => cell(square, r, c))}
        </div>
      ))}
    </div>
  );
}
