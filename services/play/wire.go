package play

import (
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// Slices are shared between the core and the messages, both ways: neither side
// ever changes what it has been given.

func rulingOf(m *commonv1.Ruling) *Ruling {
	r := &Ruling{
		Position: Position{
			Rules:   m.GetPosition().GetRules(),
			Text:    m.GetPosition().GetText(),
			Draws:   m.GetPosition().GetDraws(),
			History: m.GetPosition().GetHistory(),
		},
		Side:       m.GetSide(),
		Claims:     m.GetClaims(),
		CanWin:     m.GetCanWin(),
		Key:        m.GetKey(),
		Repetition: m.GetRepetition(),
		Check:      m.GetCheck(),
		Line:       m.GetLine(),
	}
	r.Moves = slices.Grow(r.Moves, len(m.GetMoves()))
	for _, move := range m.GetMoves() {
		r.Moves = append(r.Moves, moveOf(move))
	}
	r.Pieces = slices.Grow(r.Pieces, len(m.GetPieces()))
	for _, p := range m.GetPieces() {
		r.Pieces = append(r.Pieces, Piece{Square: p.GetSquare(), Side: p.GetSide(), Kind: p.GetKind()})
	}
	if o := m.GetOutcome(); o != nil {
		r.Outcome = &Outcome{Winner: o.GetWinner(), Reason: o.GetReason()}
	}
	return r
}

func moveOf(m *commonv1.Move) Move {
	return Move{
		Text:      m.GetText(),
		Notation:  m.GetNotation(),
		From:      m.GetFrom(),
		To:        m.GetTo(),
		Path:      m.GetPath(),
		Captures:  m.GetCaptures(),
		Promotion: m.GetPromotion(),
	}
}

func (p Position) wire() *commonv1.Position {
	return &commonv1.Position{Rules: p.Rules, Text: p.Text, Draws: p.Draws, History: p.History}
}

func (m *Move) wire(out *commonv1.Move) *commonv1.Move {
	out.Text, out.Notation, out.From, out.To = m.Text, m.Notation, m.From, m.To
	out.Path, out.Captures, out.Promotion = m.Path, m.Captures, m.Promotion
	return out
}

// The messages of a list are made at once: an answer has a hundred of them.

func (list Moves) wire() []*commonv1.Move {
	all, made := make([]*commonv1.Move, len(list)), make([]commonv1.Move, len(list))
	for i := range list {
		all[i] = list[i].wire(&made[i])
	}
	return all
}

func (list Pieces) wire() []*commonv1.Piece {
	all, made := make([]*commonv1.Piece, len(list)), make([]commonv1.Piece, len(list))
	for i, p := range list {
		made[i].Square, made[i].Side, made[i].Kind = p.Square, p.Side, p.Kind
		all[i] = &made[i]
	}
	return all
}

func (list Plies) wire() []*playv1.Ply {
	all, made, moves := make([]*playv1.Ply, len(list)), make([]playv1.Ply, len(list)), make([]commonv1.Move, len(list))
	for i := range list {
		p, out := &list[i], &made[i]
		out.Ply, out.Side, out.TookMs, out.CreditedMs = p.Number, p.Side, p.TookMS, p.CreditedMS
		out.Move = p.Move.wire(&moves[i])
		all[i] = out
	}
	return all
}

func (p Ply) wire() *playv1.Ply { return Plies{p}.wire()[0] }

func (o *Outcome) wire() *commonv1.Outcome {
	if o == nil {
		return nil
	}
	m := &commonv1.Outcome{Reason: o.Reason}
	if o.Winner != "" {
		m.Winner = &o.Winner
	}
	return m
}

// overview is a game as lists show it, to one player: without plies and moves.
func (s State) overview(player string) *playv1.Game {
	g := &playv1.Game{
		Id:         s.ID,
		Rules:      s.Rules,
		Status:     s.Status,
		Turn:       s.Turn,
		Version:    s.Version,
		Position:   s.Ruling.Position.wire(),
		Side:       s.Ruling.Side,
		Check:      s.Ruling.Check,
		Line:       s.Ruling.Line,
		Clock:      s.clockWire(),
		DrawOffer:  s.Offer,
		Outcome:    s.Outcome.wire(),
		Result:     s.Result(),
		Rated:      s.Rated,
		Visibility: s.Visibility,
		Speed:      s.Speed,
		CreatedAt:  stamp(s.CreatedAt),

		Opponent:      s.madeAs(),
		TakebackOffer: s.Takeback,
		Touched:       s.Touched,
		PlyCount:      int32(len(s.Plies)),
		LoadedPlies:   s.Loaded,
		Start:         s.Start,
		Captured:      s.captured(),
		Material:      s.material(),
		RematchOffer:  s.Rematch,
		NextGame:      s.Next,
		MayAbort:      s.abortable(),
		Tournament:    s.Tournament,
		Options: &playv1.Options{
			Takebacks: s.Options.Takebacks, Hints: s.Options.Hints,
			TouchMove: s.Options.TouchMove, ConfirmMove: s.Options.ConfirmMove,
		},
	}
	if s.Match != nil || s.Next != "" {
		g.Match = s.matchWire()
	}
	if c := s.Closed; c != nil {
		g.Closed = &playv1.Closed{Why: c.Why, Side: c.Side, Reason: c.Reason}
	}
	if r := s.Ruled; r != nil {
		g.Ruled = &playv1.Ruled{By: r.By, At: stamp(r.At), Note: r.Note}
	}
	for _, seat := range s.Seats {
		g.Seats = append(g.Seats, seat.wire())
	}
	g.Pieces = s.Ruling.Pieces.wire()
	if len(s.Plies) > 0 {
		g.Last = s.Plies[len(s.Plies)-1].wire()
	}
	if s.Status == StatusRunning {
		g.Claims = s.Ruling.Claims
	}
	s.paceWire(g)
	if seat := s.SeatOf(player); seat >= 0 {
		g.YourSide = s.Seats[seat].Side
	}
	return g
}

// snapshot is a game as events show it, to one player: without plies.
func (s State) snapshot(player string) *playv1.Game {
	g := s.overview(player)
	if s.Status == StatusRunning {
		g.Moves = s.Ruling.Moves.wire()
	}
	return g
}

// whole is all of a game, to one player.
func (s State) whole(player string) *playv1.Game {
	g := s.snapshot(player)
	g.Plies = s.Plies.wire()
	return g
}

func (s Seat) wire() *playv1.Seat {
	m := &playv1.Seat{
		Side:        s.Side,
		Kind:        s.Kind,
		Account:     s.Account,
		Name:        s.Name,
		Level:       s.Level,
		Rating:      s.Rating,
		Provisional: s.Provisional,
	}
	if s.After != 0 {
		m.RatingAfter = &s.After
	}
	return m
}

func (s State) clockWire() *playv1.Clock {
	c := s.Clock
	if c == nil {
		return nil
	}
	m := &playv1.Clock{
		InitialMs:   c.InitialMS,
		IncrementMs: c.IncrementMS,
		RemainingMs: c.Remaining[:],
		At:          stamp(c.At),
	}
	if c.Running >= 0 {
		m.Running = s.Seats[c.Running].Side
	}
	return m
}

// wire is an event with the state after it, as one player sees it.
func (e Event) wire(after State, player string) *playv1.Event {
	m := &playv1.Event{
		GameId:  after.ID,
		Version: after.Version,
		Kind:    e.Kind,
		At:      stamp(e.At),
		Side:    e.Side,
		Game:    after.snapshot(player),

		CreditedMs: e.CreditMS,
	}
	if e.Ply != nil {
		m.Ply = e.Ply.wire()
	}
	return m
}

// copyFor is the copy of an event that goes onto the bus.
func (e Event) copyFor(after State) *busv1.GameEvent {
	m := &busv1.GameEvent{Event: e.wire(after, "")}
	add := func(account string) {
		if account != "" && !slices.Contains(m.Players, account) {
			m.Players = append(m.Players, account)
		}
	}
	for _, seat := range after.Seats {
		add(seat.Account) // the person invited too
	}
	if after.Engines() && isAccount(after.Maker) {
		add(after.Maker)
	}
	return m
}

func stamp(ms int64) *timestamppb.Timestamp { return timestamppb.New(time.UnixMilli(ms)) }
