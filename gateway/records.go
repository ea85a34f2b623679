package gateway

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

const (
	importPath = "/v1/collections/{collection}/imports"
	// maxUpload bounds a file of records, in bytes.
	maxUpload = 64 << 20
	// maxUploads bounds the files that come in at once; each holds one piece.
	maxUploads = 16
	// pieceSize is how much of a file is handed on at once, in bytes.
	pieceSize = 512 << 10
	// pieceTime is how long a piece may take to arrive, to be read, or to leave.
	pieceTime = 30 * time.Second
)

// The media types of records, and those that browsers give to such files.
const (
	typePGN = "application/vnd.chess-pgn"
	typePDN = "application/x-draughts-pdn"
)

var uploadTypes = []string{typePGN, typePDN, "application/x-chess-pgn", "text/plain", "application/octet-stream"}

// isUpload tells the one request whose body is a file.
func isUpload(r *http.Request) bool {
	rest, ok := strings.CutPrefix(r.URL.Path, "/v1/collections/")
	id, rest, _ := strings.Cut(rest, "/")
	return r.Method == http.MethodPost && ok && id != "" && rest == "imports"
}

func isRecords(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && slices.Contains(uploadTypes, kind)
}

// person is the account that a request comes from.
func (g *Gateway) person(r *http.Request) (identity.Caller, error) {
	caller, known, err := g.caller(r)
	switch {
	case err != nil:
		return caller, err
	case !known:
		return caller, rpc.Fail("not_logged_in", "")
	case caller.Account == "":
		return caller, rpc.Fail("account_required", "")
	}
	return caller, nil
}

// asker is the account that a request comes from; false where there is none or it
// asks too often, which has been answered then.
func (g *Gateway) asker(w http.ResponseWriter, r *http.Request) (identity.Caller, bool) {
	caller, err := g.person(r)
	if err != nil {
		g.fail(w, r, err)
		return caller, false
	}
	return caller, g.mayAsk(caller, w, r)
}

// importRecords takes a file of records and hands it on piece by piece, so that
// it never holds more than one. The same command again goes on where it broke off.
func (g *Gateway) importRecords(w http.ResponseWriter, r *http.Request) {
	caller, ok := g.asker(w, r)
	if !ok {
		return
	}
	if r.ContentLength > maxUpload {
		g.fail(w, r, rpc.Fail("body_too_large", "a file of records is at most 64 MiB"))
		return
	}
	select {
	case g.uploads <- struct{}{}:
		defer func() { <-g.uploads }()
	default:
		g.fail(w, r, rpc.Fail("too_many_imports", "too many files come in at once"))
		return
	}
	up := upload{
		gateway: g, body: r.Body, control: http.NewResponseController(w), collection: r.PathValue("collection"),
		buffer: make([]byte, 0, pieceSize),
	}
	done, err := up.run(identity.With(r.Context(), caller), r.ContentLength)
	_ = up.control.SetWriteDeadline(time.Now().Add(pieceTime)) // the upload may have outlived the server's
	if err != nil {
		g.fail(w, r, err)
		return
	}
	text, err := marshal(&playv1.GetImportResponse{Import: done})
	if err != nil {
		g.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_, _ = w.Write(append(text, '\n')) // a client that is gone needs no answer
}

// upload is a file on its way in.
type upload struct {
	gateway    *Gateway
	body       io.Reader
	control    *http.ResponseController
	collection string
	// buffer holds the file from offset on; ended says that it holds the rest.
	buffer []byte
	offset int32
	ended  bool
}

func (u *upload) run(ctx context.Context, size int64) (*playv1.Import, error) {
	begun, err := u.begin(ctx, max(0, size))
	if err != nil {
		return nil, err
	}
	if begun.GetStatus() == "finished" {
		return begun, nil
	}
	if err := u.skipTo(begun.GetRead()); err != nil {
		return nil, err
	}
	// A key of its own for every piece would be one more thing to remember: the
	// offset tells a piece from the next.
	ctx = rpc.WithKey(ctx, "")
	for {
		if err := u.fill(); err != nil {
			return nil, err
		}
		now, err := u.send(ctx, begun.GetId())
		switch {
		case err != nil:
			return nil, err
		case now.GetStatus() == "finished":
			return now, nil
		case now.GetStatus() != "running", now.GetRead() < u.offset,
			now.GetRead() == u.offset && (u.ended || len(u.buffer) == pieceSize):
			return nil, rpc.Fail("import_ended", "")
		}
		if err := u.skipTo(now.GetRead()); err != nil {
			return nil, err
		}
	}
}

func (u *upload) begin(ctx context.Context, size int64) (*playv1.Import, error) {
	ctx, cancel := context.WithTimeout(ctx, restTime)
	defer cancel()
	begun, err := u.gateway.collections.BeginImport(ctx, &playv1.BeginImportRequest{Collection: u.collection, Bytes: int32(size)})
	return begun.GetImport(), err
}

func (u *upload) send(ctx context.Context, id string) (*playv1.Import, error) {
	ctx, cancel := context.WithTimeout(ctx, pieceTime)
	defer cancel()
	now, err := u.gateway.collections.ImportPiece(ctx, &playv1.ImportPieceRequest{
		Collection: u.collection, Import: id, Offset: u.offset, Text: u.buffer, Last: u.ended,
	})
	return now.GetImport(), err
}

// skipTo drops what is done with.
func (u *upload) skipTo(offset int32) error {
	n := int(offset - u.offset)
	if n < 0 {
		return rpc.Fail("import_ended", "")
	}
	kept := min(n, len(u.buffer))
	u.buffer = u.buffer[:copy(u.buffer, u.buffer[kept:])]
	for n -= kept; n > 0; {
		u.wait()
		passed, err := io.CopyN(io.Discard, u.body, int64(min(n, pieceSize)))
		if n -= int(passed); errors.Is(err, io.EOF) {
			return rpc.Fail("import_ended", "the file is shorter than what the import has read")
		} else if err != nil {
			return uploadProblem(err)
		}
	}
	u.offset = offset
	return nil
}

// fill reads until the buffer is full or the file ends.
func (u *upload) fill() error {
	for !u.ended && len(u.buffer) < pieceSize {
		u.wait()
		n, err := u.body.Read(u.buffer[len(u.buffer):pieceSize])
		u.buffer = u.buffer[:len(u.buffer)+n]
		if u.ended = errors.Is(err, io.EOF); err != nil && !u.ended {
			return uploadProblem(err)
		}
	}
	return nil
}

// wait gives what comes next its own time: a long file outlives the server's.
func (u *upload) wait() { _ = u.control.SetReadDeadline(time.Now().Add(pieceTime)) }

func uploadProblem(err error) error {
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return rpc.Fail("body_too_large", "a file of records is at most 64 MiB")
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return rpc.Fail("request_timeout", "")
	}
	return rpc.Fail("bad_request", "the body could not be read")
}

