package gateway

import (
	"encoding/json"
	"net/http"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// startPairing gives a device its codes.
func (g *Gateway) startPairing(w http.ResponseWriter, r *http.Request) {
	if !g.may(g.limits.pairings, w, r) {
		return
	}
	var req accountsv1.StartPairingRequest
	if problem := decode(r.Body, &req); problem != nil {
		g.fail(w, r, problem)
		return
	}
	req.Network = g.network(r)
	answer, err := g.access.StartPairing(r.Context(), &req)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	text, err := marshal(answer)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusCreated, json.RawMessage(text))
}

// pollPairing tells a device what has become of it. The session of a shared PC goes
// into its cookie, as with a log-in.
func (g *Gateway) pollPairing(w http.ResponseWriter, r *http.Request) {
	if !g.may(g.limits.polls, w, r) {
		return
	}
	var req accountsv1.TakePairingRequest
	if problem := decode(r.Body, &req); problem != nil {
		g.fail(w, r, problem)
		return
	}
	req.Device, req.Network = deviceOf(r.UserAgent()), g.network(r)
	answer, err := g.access.TakePairing(r.Context(), &req)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	told := map[string]any{"status": answer.GetStatus()}
	if answer.GetIntervalS() > 0 {
		told["interval_s"] = answer.GetIntervalS()
	}
	if board := answer.GetBoard(); board != nil {
		text, err := marshal(board)
		if err != nil {
			g.fail(w, r, err)
			return
		}
		told["board"], told["board_secret"] = json.RawMessage(text), answer.GetBoardSecret()
	}
	if session := answer.GetSession(); session != nil {
		opened, err := g.opened(w, r, session)
		if err != nil {
			g.fail(w, r, err)
			return
		}
		told["account"], told["expires_at"] = opened["account"], opened["expires_at"]
	}
	writeJSON(w, http.StatusOK, told)
}
