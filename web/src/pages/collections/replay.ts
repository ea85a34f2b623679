// A record as a game to walk through.

import type { FullRecord } from '../../calls/collections';
import type { Game, Ply, RecordedGame, Rules, SideName } from '../../types';

/** The squares that the text of a move names, in order: "e2e4", "c3xe5xg7". */
export const squaresIn = (move: string): string[] => move.match(/[a-h][1-8]/g) ?? [];

/** Who moves in a position: the second word of a FEN, the first letter of one of draughts. */
export function sideIn(rules: string, position: string): SideName {
  const black = rules === 'draughts' ? /^(\[?FEN )?"?B/i.test(position.trim()) : position.trim().split(/\s+/)[1] === 'b';
  return black ? 'black' : 'white';
}

/** A record that was read from its text, as collections have them. */
export function fullOf(rules: Rules, text: string, game: RecordedGame): FullRecord {
  const tag = (name: string) => game.tags?.find((x) => x.name === name)?.value ?? '';
  const date = tag('Date').replace(/\./g, '-');
  return {
    record: {
      number: 0, white: tag('White'), black: tag('Black'), event: tag('Event'), date: /^\d{4}-\d\d-\d\d$/.test(date) ? date : '',
      result: game.result ?? '*', plies: game.moves?.length ?? 0,
    },
    rules, text, ...(game.tags ? { tags: game.tags } : {}), start: game.positions?.[0] ?? '',
    plies: (game.moves ?? []).map((move, i) => ({
      ply: i + 1, move, notation: game.notation?.[i] ?? move, position: game.positions?.[i + 1] ?? '',
    })),
  };
}

/** The record as the list of moves wants it. */
export function asGame(full: FullRecord): Game {
  const first = full.start ? sideIn(full.rules, full.start) : 'white';
  const other: SideName = first === 'white' ? 'black' : 'white';
  const plies: Ply[] = (full.plies ?? []).map(({ ply, move, notation }, i) => {
    const path = squaresIn(move);
    return {
      ply, side: i % 2 === 0 ? first : other,
      move: { text: move, notation, path, from: path[0] ?? '', to: path[path.length - 1] ?? '' },
    };
  });
  return {
    id: String(full.record.number), rules: full.rules, status: 'finished', version: 0, side: first, plies,
    seats: [{ side: 'white', kind: 'person' }, { side: 'black', kind: 'person' }],
  };
}
