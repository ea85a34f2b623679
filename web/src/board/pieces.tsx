// Our own drawings of the pieces, one SVG each in a box of 45 units. The colours
// come from the style sheet (classes first and second).

import type { JSX } from 'preact';

const chess: Record<string, JSX.Element> = {
  pawn: (
    <g>
      <circle cx="22.5" cy="13.5" r="5.5" />
      <path d="M16.5 21h12l-2.2 3.4c0.6 4.8 2.6 7.2 5.2 9.6h-18c2.6-2.4 4.6-4.8 5.2-9.6z" />
      <path d="M11 35h23v4.5H11z" />
    </g>
  ),
  rook: (
    <g>
      <path d="M12 8h5v3.5h3V8h5v3.5h3V8h5v8.5l-3.5 3v11l2.5 3.5H13l2.5-3.5v-11l-3.5-3z" />
      <path d="M10 35h25v4.5H10z" />
      <path class="line" d="M16 19.5h13M16 30.5h13" />
    </g>
  ),
  knight: (
    <g>
      <path d="M14 34c0-8 6.5-9.5 7-15-3 2.5-5 2-7 4.5-1.2 1.6-4 1-4.6-1.2 2.6-4.3 4.6-9.5 8.4-12.3L17 6l5 2.6c8 0.4 12.4 7.4 12.6 25.4z" />
      <circle class="dot" cx="18.8" cy="14.2" r="1.3" />
      <path d="M11 35h25v4.5H11z" />
    </g>
  ),
  bishop: (
    <g>
      <circle cx="22.5" cy="7" r="2.6" />
      <path d="M22.5 9.6c5.5 3.2 8 7 8 11 0 3-1.6 5.2-3.6 6.6l1.6 6.8h-12l1.6-6.8c-2-1.4-3.6-3.6-3.6-6.6 0-4 2.5-7.8 8-11z" />
      <path class="line" d="M22.5 15v7M19 18.5h7" />
      <path d="M11 35h23v4.5H11z" />
    </g>
  ),
  queen: (
    <g>
      <circle cx="7.5" cy="13" r="2.4" />
      <circle cx="15" cy="9" r="2.4" />
      <circle cx="22.5" cy="7.4" r="2.4" />
      <circle cx="30" cy="9" r="2.4" />
      <circle cx="37.5" cy="13" r="2.4" />
      <path d="M8 15.5l5.5 8.5L15.4 11.6 20 22.6l2.5-12.8L25 22.6l4.6-11L31.5 24 37 15.5 33 34H12z" />
      <path d="M11 35h23v4.5H11z" />
    </g>
  ),
  king: (
    <g>
      <path d="M21 3.5h3v3.2h3.2v3H24V14h-3V9.7h-3.2v-3H21z" />
      <path d="M22.5 14c2-3.4 6-3.6 8.4-3 5.8 1.5 7 8.4 2 14.6L31 34H14l-1.9-8.4c-5-6.2-3.8-13.1 2-14.6 2.4-0.6 6.4-0.4 8.4 3z" />
      <path class="line" d="M22.5 15v13M15 28.5h15" />
      <path d="M11 35h23v4.5H11z" />
    </g>
  ),
};

const man = (cy: number) => (
  <g>
    <ellipse cx="22.5" cy={cy + 3} rx="15.5" ry="11.5" />
    <ellipse cx="22.5" cy={cy} rx="15.5" ry="11.5" />
    <ellipse class="line" cx="22.5" cy={cy} rx="10" ry="7" />
  </g>
);

const cross = <path class="stroke" d="M11 11l23 23M34 11L11 34" />;
const nought = <circle class="stroke" cx="22.5" cy="22.5" r="12.5" />;

/** The drawing of a piece. A king of draughts is two men, one on the other. */
export function PieceDrawing({ rules, side, kind }: { rules: string; side: string; kind: string }) {
  const first = side === 'white' || side === 'x';
  let drawing: JSX.Element | undefined;
  if (rules === 'chess') drawing = chess[kind];
  else if (rules === 'tictactoe') drawing = side === 'x' ? cross : nought;
  else drawing = kind === 'king' ? <g>{man(27)}{man(17)}</g> : man(21);
  return (
    <svg class={`piece ${first ? 'first' : 'second'}`} viewBox="0 0 45 45" aria-hidden="true" focusable="false">
      {drawing}
    </svg>
  );
}
