package play

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing/fstest"
	"time"

	"google.golang.org/grpc"

	"tabuleiro/gateway"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// sessions believes every token, which is the account and the session with a dot
// between.
type sessions struct {
	accountsv1.UnimplementedAccountsServiceServer
}

// Authenticate believes it.
func (sessions) Authenticate(_ context.Context, in *accountsv1.AuthenticateRequest) (*accountsv1.AuthenticateResponse, error) {
	account, session, _ := strings.Cut(in.GetToken(), ".")
	return &accountsv1.AuthenticateResponse{Account: account, Session: session, Roles: []string{"learner"}}, nil
}

// seen is what a client needs of the answer to a move.
type seen struct {
	Game struct {
		ID    string `json:"id"`
		Turn  int32  `json:"turn"`
		Moves []struct {
			Text string `json:"text"`
		} `json:"moves"`
	} `json:"game"`
}

// doors are HTTP servers on the loopback: the gateway before play, the gateway
// before a play that does nothing, and one that answers with the same bytes.
type doors struct {
	client             *http.Client
	play, nothing, raw string
}

// open starts them.
func (s *setup) open(apart bool, keys *identity.Keys) error {
	accounts, err := s.serve(apart, keys, identity.Gateway, func(g *grpc.Server) { accountsv1.RegisterAccountsServiceServer(g, sessions{}) })
	if err != nil {
		return err
	}
	signer, err := keys.Signer(identity.Gateway)
	if err != nil {
		return err
	}
	s.doors.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	for _, door := range []struct {
		play grpc.ClientConnInterface
		url  *string
	}{{s.conn, &s.doors.play}, {s.stub, &s.doors.nothing}} {
		g, err := gateway.New(gateway.Config{}, gateway.Deps{
			Rules: s.rulesConn, Play: door.play, Accounts: accounts, Tutor: accounts,
			Signer: signer, Keys: keys, Client: fstest.MapFS{}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			return err
		}
		if *door.url, err = s.listen(g.Handler()); err != nil {
			return err
		}
	}
	// The bytes of an answer, as the gateway writes them.
	_, body, err := s.send(context.Background(), s.doors.nothing, s.posted[0])
	if err != nil {
		return err
	}
	s.doors.raw, err = s.listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in map[string]any
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body) // a client that is gone is counted on its own side
	}))
	return err
}

// listen serves HTTP until the setup stops.
func (s *setup) listen(handler http.Handler) (url string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{Handler: handler}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // a server that fails early fails the calls
	}()
	s.ends = append(s.ends, func() error {
		err := server.Close()
		<-done
		return err
	})
	return "http://" + listener.Addr().String(), nil
}

// send posts a legal move of a table's game, and reads the answer.
func (s *setup) send(ctx context.Context, url string, t *table) (seen, []byte, error) {
	turn := t.game.GetTurn()
	in, err := json.Marshal(map[string]any{"turn": turn, "move": t.draw()})
	if err != nil {
		return seen{}, nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/games/"+t.game.GetId()+"/moves", bytes.NewReader(in))
	if err != nil {
		return seen{}, nil, err
	}
	player := t.players[turn%2]
	request.Header.Set("Authorization", "Bearer "+player.Account+"."+player.Session)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", rpc.NewRequestID())
	response, err := s.doors.client.Do(request)
	if err != nil {
		return seen{}, nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return seen{}, nil, err
	}
	if response.StatusCode != http.StatusOK {
		return seen{}, nil, fmt.Errorf("status %d: %s", response.StatusCode, body)
	}
	var out seen
	return out, body, json.Unmarshal(body, &out)
}

// post plays one move of the caller's game over HTTP.
func (s *setup) post(ctx context.Context, caller int) error {
	t := s.posted[caller]
	out, _, err := s.send(ctx, s.doors.play, t)
	if err != nil {
		return err
	}
	t.next(out)
	return nil
}

// next is the game after a move, as far as the next one needs it.
func (t *table) next(after seen) {
	g := &playv1.Game{Id: t.game.GetId(), Turn: after.Game.Turn}
	for _, m := range after.Game.Moves {
		g.Moves = append(g.Moves, &commonv1.Move{Text: m.Text})
	}
	t.game = g
}

// postNothing posts a move to a gateway whose play does nothing.
func (s *setup) postNothing(ctx context.Context, caller int) error {
	_, _, err := s.send(ctx, s.doors.nothing, s.posted[caller])
	return err
}

// postRaw posts a move to a server that knows its answer beforehand.
func (s *setup) postRaw(ctx context.Context, caller int) error {
	_, _, err := s.send(ctx, s.doors.raw, s.posted[caller])
	return err
}
