package sim

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play"
)

type busEvent = busv1.GameEvent

func sortBy[T any](list []T, key func(T) string) {
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
}

// callTime is how long a client waits for an answer.
const callTime = 6 * time.Second

// player is a client, with its journal in world.commands.
type player struct {
	w      *world
	name   string
	caller identity.Caller
	policy string
	adult  bool
	// token is a session's, cookie a guest's.
	token, cookie string
	// games is what it has seen last of each game.
	games map[string]*playv1.Game
	// passed and opened are the steps at which the lessons of a game were passed
	// and at which its gate was first seen open.
	passed, opened map[string]int
	flying         int
	// cups is what it has seen last of each tournament.
	cups map[string]*playv1.Tournament
	// leaving says that it deletes its account, deletedAt when that was done.
	leaving   bool
	deletedAt int64
}

// command is one command of a player: all attempts carry its key.
type command struct {
	player   *player
	key      string
	request  proto.Message
	attempts []*attempt
	// rival is another command with the same key; nil for none.
	rival *command
}

// attempt is one call.
type attempt struct {
	label      string
	player     *player
	command    *command // nil for a read
	request    proto.Message
	key        string
	began, end int // steps
	// before is the game that the request names as it was when the call began.
	before play.State
	game   *playv1.Game
	next   *playv1.Game // the next game of a match
	events []*playv1.Event
	listed []*playv1.Game
	// Of tournaments and collections.
	cup        *playv1.Tournament
	collection *playv1.Collection
	upload     *playv1.Import
	problem    *rpc.Problem
	// ended takes the answer in.
	ended func()
}

func (a *attempt) code() string {
	switch {
	case a.end == 0:
		return "flying"
	case a.problem == nil:
		return "ok"
	}
	return a.problem.Code
}

// passing are answers that say nothing about the command itself.
var passing = []string{"flying", "unavailable", "timeout", "cancelled", "conflict", "gate_unavailable", "clock_uncertain"}

func (a *attempt) definite() bool { return !slices.Contains(passing, a.code()) }

func (a *attempt) ok() bool { return a.end > 0 && a.problem == nil }

// answer is the first success; nil for none.
func (c *command) answer() *attempt {
	var first *attempt
	for _, a := range c.attempts {
		if a.ok() && (first == nil || a.end < first.end) {
			first = a
		}
	}
	return first
}

// undetermined tells whether the player cannot know what became of it. What was
// refused and is sent again may be carried out: a gate has opened, a side has moved.
// So an answer settles what was sent until it came, and nothing that was sent after.
func (c *command) undetermined() bool {
	answered, unknown := 0, -1
	for _, a := range c.attempts {
		switch {
		case a.end == 0:
			return false
		case a.definite():
			answered = max(answered, a.end)
		default:
			unknown = max(unknown, a.began)
		}
	}
	return answered == 0 || unknown > answered && c.answer() == nil
}

// populate registers everyone and logs them in, before anything fails.
func (w *world) populate() {
	faults := w.scheduler.faults
	w.scheduler.faults = 0
	door := w.net.dial(identity.Gateway)
	client := accountsv1.NewAccountsServiceClient(door)
	for i, policy := range []string{"open", "open", "guided", "guided", "", ""} {
		p := &player{w: w, name: fmt.Sprintf("p%d", i), policy: policy, games: map[string]*playv1.Game{}, cups: map[string]*playv1.Tournament{}, passed: map[string]int{}, opened: map[string]int{}}
		w.players = append(w.players, p)
		if policy == "" {
			p.caller = identity.Caller{Guest: true, Session: w.ids.id()}
			signer, err := signers().Signer(identity.Gateway)
			if err != nil {
				panic(err)
			}
			p.cookie = signer.SignGuest(p.caller.Session, time.Now(), 24*time.Hour)
			continue
		}
		p.adult = policy == "open" || i == 2
		born := "1990-05-05"
		if p.adult {
			born = "1960-05-05"
		}
		go func() {
			ctx := rpc.WithKey(rpc.WithRequestID(w.ctx, p.name), p.name)
			made, err := client.Register(ctx, &accountsv1.RegisterRequest{
				Login: "player" + p.name, Password: "passwords", FirstName: "A", Surname: "B", BirthDate: born, Sex: "other", Policy: policy,
			})
			if err != nil {
				panic(err)
			}
			in, err := client.LogIn(ctx, &accountsv1.LogInRequest{Login: "player" + p.name, Password: "passwords"})
			if err != nil {
				panic(err)
			}
			p.token = in.GetToken()
			p.caller = identity.Caller{Account: made.GetAccount().GetId(), Session: w.ids.id()}
		}()
		w.idle()
	}
	w.players[operator].caller.Roles = []string{"operator"}
	w.scheduler.faults = faults
	for i, p := range w.players {
		p.caller.Lag = time.Duration([]int{0, 40, 300, 1200, 0, 120}[i]) * time.Millisecond
	}
	w.beat()
}

