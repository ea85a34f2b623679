import { describe, expect, it } from 'vitest';
import { compulsion, compulsionSentence, waySentences, whyStuck } from './advice';
import type { Move } from './types';

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
  it('says nothing where nothing is compulsory', () => {
    expect(compulsion('draughts', [move('c3-d4')])).toBeUndefined();
    expect(compulsion('draughts', [])).toBeUndefined();
    expect(compulsion('chess', [move('e4xd5', ['d5'])])).toBeUndefined();
  });
});
