package shapetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Client is one browser: an address and its cookies. It is safe for concurrent
// use.
type Client struct {
	URL  string
	HTTP *http.Client
}

// NewClient is a visitor without cookies. Nothing is asked yet.
func NewClient(url string) *Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		panic(err) // it has no options that could be wrong
	}
	// Connections of its own: those of a process that dies do not hurt others.
	return &Client{URL: url, HTTP: &http.Client{Jar: jar, Transport: &http.Transport{MaxIdleConnsPerHost: 4}}}
}

// Through is the same browser, with the same cookies, at another address.
func (c *Client) Through(url string) *Client { return &Client{URL: url, HTTP: c.HTTP} }

// Answer is what came back of a request.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Problem reads the body of an error; its code is empty where it is none.
func (a Answer) Problem() Problem {
	var p Problem
	if a.Header.Get("Content-Type") == "application/problem+json" {
		_ = json.Unmarshal(a.Body, &p) // then the code is empty
	}
	return p
}

// Into reads the body of a success.
func (a Answer) Into(v any) error {
	if a.Status < 200 || a.Status > 299 {
		return fmt.Errorf("status %d: %s", a.Status, a.Body)
	}
	if err := json.Unmarshal(a.Body, v); err != nil {
		return fmt.Errorf("reading %s: %w", a.Body, err)
	}
	return nil
}

// Game reads the game in the body of a success.
func (a Answer) Game() (Game, error) {
	var body struct {
		Game Game `json:"game"`
	}
	err := a.Into(&body)
	return body.Game, err
}

// answerTime bounds one request, on a machine that is busy.
const answerTime = 30 * time.Second

// NewKey makes an Idempotency-Key.
func NewKey() string { return uuid.NewString() }

// Do asks once. A body that is text is sent as it is, any other as JSON. An empty
// key sends none. The error is that no answer came.
func (c *Client) Do(ctx context.Context, method, path, key string, body any) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	req, err := c.request(ctx, method, path, key, body)
	if err != nil {
		return Answer{}, err
	}
	response, err := c.HTTP.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Status: response.StatusCode, Header: response.Header, Body: text}, nil
}

// Insist asks until an answer comes, for a minute at most. All tests come from
// one address, from where so many may log in at once: who is told to wait does.
// And on a machine that is very busy an answer may come too late, and the time not
// be known well: like every client, this one asks again with the same key.
func (c *Client) Insist(ctx context.Context, method, path, key string, body any) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var answer Answer
	err := Poll(ctx, func() (_ bool, err error) {
		answer, err = c.Do(ctx, method, path, key, body)
		code := answer.Problem().Code
		return code != "too_many_requests" && code != "timeout" && code != "clock_uncertain", err
	})
	return answer, err
}

func (c *Client) request(ctx context.Context, method, path, key string, body any) (*http.Request, error) {
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		text, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		reader = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.URL+path, reader)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	return req, nil
}
