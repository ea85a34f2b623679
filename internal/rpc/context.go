package rpc

import (
	"context"
	"crypto/rand"

	"google.golang.org/grpc/metadata"
)

// The metadata that calls carry.
const (
	keyHeader     = "idempotency-key"
	requestHeader = "x-request-id"
	callerHeader  = "tabuleiro-caller"
)

// Bounds of what is taken from outside, in bytes.
const (
	maxKey       = 128
	maxRequestID = 64
)

type keyContext struct{}
type requestContext struct{}

// Key is the idempotency key of the call; empty where it has none.
func Key(ctx context.Context) string {
	key, _ := ctx.Value(keyContext{}).(string)
	return key
}

// WithKey gives the calls of the context an idempotency key.
func WithKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, keyContext{}, key)
}

// ValidKey reports whether the text can be an idempotency key: 1 to 128 visible
// ASCII characters.
func ValidKey(key string) bool { return visible(key, maxKey) }

// RequestID names the request in logs and problems, over all processes that it
// passes; empty outside a request.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestContext{}).(string)
	return id
}

// WithRequestID names the request; the gateway does so at the door.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestContext{}, id)
}

// NewRequestID makes an id that nobody can guess.
func NewRequestID() string { return rand.Text() }

func visible(text string, longest int) bool {
	if text == "" || len(text) > longest {
		return false
	}
	for i := range len(text) {
		if text[i] < '!' || text[i] > '~' {
			return false
		}
	}
	return true
}

// one returns the value of a metadata key; false where it is sent twice.
func one(md metadata.MD, key string) (string, bool) {
	switch values := md.Get(key); len(values) {
	case 0:
		return "", true
	case 1:
		return values[0], true
	default:
		return "", false
	}
}