// exportCollection streams all records of a collection.
func (g *Gateway) exportCollection(w http.ResponseWriter, r *http.Request) {
	caller, ok := g.asker(w, r)
	if !ok {
		return
	}
	var after int32
	g.export(w, r, caller, func(ctx context.Context) (run, error) {
		out, err := g.collections.ExportRecords(ctx, &playv1.ExportRecordsRequest{Collection: r.PathValue("collection"), After: after})
		after = out.GetNext()
		return run{out.GetText(), out.GetRules(), after != 0}, err
	})
}

// exportGames streams the caller's finished games.
func (g *Gateway) exportGames(rules string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		caller, ok := g.asker(w, r)
		if !ok {
			return
		}
		before := ""
		g.export(w, r, caller, func(ctx context.Context) (run, error) {
			out, err := g.collections.ExportGames(ctx, &playv1.ExportGamesRequest{Rules: rules, Before: before})
			before = out.GetNext()
			return run{out.GetText(), rules, before != ""}, err
		})
	}
}

// gameRecord answers with one game as a record.
func (g *Gateway) gameRecord(w http.ResponseWriter, r *http.Request) {
	caller, known, err := g.caller(r)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	if !g.mayAsk(caller, w, r) {
		return
	}
	if !known {
		caller = identity.Caller{Guest: true, Session: uuid.NewString()}
	}
	g.export(w, r, caller, func(ctx context.Context) (run, error) {
		out, err := g.collections.GetGameRecord(ctx, &playv1.GetGameRecordRequest{Game: r.PathValue("game")})
		return run{out.GetText(), out.GetRules(), false}, err
	})
}

// run is a part of an export.
type run struct {
	text, rules string
	more        bool
}

// export writes runs until there are no more. One that fails before the first
// byte is a problem; one that fails later breaks the answer off, so that nobody
// takes it for whole.
func (g *Gateway) export(w http.ResponseWriter, r *http.Request, caller identity.Caller, next func(context.Context) (run, error)) {
	control := http.NewResponseController(w)
	ctx := identity.With(r.Context(), caller)
	for first := true; ; first = false {
		part, err := withTime(ctx, next)
		if err != nil {
			if !first {
				panic(http.ErrAbortHandler)
			}
			g.fail(w, r, err)
			return
		}
		if first {
			kind, name := typePGN, "games.pgn"
			if part.rules == "draughts" {
				kind, name = typePDN, "games.pdn"
			}
			w.Header().Set("Content-Type", kind+"; charset=utf-8")
			w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
			w.WriteHeader(http.StatusOK)
		}
		_ = control.SetWriteDeadline(time.Now().Add(pieceTime)) // each run has its own
		if _, err := io.WriteString(w, part.text); err != nil {
			return // the client is gone
		}
		if !part.more {
			return
		}
	}
}

func withTime(ctx context.Context, next func(context.Context) (run, error)) (run, error) {
	ctx, cancel := context.WithTimeout(ctx, restTime)
	defer cancel()
	return next(ctx)
}
