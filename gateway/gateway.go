// Package gateway is the only door for clients: REST, one event stream a page,
// problems with stable codes, the OpenAPI document, and the web client.
//
// It authenticates and the services decide: a request's credentials become a
// Caller, which the calls to the services carry.
package gateway

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
)

// Config is what an operator chooses.
type Config struct {
	// Version is told at /v1/about.
	Version string
	// Hosts are the names that requests may be for; "*" allows all. Empty allows
	// the names of the loopback only.
	Hosts []string
	// Proxies are the networks of reverse proxies, whose X-Forwarded-For and
	// X-Forwarded-Proto are believed.
	Proxies []netip.Prefix
	// TLS says that clients come over https, so that cookies are bound to it.
	TLS bool
	// InsecureLAN says that clients come over plain http from a local network;
	// every page then shows a banner.
	InsecureLAN bool
	// RequiredFields are the fields that registration asks for.
	RequiredFields []string
	// MaxStreams bounds the event streams; 0 means 20000.
	MaxStreams int
	// Beat is the time between heartbeats of a stream; 0 means 5 s.
	Beat time.Duration
	// Check is the time between two comparisons of a watched game's version with
	// play; 0 means 5 s.
	Check time.Duration
}

// Deps is what the gateway stands on.
type Deps struct {
	// Conns are connections that sign the Caller of the context.
	Rules, Play, Accounts, Tutor grpc.ClientConnInterface
	// Events brings copies of game events from the bus.
	Events Events
	// Tournaments says which tournaments have changed; nil: nobody does, and those who
	// watch look by themselves.
	Tournaments TournamentEvents
	// Access says of which accounts sessions may have ended; nil: nobody does, and
	// streams find out when they look by themselves.
	Access AccessEvents
	// Presence tells other gateways and play who is here; nil tells nobody.
	Presence Presence
	// Signer is the gateway's own; Keys hold the public halves.
	Signer *identity.Signer
	Keys   *identity.Keys
	// Client is the built web client.
	Client fs.FS
	// Ready says what is not ready, by name; empty when all is.
	Ready func(context.Context) map[string]error
	Now   func() time.Time
	Log   *slog.Logger
}

// Gateway serves HTTP. Make one with New, run its hub with Run.
type Gateway struct {
	cfg         Config
	deps        Deps
	accounts    accountsv1.AccountsServiceClient
	access      accountsv1.AccessServiceClient
	collections playv1.CollectionsServiceClient
	// uploads has a place for each file that comes in.
	uploads  chan struct{}
	takeouts takeouts
	hub      *Hub
	limits   limits
	lags     *lags
	handler  http.Handler
}

// New makes a gateway. It starts nothing.
func New(cfg Config, deps Deps) (*Gateway, error) {
	if cfg.MaxStreams == 0 {
		cfg.MaxStreams = 20000
	}
	if cfg.Beat == 0 {
		cfg.Beat = 5 * time.Second
	}
	if cfg.Check == 0 {
		cfg.Check = 5 * time.Second
	}
	g := &Gateway{
		cfg:      cfg,
		deps:     deps,
		accounts: accountsv1.NewAccountsServiceClient(deps.Accounts),
		access:   accountsv1.NewAccessServiceClient(deps.Accounts),
		hub:      NewHub(HubConfig{Check: cfg.Check}, playv1.NewPlayServiceClient(deps.Play), deps.Events, deps.Log),
		limits:   newLimits(deps.Now),
		lags:     newLags(deps.Now),
	}
	g.collections, g.uploads = playv1.NewCollectionsServiceClient(deps.Play), make(chan struct{}, maxUploads)
	g.takeouts = newTakeouts(deps)
	g.hub.competitions, g.hub.changes = playv1.NewTournamentsServiceClient(deps.Play), deps.Tournaments
	g.hub.presence = newPresence(deps.Presence, g.lags, deps.Now, deps.Log)
	mux := http.NewServeMux()
	rest, err := g.rest()
	if err != nil {
		return nil, err
	}
	for _, route := range g.routes() {
		mux.Handle(route.method+" "+route.path, route.handler)
	}
	mux.Handle("/v1/", rest)
	mux.Handle("/", g.static())
	g.handler = g.door(mux)
	return g, nil
}

// Handler serves all requests.
func (g *Gateway) Handler() http.Handler { return g.handler }

// AccessEvents says of which accounts sessions or tokens may have ended. Word may
// be lost.
type AccessEvents interface {
	WatchAccess(ended func(account string)) (stop func(), err error)
}

