// A short sound for each move that comes, which can be switched off and stays so.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Game } from '../../types';

const stored = 'tabuleiro.sound';

/** What one hears of a game that was `before` plies long: nothing, a move, a capture, the end. */
export function heard(game: Pick<Game, 'plies' | 'status'>, before: number, was: string): 'move' | 'capture' | 'end' | undefined {
  if (game.status === 'finished' && was === 'running') return 'end';
  const plies = game.plies ?? [];
  if (plies.length !== before + 1) return undefined; // many at once are a page that was loaded, fewer a take-back
  return (plies[before]?.move.captures?.length ?? 0) > 0 ? 'capture' : 'move';
}

const tones = { move: [[330, 0]], capture: [[220, 0], [165, 0.07]], end: [[262, 0], [330, 0.12], [392, 0.24]] } as const;

let context: AudioContext | undefined;

function play(what: keyof typeof tones): void {
  try {
    context ??= new AudioContext();
    void context.resume();
    for (const [pitch, after] of tones[what]) {
      const tone = context.createOscillator();
      const loud = context.createGain();
      const at = context.currentTime + after;
      tone.type = 'triangle';
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0.12, at);
      loud.gain.exponentialRampToValueAtTime(0.001, at + 0.12);
      tone.connect(loud).connect(context.destination);
      tone.start(at);
      tone.stop(at + 0.13);
    }
  } catch {
    // A browser without sound plays as well.
  }
}

function load(): boolean {
  try {
    return localStorage.getItem(stored) !== 'off';
  } catch {
    return true;
  }
}

export function useSound(game: Game | undefined): { on: boolean; turn: (on: boolean) => void } {
  const [on, setOn] = useState(load);
  const last = useRef<{ id: string; plies: number; status: string }>(undefined);
  useEffect(() => {
    if (!game) return;
    const before = last.current;
    last.current = { id: game.id, plies: game.plies?.length ?? 0, status: game.status };
    if (!on || before?.id !== game.id) return;
    const what = heard(game, before.plies, before.status);
    if (what) play(what);
  }, [game]);
  const turn = (next: boolean) => {
    setOn(next);
    try {
      localStorage.setItem(stored, next ? 'on' : 'off');
    } catch {
      // It holds as long as the page.
    }
  };
  return { on, turn };
}
