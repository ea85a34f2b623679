import { describe, expect, it } from 'vitest';
import {
  compulsion, compulsionSentence, hangingSentences, hangingSquares, helpAllowed, perfectSentence, waySentences, whyStuck,
} from './advice';
import type { Game, Move, Seat } from './types';

const move = (text: string, captures: string[] = []): Move => {
  const path = text.split(/[-x]/);
  return { text, notation: text, from: path[0] ?? '', to: path[path.length - 1] ?? '', path, captures };
};

describe('advice', () => {
  it('says the ways out of check by kind, in Portuguese notation', () => {
    expect(waySentences('chess', {
      ways: [
        { kind: 'capture', moves: [move('Qxe8'), move('Bxe8')] },
        { kind: 'flee', moves: [move('Kd2')] },
        { kind: 'block', moves: [move('Ne5')] },
      ],
    })).toEqual(['Capturar quem dá xeque: Dxe8, Bxe8', 'Fugir com o rei: Rd2', 'Bloquear o caminho: Ce5']);
    expect(waySentences('chess', undefined)).toEqual([]);
    expect(waySentences('chess', {})).toEqual([]);
  });
  it('says who must capture, and how many pieces', () => {
    const one = compulsion('draughts', [move('e3xg5', ['f4']), move('c3xe5', ['d4']), move('e3xc5', ['d4'])]);
    expect(one).toEqual({ squares: ['c3', 'e3'], pieces: 1 });
    expect(one && compulsionSentence(one)).toBe('A captura é obrigatória: c3, e3.');
    const two = compulsion('draughts', [move('e3xg5xe7', ['f4', 'f6'])]);
    expect(two && compulsionSentence(two)).toBe('A captura é obrigatória: e3. Pela lei da maioria, capture 2 peças.');
  });
  it('tells a pinned piece from one that has nowhere to go', () => {
    const insight = { pins: [{ pinned: 'c3', pinner: 'b4', king: 'e1' }] };
    expect(whyStuck('c3', insight)).toEqual({ code: 'pinned', squares: ['b4', 'e1'] });
    expect(whyStuck('a1', insight)).toEqual({ code: 'piece_stuck', squares: ['a1'] });
    expect(whyStuck('a1', {})).toEqual({ code: 'piece_stuck', squares: ['a1'] });
  });
  it('helps a player against the engine alone, and never where points are at stake', () => {
    const person: Seat = { side: 'white', kind: 'person' };
    const engine: Seat = { side: 'black', kind: 'engine' };
    const game: Game = {
      id: 'g', rules: 'chess', status: 'running', version: 1, seats: [person, engine], side: 'white', your_side: 'white',
    };
    const { your_side: _, ...watched } = game;
    expect(helpAllowed(game)).toBe(true);
    expect(helpAllowed({ ...game, rated: true })).toBe(false);
    expect(helpAllowed(watched)).toBe(false);
    expect(helpAllowed({ ...watched, rated: true })).toBe(false);
    expect(helpAllowed({ ...game, seats: [person, { side: 'black', kind: 'person' }] })).toBe(false);
    expect(helpAllowed({ ...game, status: 'open' })).toBe(false);
    expect(helpAllowed({ ...game, status: 'finished' })).toBe(false);
  });
  it('tells own hanging pieces from those of the opponent and from what is defended', () => {
    const insight = {
      targets: [
        { square: 'c6', side: 'black' as const },
        { square: 'e4', side: 'white' as const, hanging: true },
        { square: 'h5', side: 'black' as const, hanging: true },
      ],
      pins: [{ pinned: 'd2', pinner: 'b4', king: 'e1' }],
    };
    expect(hangingSquares(insight)).toEqual(['e4', 'h5']);
    expect(hangingSentences(insight, 'white')).toEqual([
      'Suas peças penduradas: e4.', 'Peças penduradas do adversário: h5.', 'Atacadas, mas defendidas: c6.', 'Cravadas: d2.',
    ]);
    expect(hangingSentences({}, 'white')).toEqual(['Nenhuma peça pendurada.']);
    expect(hangingSentences(undefined, 'white')).toEqual([]);
    expect(hangingSquares(undefined)).toEqual([]);
  });
  it('says what perfect play brings, in moves of the winner', () => {
    expect(perfectSentence({ perfect: { value: 'draw', plies: 9 } }, 'x')).toBe('Empate com jogo perfeito.');
    expect(perfectSentence({ perfect: { value: 'win', plies: 5 } }, 'x')).toBe('X vence em 3 lances.');
    expect(perfectSentence({ perfect: { value: 'win', plies: 1 } }, 'o')).toBe('O vence em 1 lance.');
    expect(perfectSentence({ perfect: { value: 'loss', plies: 4 } }, 'o')).toBe('X vence em 2 lances.');
    expect(perfectSentence({}, 'x')).toBe('');
  });
  it('says nothing where nothing is compulsory', () => {
    expect(compulsion('draughts', [move('c3-d4')])).toBeUndefined();
    expect(compulsion('draughts', [])).toBeUndefined();
    expect(compulsion('chess', [move('e4xd5', ['d5'])])).toBeUndefined();
  });
});
