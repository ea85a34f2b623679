// The shapes of the REST interface that this client uses, as /openapi.json has
// them. Fields at their default (empty, 0, false) may be left out by the server.

export type Rules = 'chess' | 'draughts' | 'tictactoe';
export type SideName = 'white' | 'black' | 'x' | 'o';

export interface Move {
  text: string;
  notation: string;
  from?: string;
  to: string;
  path: string[];
  captures?: string[];
  promotion?: string;
}

export interface Piece {
  square: string;
  side: SideName;
  kind: string;
}

export interface Outcome {
  winner?: SideName;
  reason: string;
}

export interface Ply {
  ply: number;
  side: SideName;
  move: Move;
  took_ms?: number;
}

export interface Seat {
  side: SideName;
  kind: 'person' | 'engine' | 'open' | 'invited';
  account?: string;
  name?: string;
  level?: string;
  rating?: number;
  provisional?: boolean;
  rating_after?: number;
}

export interface Clock {
  initial_ms: number;
  increment_ms?: number;
  remaining_ms: number[];
  running?: string;
  at: string;
}

export interface Game {
  id: string;
  rules: Rules;
  status: 'open' | 'running' | 'finished' | 'cancelled' | 'suspended';
  turn?: number;
  version: number;
  seats: Seat[];
  position?: { rules: Rules; text: string; draws?: string };
  side: SideName;
  pieces?: Piece[];
  moves?: Move[];
  plies?: Ply[];
  last?: Ply;
  check?: string[];
  line?: string[];
  claims?: string[];
  clock?: Clock;
  draw_offer?: string;
  outcome?: Outcome;
  result?: string;
  /** The tournament that it belongs to. */
  tournament?: string;
  rated?: boolean;
  visibility?: string;
  speed?: string;
  created_at?: string;
  your_side?: string;
  opponent?: 'engine' | 'person' | 'self' | 'engines';
  options?: GameOptions;
  takeback_offer?: string;
  touched?: string;
  ply_count?: number;
  loaded_plies?: number;
  start?: string;
  captured?: Captured[];
  material?: number[];
  match?: Match;
  rematch_offer?: string;
  next_game?: string;
  closed?: { why: string; side?: SideName; reason?: string };
  ruled?: { at: string; note: string };
  may_abort?: boolean;
  gone?: { side: SideName; since: string }[];
  claim_from?: string;
  move_seconds?: number;
  pause_offer?: string;
}

export interface GameOptions {
  takebacks?: boolean;
  hints?: boolean;
  touch_move?: boolean;
  confirm_move?: boolean;
}

/** What one side has taken, in order. */
export interface Captured {
  side: SideName;
  kinds?: string[];
}

/** A series of games of two players; half points in the order of the seats. */
export interface Match {
  id: string;
  number: number;
  half_points?: number[];
}

/** What a position holds, as far as this client shows it. */
export interface Ruling {
  position: { rules: Rules; text?: string; draws?: string | undefined };
  side: SideName;
  pieces?: Piece[];
  check?: string[];
  line?: string[];
  outcome?: Outcome;
}

/** A record that was read from PGN or PDN. */
export interface RecordedGame {
  tags?: { name: string; value?: string }[];
  moves?: string[];
  notation?: string[];
  result?: string;
  positions?: string[];
  faults?: { code: string; line?: number; column?: number; ply?: number }[];
  spoiled?: boolean;
}

export interface GameEvent {
  game_id: string;
  version: number;
  kind: string;
  at?: string;
  side?: string;
  ply?: Ply;
  game: Game;
}

export interface Rating {
  rules: Rules;
  speed: string;
  rating: number;
  deviation: number;
  provisional?: boolean;
  wins?: number;
  draws?: number;
  losses?: number;
}

export interface Account {
  id: string;
  login: string;
  first_name?: string;
  surname?: string;
  birth_date?: string;
  sex?: string;
  policy: string;
  roles?: string[];
  created_at?: string;
  ratings?: Rating[];
}

export interface RatingChange {
  game: string;
  rules: Rules;
  speed: string;
  before: number;
  after: number;
  at: string;
}

export interface Lesson {
  id: string;
  rules: Rules;
  place: number;
  passed?: boolean;
}

export interface About {
  version: string;
  insecure_lan?: boolean;
  required_fields?: string[];
}
