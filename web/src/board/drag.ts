// Dragging a piece with mouse, pen or finger. It is a shortcut: all that it does
// can be done by two clicks or by keys.

import { useEffect, useRef, useState } from 'preact/hooks';

export interface DragHandlers {
  /** Whether the piece of the square may be dragged now. */
  may: (square: string) => boolean;
  /** The piece leaves its square. */
  lift: (square: string) => void;
  /** It was let go over a square, or over none. */
  drop: (from: string, to: string | undefined) => void;
}

/** A pointer that moves less than this, in pixels, has clicked. */
const threshold = 6;

const squareAt = (x: number, y: number) =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-square]')?.dataset.square;

export interface Drag {
  /** The square whose piece is in the air. */
  lifted: string | undefined;
  /** Where its drawing begins, in pixels of the window, and how wide it is. */
  at: { x: number; y: number; size: number };
  onPointerDown: (e: PointerEvent) => void;
  /** True for the click that ends a drag: it means nothing more. */
  swallow: () => boolean;
}

export function useDrag(handlers: DragHandlers): Drag {
  const [lifted, setLifted] = useState<string>();
  const [at, setAt] = useState({ x: 0, y: 0, size: 0 });
  const latest = useRef(handlers);
  latest.current = handlers;
  const dragged = useRef(false);
  const end = useRef<() => void>(() => undefined);
  useEffect(() => () => end.current(), []);

  const onPointerDown = (e: PointerEvent) => {
    dragged.current = false;
    const from = squareAt(e.clientX, e.clientY);
    if (e.button !== 0 || !e.isPrimary || !from || !latest.current.may(from)) return;
    const size = (e.target as Element).closest('[data-square]')?.getBoundingClientRect().width ?? 40;
    const own = (other: PointerEvent) => other.pointerId === e.pointerId;
    const move = (now: PointerEvent) => {
      if (!own(now)) return;
      if (!dragged.current) {
        if (Math.hypot(now.clientX - e.clientX, now.clientY - e.clientY) < threshold) return;
        dragged.current = true;
        setLifted(from);
        latest.current.lift(from);
      }
      setAt({ x: now.clientX, y: now.clientY, size });
    };
    const up = (now: PointerEvent) => {
      if (!own(now)) return;
      end.current();
      if (dragged.current) latest.current.drop(from, squareAt(now.clientX, now.clientY));
    };
    const cancel = (now: PointerEvent) => {
      if (!own(now)) return;
      end.current();
      if (dragged.current) latest.current.drop(from, undefined);
    };
    end.current();
    end.current = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', cancel);
      setLifted(undefined);
      end.current = () => undefined;
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', cancel);
  };

  const swallow = () => {
    const was = dragged.current;
    dragged.current = false;
    return was;
  };
  return { lifted, at, onPointerDown, swallow };
}
