package farm

import (
	"context"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/bus"
)

// Bus is what joins a coordinator and its workers. Every method may fail and
// may be slow: no answer waits for one.
type Bus interface {
	Publish(subject string, m proto.Message) error
	// Subscribe calls fn on one goroutine; what does not fit into the buffer is
	// dropped.
	Subscribe(subject string, buffer int, fn func(Message)) (unsubscribe func(), err error)
	Request(ctx context.Context, subject string, m, into proto.Message) error
}

// Message is what a subscriber gets.
type Message interface {
	Decode(into proto.Message) error
	Respond(answer proto.Message) error
}

// Over is the Bus of a connection.
func Over(conn *bus.Conn) Bus { return connection{conn} }

type connection struct{ *bus.Conn }

func (c connection) Subscribe(subject string, buffer int, fn func(Message)) (func(), error) {
	sub, err := c.Conn.Subscribe(subject, buffer, func(m bus.Message) { fn(m) })
	if err != nil {
		return nil, err
	}
	return sub.Unsubscribe, nil
}
