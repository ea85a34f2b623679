package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"
)

// domain marks our reasons among the details of a gRPC status.
const domain = "tabuleiro"

// Bounds of what one Problem carries, so that it fits into gRPC's trailers.
const (
	maxItems  = 64
	maxDetail = 1024 // bytes
)

// Problem is what a client is told when something is refused or fails.
type Problem struct {
	// Code is a code of the Catalogue; any other one leaves as "internal".
	Code string
	// Detail is a sentence for people, about this case; at most 1 KiB.
	Detail string
	// Fields are the faults of single fields; at most 64.
	Fields []Field
	// Squares are those that show why a move is refused; at most 64.
	Squares []string
	// Moves are those that could have been meant, or must be played; at most 64.
	Moves []string
	// Ways are the ways out of check by kind; at most 64 moves in all.
	Ways []Way
	// Lessons are those that are missing at a closed gate; at most 64.
	Lessons []string
	// Classes are the names of those that stand in the way; at most 64.
	Classes []string
	// RetryAfter is when to try again; 0 for unknown.
	RetryAfter time.Duration
}

// Field is one fault of one field.
type Field struct {
	// Name is the field's path in JSON, such as "clock.initial_ms".
	Name string
	// Code is a stable word, such as "required" or "int32.gte_lte".
	Code string
	// Detail is a sentence for people.
	Detail string
}

// Way is one kind of way out of check.
type Way struct {
	// Kind is "capture", "flee" or "block".
	Kind string `json:"kind"`
	// Moves are exact move texts; at least one.
	Moves []string `json:"moves"`
}

// Fail makes a Problem from its code and a sentence about this case.
func Fail(code, detail string) *Problem { return &Problem{Code: code, Detail: detail} }

// Error is the code and the detail.
func (p *Problem) Error() string {
	if p.Detail == "" {
		return p.Code
	}
	return p.Code + ": " + p.Detail
}

// Is makes errors.Is(err, rpc.Fail(code, "")) compare codes.
func (p *Problem) Is(target error) bool {
	var other *Problem
	return errors.As(target, &other) && other.Code == p.Code
}

// GRPCStatus carries the whole Problem in the details of a status.
func (p *Problem) GRPCStatus() *status.Status {
	entry, ok := Lookup(p.Code)
	if !ok {
		return Fail("internal", "").GRPCStatus()
	}
	info := &errdetails.ErrorInfo{Reason: p.Code, Domain: domain, Metadata: map[string]string{}}
	detail := clip(p.Detail)
	message := detail
	if detail == "" {
		message = entry.Title
		info.Metadata["detail"] = "none"
	}
	putList(info.Metadata, "squares", p.Squares)
	putList(info.Metadata, "moves", p.Moves)
	putList(info.Metadata, "lessons", p.Lessons)
	putList(info.Metadata, "classes", p.Classes)
	putList(info.Metadata, "ways", boundedWays(p.Ways))
	details := []protoadapt.MessageV1{protoadapt.MessageV1Of(info)}
	if len(p.Fields) > 0 {
		bad := &errdetails.BadRequest{}
		for _, f := range p.Fields[:min(len(p.Fields), maxItems)] {
			bad.FieldViolations = append(bad.FieldViolations, &errdetails.BadRequest_FieldViolation{
				Field: clip(f.Name), Reason: clip(f.Code), Description: clip(f.Detail),
			})
		}
		details = append(details, protoadapt.MessageV1Of(bad))
	}
	if p.RetryAfter > 0 {
		details = append(details, protoadapt.MessageV1Of(&errdetails.RetryInfo{RetryDelay: durationpb.New(p.RetryAfter)}))
	}
	st := status.New(entry.GRPC, message)
	if whole, err := st.WithDetails(details...); err == nil {
		return whole
	}
	return st
}

// ProblemOf finds the Problem in an error: one of this process, or one that came
// in a gRPC status. False where the error holds none.
func ProblemOf(err error) (*Problem, bool) {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p, true
	}
	// Not status.FromError: it puts the text of wrappers into the message.
	carrier, ok := errors.AsType[interface {
		error
		GRPCStatus() *status.Status
	}](err)
	if !ok {
		return nil, false
	}
	return problemOfStatus(carrier.GRPCStatus())
}

// ToProblem makes a Problem of any error but nil: its own, or what a failed call
// or an ended context means to a client, or "internal" without the cause's text.
func ToProblem(err error) *Problem {
	if p, ok := ProblemOf(err); ok {
		if _, known := Lookup(p.Code); known {
			return p
		}
		return Fail("internal", "")
	}
	code := codes.Unknown
	if carrier, ok := errors.AsType[interface {
		error
		GRPCStatus() *status.Status
	}](err); ok {
		code = carrier.GRPCStatus().Code()
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded), code == codes.DeadlineExceeded:
		return Fail("timeout", "")
	case errors.Is(err, context.Canceled), code == codes.Canceled:
		return Fail("cancelled", "")
	case code == codes.Unavailable:
		return Fail("unavailable", "")
	}
	return Fail("internal", "")
}

func problemOfStatus(st *status.Status) (*Problem, bool) {
	var p *Problem
	var fields []Field
	var retry time.Duration
	for _, detail := range st.Details() {
		switch d := detail.(type) {
		case *errdetails.ErrorInfo:
			if d.GetDomain() != domain {
				continue
			}
			p = &Problem{Code: d.GetReason(), Detail: st.Message()}
			if d.GetMetadata()["detail"] == "none" {
				p.Detail = ""
			}
			p.Squares = getList[string](d.GetMetadata(), "squares")
			p.Moves = getList[string](d.GetMetadata(), "moves")
			p.Lessons = getList[string](d.GetMetadata(), "lessons")
			p.Classes = getList[string](d.GetMetadata(), "classes")
			p.Ways = getList[Way](d.GetMetadata(), "ways")
		case *errdetails.BadRequest:
			for _, v := range d.GetFieldViolations() {
				fields = append(fields, Field{Name: v.GetField(), Code: v.GetReason(), Detail: v.GetDescription()})
			}
		case *errdetails.RetryInfo:
			retry = d.GetRetryDelay().AsDuration()
		}
	}
	if p == nil {
		return nil, false
	}
	p.Fields, p.RetryAfter = fields, retry
	return p, true
}

// putList keeps a list as JSON, so that no text in it needs escaping of ours.
func putList[T any](into map[string]string, key string, list []T) {
	if len(list) == 0 {
		return
	}
	text, err := json.Marshal(list[:min(len(list), maxItems)])
	if err == nil { // strings always marshal
		into[key] = string(text)
	}
}

func getList[T any](from map[string]string, key string) []T {
	var list []T
	if text, ok := from[key]; ok && json.Unmarshal([]byte(text), &list) != nil {
		return nil
	}
	return list
}

// boundedWays leaves out the moves beyond the bound.
func boundedWays(ways []Way) []Way {
	left := maxItems
	var out []Way
	for _, w := range ways {
		if w.Moves = w.Moves[:min(len(w.Moves), left)]; len(w.Moves) > 0 {
			out = append(out, w)
		}
		left -= len(w.Moves)
	}
	return out
}

// clip bounds a text and makes it valid for protobuf.
func clip(text string) string {
	if len(text) > maxDetail {
		text = text[:maxDetail]
	}
	return strings.ToValidUTF8(text, "")
}