// know takes in what an answer or a stream shows of a game.
func (p *player) know(g *playv1.Game) {
	if g == nil {
		return
	}
	if old := p.games[g.GetId()]; old == nil || old.GetVersion() < g.GetVersion() {
		mine := g.GetYourSide()
		p.games[g.GetId()] = g
		if mine == "" && old.GetYourSide() != "" { // streams are for all
			g = proto.CloneOf(g)
			g.YourSide = old.GetYourSide()
			if g.GetOpponent() == play.OpponentSelf {
				g.YourSide = g.GetSide()
			}
			p.games[g.GetId()] = g
		}
	}
}

// command begins a command with a key of its own.
func (p *player) command(request proto.Message) *command {
	p.w.keys++
	c := &command{player: p, key: fmt.Sprintf("%s-key-%d", p.name, p.w.keys), request: request}
	p.w.commands = append(p.w.commands, c)
	p.send(c)
	return c
}

// rival begins another command with the key of one: at most one may happen. The
// same request with the same key is the same command, sent once more.
func (p *player) rival(c *command, request proto.Message) {
	for _, earlier := range p.w.commands {
		if earlier.key == c.key && proto.Equal(earlier.request, request) {
			p.send(earlier)
			return
		}
	}
	r := &command{player: p, key: c.key, request: request, rival: c}
	p.w.commands = append(p.w.commands, r)
	p.send(r)
}

// send sends a command, again where it was sent before.
func (p *player) send(c *command) {
	a := &attempt{player: p, command: c, request: c.request, key: c.key}
	a.label = fmt.Sprintf("%s.%s.%d", p.name, c.key[len(p.name)+5:], len(c.attempts)+1)
	if c.rival != nil {
		// Several rivals of one command may be under way.
		a.label += fmt.Sprint("r", slices.Index(p.w.commands, c))
	}
	c.attempts = append(c.attempts, a)
	a.ended = func() { p.answered(a) }
	p.call(a)
}

// ask sends what is no command, or one whose key is broken on purpose.
func (p *player) ask(request proto.Message, key string, ended func(*attempt)) {
	p.w.keys++
	a := &attempt{player: p, request: request, key: key, label: fmt.Sprintf("%s.ask.%d", p.name, p.w.keys)}
	p.w.reads = append(p.w.reads, a)
	a.ended = func() {
		p.came(a)
		ended(a)
	}
	p.call(a)
}

func (p *player) call(a *attempt) {
	p.flying++
	a.began = p.w.step
	if id := gameOf(a.request); id != "" {
		a.before, _ = p.w.store.Load(p.w.ctx, id) // none where it was lost
	}
	p.w.note("%s %s %s", a.label, describe(a.request), a.key)
	go func() {
		ctx, cancel := context.WithTimeout(labelled(identity.With(p.w.ctx, p.caller), a.label), callTime)
		defer cancel()
		if a.key != "" {
			ctx = rpc.WithKey(ctx, a.key)
		}
		if err := p.w.invoke(ctx, a); err != nil {
			a.problem = rpc.ToProblem(err)
		}
		p.w.finish(a)
	}()
}

