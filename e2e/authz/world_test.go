package authz

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"tabuleiro/e2e/shapetest"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

func TestMain(m *testing.M) { shapetest.Main(m) }

// Everybody who calls. The pupil Ana is "self", and "opponent" an adult she plays
// with; a "spectator" looks at a public game of two adults instead. A "former"
// teacher taught Ana's class, "other" teaches another one. Two boards are Ana's: one
// is "paired", of the other the pairing has ended.
var (
	persons  = []string{"self", "opponent", "spectator", "classmate", "teacher", "former", "other", "guardian", "operator", "stranger"}
	services = []string{"gateway", "rules", "play", "search", "worker", "accounts", "tutor"}
	boards   = []string{"paired", "unpaired"}
	everyone = append(append([]string{"guest", "nobody"}, persons...), services...)
)

// host plays the public game that the spectator looks at.
const host = "host"

const password = "correct horse battery"

// person is an account with a session.
type person struct {
	login, account, session, token string
	roles                          []string
	// scopes narrow an access token.
	scopes []string
}

// world is an installation with a school.
type world struct {
	t     *testing.T
	shape *shapetest.Shape
	// conns call as the signers: "gateway" speaks for people too.
	conns  map[string]*grpc.ClientConn
	guest  string // the cookie of a visitor
	guests string // and their id
	people map[string]*person
	class  string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		t: t, shape: shapetest.AllInOne(t, shapetest.Options{Args: []string{"--grpc-listen", "127.0.0.1:0"}}),
		conns: map[string]*grpc.ClientConn{}, people: map[string]*person{},
	}
	keys, err := identity.LoadKeys(filepath.Join(w.shape.Data, "keys"), services)
	w.must(err)
	for _, name := range services {
		signer, err := keys.Signer(name)
		w.must(err)
		conn, err := rpc.Dial(w.shape.Units[0].Door("grpc"), rpc.ClientConfig{Signer: signer}, insecure.NewCredentials())
		w.must(err)
		t.Cleanup(func() { conn.Close() })
		w.conns[name] = conn
		if name == "gateway" {
			w.guests = "01920000-0000-7000-8000-000000000001"
			w.guest = signer.SignGuest(w.guests, time.Now(), time.Hour)
		}
	}
	w.school()
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func do[T any](answer T, err error) T {
	if err != nil {
		panic(err) // of what must work for the test to begin; the panic shows where
	}
	return answer
}

// by is the context of a command of somebody.
func (w *world) by(who string) context.Context {
	p := w.people[who]
	if p == nil {
		panic("there is no " + who)
	}
	return rpc.WithKey(identity.With(w.t.Context(), p.caller()), shapetest.NewKey())
}

func (p *person) caller() identity.Caller {
	return identity.Caller{Account: p.account, Session: p.session, Roles: p.roles, Scopes: p.scopes}
}

func (w *world) nobody() context.Context {
	return rpc.WithKey(identity.With(w.t.Context(), identity.Caller{}), shapetest.NewKey())
}

func (w *world) accounts() accountsv1.AccountsServiceClient {
	return accountsv1.NewAccountsServiceClient(w.conns["gateway"])
}

func (w *world) classes() accountsv1.ClassesServiceClient {
	return accountsv1.NewClassesServiceClient(w.conns["gateway"])
}

func (w *world) access() accountsv1.AccessServiceClient {
	return accountsv1.NewAccessServiceClient(w.conns["gateway"])
}

func (w *world) pace() playv1.PaceServiceClient {
	return playv1.NewPaceServiceClient(w.conns["gateway"])
}

func (w *world) collections() playv1.CollectionsServiceClient {
	return playv1.NewCollectionsServiceClient(w.conns["gateway"])
}

func (w *world) tournaments() playv1.TournamentsServiceClient {
	return playv1.NewTournamentsServiceClient(w.conns["gateway"])
}

func (w *world) play() playv1.PlayServiceClient {
	return playv1.NewPlayServiceClient(w.conns["gateway"])
}

// school makes everybody.
func (w *world) school() {
	for _, who := range []string{"opponent", "spectator", "teacher", "former", "other", "guardian", "operator", "stranger", host} {
		login := shapetest.NewLogin()
		do(w.accounts().Register(w.nobody(), &accountsv1.RegisterRequest{
			Login: login, Password: password, FirstName: "Ana", Surname: "Reis", BirthDate: "1980-02-29", Sex: "undisclosed", Policy: "open",
		}))
		w.people[who] = &person{login: login}
		w.logIn(who)
	}
	do(w.accounts().ClaimOperator(w.by("operator"), &accountsv1.ClaimOperatorRequest{Code: w.shape.OperatorCode(w.t)}))
	w.logIn("operator")
	for _, who := range []string{"teacher", "former", "other"} {
		do(w.classes().GiveRole(w.by("operator"), &accountsv1.GiveRoleRequest{Account: w.people[who].account, Role: "teacher"}))
		w.logIn(who)
	}
	w.class = do(w.classes().CreateClass(w.by("teacher"), &accountsv1.CreateClassRequest{Name: "4B"})).GetClass().GetId()
	do(w.classes().AddTeacher(w.by("teacher"), &accountsv1.AddTeacherRequest{Class: w.class, Login: w.people["former"].login}))
	do(w.classes().RemoveTeacher(w.by("teacher"), &accountsv1.RemoveTeacherRequest{Class: w.class, Account: w.people["former"].account}))
	w.pupils("teacher", w.class, "self", "classmate")
	// Self may meet strangers, for the sake of all that the opponent is about.
	do(w.classes().AllowPublic(w.by("teacher"), &accountsv1.AllowPublicRequest{Account: w.people["self"].account, Allowed: true}))
	elsewhere := do(w.classes().CreateClass(w.by("other"), &accountsv1.CreateClassRequest{Name: "4C"})).GetClass().GetId()
	w.pupils("other", elsewhere, "pupil elsewhere")
	code := do(w.classes().MakeCode(w.by("teacher"), &accountsv1.MakeCodeRequest{Purpose: "guardian", Account: w.people["self"].account})).GetCode()
	do(w.classes().ClaimCode(w.by("guardian"), &accountsv1.ClaimCodeRequest{Code: code}))
}