// Run keeps the hub until the context ends; then every stream ends.
func (g *Gateway) Run(ctx context.Context) error {
	if g.deps.Access != nil {
		stop, err := g.deps.Access.WatchAccess(g.hub.Recheck)
		if err != nil {
			g.deps.Log.Warn("sessions that end elsewhere keep their streams for a while", slog.Any("error", err))
		} else {
			defer stop()
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		g.hub.presence.run(ctx)
	}()
	err := g.hub.Run(ctx)
	<-done
	return err
}

// route is one address that is not generated from the contracts. Each has its
// part in openapi/base.json, which a test compares.
type route struct {
	method, path string
	handler      http.HandlerFunc
}

// Routes lists these addresses, such as "GET /v1/about", for tests that have a
// verdict on each of them.
func Routes() []string {
	var list []string
	for _, r := range (&Gateway{}).routes() {
		list = append(list, r.method+" "+r.path)
	}
	return list
}

func (g *Gateway) routes() []route {
	return []route{
		{http.MethodPost, "/v1/sessions", g.logIn},
		{http.MethodDelete, "/v1/sessions/current", g.logOut},
		{http.MethodPost, "/v1/pairings", g.startPairing},
		{http.MethodPost, "/v1/pairings/poll", g.pollPairing},
		{http.MethodGet, "/v1/about", g.about},
		{http.MethodGet, "/v1/events", g.events},
		{http.MethodPost, "/v1/events/echo", g.echo},
		{http.MethodGet, "/v1/problems", g.problems},
		{http.MethodPost, importPath, g.importRecords},
		{http.MethodGet, "/v1/collections/{collection}/export", g.exportCollection},
		{http.MethodGet, "/v1/me/export", g.takeout},
		{http.MethodGet, "/v1/accounts/{account}/export", g.takeout},
		{http.MethodGet, "/v1/games/{game}/record", g.gameRecord},
		{http.MethodGet, "/v1/me/games.pgn", g.exportGames("chess")},
		{http.MethodGet, "/v1/me/games.pdn", g.exportGames("draughts")},
		{http.MethodGet, "/v1/tournaments/{tournament}/table.csv", g.tournamentTable},
		{http.MethodGet, "/openapi.json", fixed("application/json", openAPIDocument)},
		{http.MethodGet, "/docs", fixed("text/html; charset=utf-8", docsPage)},
		{http.MethodGet, "/docs/docs.js", fixed("text/javascript; charset=utf-8", docsProgram)},
		{http.MethodGet, "/docs/docs.css", fixed("text/css; charset=utf-8", docsStyle)},
		{http.MethodGet, "/healthz", g.health},
		{http.MethodGet, "/readyz", g.ready},
	}
}

// rest serves the methods that the contracts give an address.
func (g *Gateway) rest() (http.Handler, error) {
	mux := runtime.NewServeMux(
		runtime.WithMarshalerOption(runtime.MIMEWildcard, &jsonCodec{}),
		runtime.WithErrorHandler(g.restError),
		runtime.WithRoutingErrorHandler(g.routingError),
		// Nothing that a client sends becomes metadata by itself.
		runtime.WithIncomingHeaderMatcher(func(string) (string, bool) { return "", false }),
		runtime.WithOutgoingHeaderMatcher(func(string) (string, bool) { return "", false }),
		runtime.WithForwardResponseOption(created),
		runtime.WithDisablePathLengthFallback(),
	)
	// What the services answer goes to clients as it came.
	rules, play, accounts, tutor := rpc.Unread(g.deps.Rules), rpc.Unread(g.deps.Play), rpc.Unread(g.deps.Accounts), rpc.Unread(g.deps.Tutor)
	ctx := context.Background() // used only by registrations that dial; these do not
	if err := rulesv1.RegisterRulesServiceHandlerClient(ctx, mux, rulesv1.NewRulesServiceClient(rules)); err != nil {
		return nil, err
	}
	if err := playv1.RegisterPlayServiceHandlerClient(ctx, mux, playv1.NewPlayServiceClient(play)); err != nil {
		return nil, err
	}
	if err := playv1.RegisterCollectionsServiceHandlerClient(ctx, mux, playv1.NewCollectionsServiceClient(play)); err != nil {
		return nil, err
	}
	if err := playv1.RegisterPaceServiceHandlerClient(ctx, mux, playv1.NewPaceServiceClient(play)); err != nil {
		return nil, err
	}
	if err := playv1.RegisterTournamentsServiceHandlerClient(ctx, mux, playv1.NewTournamentsServiceClient(play)); err != nil {
		return nil, err
	}
	if err := accountsv1.RegisterAccountsServiceHandlerClient(ctx, mux, accountsv1.NewAccountsServiceClient(accounts)); err != nil {
		return nil, err
	}
	if err := accountsv1.RegisterClassesServiceHandlerClient(ctx, mux, accountsv1.NewClassesServiceClient(accounts)); err != nil {
		return nil, err
	}
	if err := accountsv1.RegisterSecondFactorServiceHandlerClient(ctx, mux, accountsv1.NewSecondFactorServiceClient(accounts)); err != nil {
		return nil, err
	}
	if err := accountsv1.RegisterPrivacyServiceHandlerClient(ctx, mux, accountsv1.NewPrivacyServiceClient(accounts)); err != nil {
		return nil, err
	}
	if err := accountsv1.RegisterAccessServiceHandlerClient(ctx, mux, accountsv1.NewAccessServiceClient(accounts)); err != nil {
		return nil, err
	}
	if err := tutorv1.RegisterTutorServiceHandlerClient(ctx, mux, tutorv1.NewTutorServiceClient(tutor)); err != nil {
		return nil, err
	}
	return g.withCaller(g.limitRegistrations(mux)), nil
}