// invoke makes the call that a request is for.
func (w *world) invoke(ctx context.Context, a *attempt) error {
	for _, others := range []func(context.Context, *attempt) (bool, error){w.invokeCup, w.invokeShelf} {
		if is, err := others(ctx, a); is {
			return err
		}
	}
	switch in := a.request.(type) {
	case *accountsv1.DeleteMeRequest:
		_, err := w.privacy.DeleteMe(ctx, in)
		return err
	case *playv1.CreateGameRequest:
		out, err := w.client.CreateGame(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.AcceptGameRequest:
		out, err := w.client.AcceptGame(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.CancelGameRequest:
		out, err := w.client.CancelGame(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.MoveRequest:
		out, err := w.client.Move(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.ResignRequest:
		out, err := w.client.Resign(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.OfferDrawRequest:
		out, err := w.client.OfferDraw(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.AnswerDrawRequest:
		out, err := w.client.AnswerDraw(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.ClaimDrawRequest:
		out, err := w.client.ClaimDraw(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.DeclineGameRequest:
		out, err := w.client.DeclineGame(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.AbortGameRequest:
		out, err := w.client.AbortGame(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.OfferTakebackRequest:
		out, err := w.client.OfferTakeback(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.AnswerTakebackRequest:
		out, err := w.client.AnswerTakeback(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.TouchPieceRequest:
		out, err := w.client.TouchPiece(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.OfferRematchRequest:
		out, err := w.client.OfferRematch(ctx, in)
		a.game, a.next = out.GetGame(), out.GetNext()
		return err
	case *playv1.AnswerRematchRequest:
		out, err := w.client.AnswerRematch(ctx, in)
		a.game, a.next = out.GetGame(), out.GetNext()
		return err
	case *playv1.AdjudicateRequest:
		out, err := w.client.Adjudicate(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.ClaimWinRequest:
		out, err := w.pace.ClaimWin(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.GiveTimeRequest:
		out, err := w.pace.GiveTime(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.SuspendGameRequest:
		out, err := w.pace.SuspendGame(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.ResumeGameRequest:
		out, err := w.pace.ResumeGame(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.GetGameRequest:
		out, err := w.client.GetGame(ctx, in)
		a.game = out.GetGame()
		return err
	case *playv1.ListEventsRequest:
		out, err := w.client.ListEvents(ctx, in)
		a.events = out.GetEvents()
		return err
	case *playv1.ListGamesRequest:
		out, err := w.client.ListGames(ctx, in)
		a.listed = out.GetGames()
		return err
	}
	panic("no such call")
}

// describe is a request in a trace.
func describe(m proto.Message) string {
	name := string(m.ProtoReflect().Descriptor().Name())
	switch in := m.(type) {
	case *playv1.CreateGameRequest:
		return fmt.Sprintf("%s %s %s rated=%v %s", name, in.GetRules(), in.GetOpponent(), in.GetRated(), in.GetVisibility())
	case *playv1.MoveRequest:
		return fmt.Sprintf("%s %s %d %s", name, short(in.GetGame()), in.GetTurn(), in.GetMove())
	case interface{ GetGame() string }:
		return name + " " + short(in.GetGame())
	case interface{ GetTournament() string }:
		return name + " " + short(in.GetTournament())
	}
	return name
}

// came takes in any answer.
func (p *player) came(a *attempt) {
	a.end = p.w.step
	p.flying--
	p.w.note("%s -> %s v%d t%d %s", a.label, a.code(), a.game.GetVersion(), a.game.GetTurn(), a.game.GetStatus())
	p.w.judge(a)
	p.know(a.game)
	p.learn(a.next)
	p.sees(a.cup)
}

// answered takes in the answer to a command.
func (p *player) answered(a *attempt) {
	p.came(a)
	if _, made := a.request.(*playv1.CreateGameRequest); made && a.ok() && !slices.Contains(p.w.games, a.game.GetId()) {
		p.w.games = append(p.w.games, a.game.GetId())
	}
	if a.code() == "stale_turn" || a.code() == "game_over" || a.code() == "seat_taken" {
		p.ask(&playv1.GetGameRequest{Game: gameOf(a.request)}, "", func(*attempt) {})
	}
}

// gameOf is the game that a request names; empty for none.
func gameOf(m proto.Message) string {
	if in, ok := m.(interface{ GetGame() string }); ok {
		return in.GetGame()
	}
	return ""
}

func nothing(*attempt) {}