func (w *world) pupils(teacher, class string, who ...string) {
	slips := do(w.classes().AddPupils(w.by(teacher), &accountsv1.AddPupilsRequest{Class: class, Names: who})).GetSlips()
	for i, slip := range slips {
		do(w.classes().UseAccessCode(w.nobody(), &accountsv1.UseAccessCodeRequest{Login: slip.GetLogin(), Code: slip.GetCode(), Password: password}))
		w.people[who[i]] = &person{login: slip.GetLogin()}
		w.logIn(who[i])
	}
}

// pairBoards pairs two boards of self and ends one of the pairings.
func (w *world) pairBoards() {
	for _, who := range boards {
		started := pairing(w, scene{})
		do(w.access().ConfirmPairing(w.by("self"), &accountsv1.ConfirmPairingRequest{UserCode: started["code"], Kind: "board"}))
		taken := do(w.access().TakePairing(w.t.Context(), &accountsv1.TakePairingRequest{DeviceCode: started["device"]}))
		w.people[who] = &person{token: taken.GetBoardSecret()}
		if who == "unpaired" {
			do(w.access().RevokeBoard(w.by("self"), &accountsv1.RevokeBoardRequest{Board: taken.GetBoard().GetId()}))
		}
	}
}

// logIn opens a session as the gateway does.
func (w *world) logIn(who string) {
	p := w.people[who]
	session := do(w.accounts().LogIn(w.t.Context(), &accountsv1.LogInRequest{Login: p.login, Password: password}))
	proof := do(w.accounts().Authenticate(w.t.Context(), &accountsv1.AuthenticateRequest{Token: session.GetToken()}))
	p.token, p.account, p.session, p.roles = session.GetToken(), proof.GetAccount(), proof.GetSession(), proof.GetRoles()
}

// fixture is what a call is about: what stands for the names in its text, such as
// $game.
type fixture map[string]string

func (f fixture) fill(text string) string {
	var pairs []string
	for name, value := range f {
		pairs = append(pairs, "$"+name, value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// scene is who plays whom, and who may look.
type scene struct{ self, opponent, visibility string }

func sceneOf(who string) scene {
	if who == "spectator" {
		return scene{host, "opponent", "public"}
	}
	return scene{"self", "opponent", "private"}
}

// game makes a game of chess in which the moves were played; without an opponent
// its seat is open, or kept for them where invited.
func (w *world) game(s scene, accepted, invited bool, moves ...string) fixture {
	request := &playv1.CreateGameRequest{
		Rules: "chess", Opponent: "person", Side: "white", Visibility: s.visibility,
		Options: &playv1.Options{Takebacks: true, TouchMove: true},
	}
	if invited {
		request.Invite = w.people[s.opponent].login
	}
	return w.make(s, request, accepted, moves...)
}

// make makes the game that self asks for.
func (w *world) make(s scene, request *playv1.CreateGameRequest, accepted bool, moves ...string) fixture {
	game := do(w.play().CreateGame(w.by(s.self), request)).GetGame()
	if accepted {
		game = do(w.play().AcceptGame(w.by(s.opponent), &playv1.AcceptGameRequest{Game: game.GetId()})).GetGame()
	}
	for i, move := range moves {
		game = do(w.play().Move(w.by([]string{s.self, s.opponent}[i%2]), &playv1.MoveRequest{Game: game.GetId(), Move: move, Turn: &game.Turn})).GetGame()
	}
	return fixture{"game": game.GetId(), "turn": fmt.Sprint(game.GetTurn())}
}

// drop ends a game however it stands, so that nobody has too many.
func (w *world) drop(game string, who ...string) {
	for _, p := range who {
		ctx := w.by(p)
		for _, end := range []func() error{
			func() error { _, err := w.play().CancelGame(ctx, &playv1.CancelGameRequest{Game: game}); return err },
			func() error { _, err := w.play().AbortGame(ctx, &playv1.AbortGameRequest{Game: game}); return err },
			func() error { _, err := w.play().Resign(ctx, &playv1.ResignRequest{Game: game}); return err },
		} {
			if end() == nil { // the others say that it has not begun, or is over
				return
			}
		}
	}
}
