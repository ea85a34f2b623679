// The one board of all games: rows and columns of buttons. A move is a walk
// along a legal path that the server sent, by click, by key or by dragging.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../texts';
import type { Move, Piece } from '../types';
import { candidates, start, step, targets, type Walk } from '../walk';
import { useDrag } from './drag';
import { useMotion } from './motion';
import { PieceDrawing } from './pieces';
import { isDark, squaresOf } from './squares';

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
  /** The piece that was touched and has to move; it stays picked up. */
  touched?: string | undefined;
  /** The side that places a mark; only for pending. */
  side?: string;
  /** A move that was chosen and waits for its confirmation: it is shown as if played. */
  pending?: Move | undefined;
  /** A piece was picked up. */
  onPicked?: (square: string) => void;
  /** Several moves share a path only in a promotion: the page asks which. */
  onChosen: (moves: Move[]) => void;
  /** A click that no path allows; the page asks the server why. */
  onRefused: (from: string | undefined, to: string) => void;
}

/** What a screen reader says of a piece. */
export function pieceName(rules: string, piece: Piece): string {
  const side = t[piece.side];
  if (rules === 'tictactoe') return side;
  const kind = piece.kind === 'king' && rules === 'draughts' ? t.draughtsKing : t[piece.kind as 'king' | 'man'];
  return `${kind}, ${side.toLowerCase()}`;
}

/** What stands on the board once a move is made, as far as its squares tell. */
export function played(pieces: readonly Piece[], move: Move | undefined, side: string): readonly Piece[] {
  if (!move) return pieces;
  const gone = new Set([...(move.captures ?? []), move.from, move.to]);
  const mover = pieces.find((p) => p.square === move.from);
  const kinds: Record<string, string> = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight', k: 'king' };
  const kind = kinds[move.promotion ?? ''] ?? mover?.kind ?? 'mark';
  return [...pieces.filter((p) => !gone.has(p.square)), { square: move.to, side: (mover?.side ?? side) as Piece['side'], kind }];
}

export function Board(props: BoardProps) {
  const { rules, flipped = false, touched, pending } = props;
  const moves = useMemo(() => {
    if (pending) return [];
    const forced = touched ? props.moves.filter((m) => m.from === touched) : [];
    return forced.length > 0 ? forced : props.moves;
  }, [props.moves, touched, pending]);
  const base: Walk = touched && moves.length > 0 ? { prefix: [touched] } : start;
  const pieces = useMemo(() => played(props.pieces, pending, props.side ?? 'x'), [props.pieces, pending]);
  const size = rules === 'tictactoe' ? 3 : 8;
  const grid = useMemo(() => squaresOf(size, flipped), [size, flipped]);
  const bySquare = useMemo(() => new Map(pieces.map((p) => [p.square, p])), [pieces]);
  const [walk, setWalk] = useState<Walk>(base);
  const [focus, setFocus] = useState(() => (rules === 'tictactoe' ? 'b2' : 'a1'));
  const table = useRef<HTMLDivElement>(null);

  useEffect(() => setWalk(base), [moves]);

  const next = targets(moves, walk.prefix);
  const movable = useMemo(() => targets(moves, []), [moves]);
  const picked = walk.prefix[0];
  const standing = walk.prefix[walk.prefix.length - 1];
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
        setWalk(result.walk);
        if (result.walk.prefix.length === 1 && square !== touched) props.onPicked?.(square);
        return;
      case 'released':
        return setWalk(base);
      case 'chosen':
        setWalk(base);
        return props.onChosen(result.moves);
      case 'refused':
        return props.onRefused(result.from, result.to);
    }
  };

  // A piece that the hand has put down is there already.
  const dropped = useRef(false);
  useMotion(table, pieces, flipped, () => {
    const own = dropped.current;
    dropped.current = false;
    return own;
  });

  const drag = useDrag({
    may: (square) => rules !== 'tictactoe' && (walk.prefix.length > 1 ? standing === square : movable.has(square)),
    lift: (square) => {
      if (standing !== square) act(square);
    },
    drop: (from, to) => {
      if (to === undefined) setWalk(base);
      else if (to !== from) {
        dropped.current = true;
        act(to);
      }
    },
  });

  const key = (e: KeyboardEvent) => {
    if (e.key === 'Escape') return setWalk(base);
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
    if (movable.has(square) && rules !== 'tictactoe') classes.push('draggable');
    if (drag.lifted === square) classes.push('lifted');
    if (pending && (square === pending.from || square === pending.to)) classes.push('pending');
    const moving = walk.prefix.length > 1 && square === standing;
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
        onClick={() => drag.swallow() || act(square)}
        onFocus={() => setFocus(square)}
      >
        {shown && <PieceDrawing rules={rules} side={shown.side} kind={shown.kind} />}
        {c === 0 && <span class="rank" aria-hidden="true">{square[1]}</span>}
        {r === size - 1 && <span class="file" aria-hidden="true">{square[0]}</span>}
      </button>
    );
  };

  const inAir = drag.lifted ? bySquare.get(picked ?? drag.lifted) : undefined;
  return (
    <div ref={table} class={`board ${rules}`} role="grid" aria-label={t.boardLabel} onKeyDown={key}
      onPointerDown={drag.onPointerDown} style={{ '--size': size }}>
      {inAir && drag.at.size > 0 && (
        <div class="in-air" aria-hidden="true"
          style={{ left: drag.at.x - drag.at.size / 2, top: drag.at.y - drag.at.size / 2, width: drag.at.size, height: drag.at.size }}>
          <PieceDrawing rules={rules} side={inAir.side} kind={inAir.kind} />
        </div>
      )}
      {grid.map((row, r) => (
        <div class="row" role="row" key={row[0]}>
          {row.map((square, c) => cell(square, r, c))}
        </div>
      ))}
    </div>
  );
}
