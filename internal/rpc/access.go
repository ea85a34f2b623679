package rpc

import (
	"slices"
	"strings"
	"sync"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"tabuleiro/internal/identity"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
)

// method is what the contract says about a method.
type method struct {
	service, name string
	access        *commonv1.Access // nil: closed
	// idempotent: to call it twice is to call it once.
	idempotent bool
}

// methods remembers what was read from the contracts; they do not change.
type methods struct{ known sync.Map }

func (m *methods) of(full string) method {
	if found, ok := m.known.Load(full); ok {
		return found.(method)
	}
	read := readMethod(full)
	if read.access != nil { // bounded by the contracts, not by what is asked
		m.known.Store(full, read)
	}
	return read
}

// readMethod finds "/package.Service/Method" in the linked contracts.
func readMethod(full string) method {
	service, name, _ := strings.Cut(strings.TrimPrefix(full, "/"), "/")
	m := method{service: service, name: name}
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service).Append(protoreflect.Name(name)))
	if err != nil {
		return m
	}
	descriptor, ok := found.(protoreflect.MethodDescriptor)
	if !ok {
		return m
	}
	options, ok := descriptor.Options().(*descriptorpb.MethodOptions)
	if !ok || options == nil {
		return m
	}
	if proto.HasExtension(options, commonv1.E_Access) {
		m.access, _ = proto.GetExtension(options, commonv1.E_Access).(*commonv1.Access)
	}
	rule, _ := proto.GetExtension(options, annotations.E_Http).(*annotations.HttpRule)
	m.idempotent = rule.GetGet() != "" || m.access.GetCommand() ||
		options.GetIdempotencyLevel() != descriptorpb.MethodOptions_IDEMPOTENCY_UNKNOWN
	return m
}

// admit decides whether the caller may call the method at all; the rights to
// single objects are decided where the objects live.
func admit(access *commonv1.Access, caller identity.Caller, known bool) *Problem {
	switch {
	case access == nil:
		return Fail("forbidden", "the method is closed")
	case access.GetPublic():
		return nil
	case !known:
		return Fail("not_logged_in", "")
	}
	persons := access.GetGuest() || access.GetAccount() || len(access.GetRoles()) > 0
	switch {
	case caller.Service != "":
		if slices.Contains(access.GetServices(), caller.Service) {
			return nil
		}
		// The gateway calls as itself when nobody is logged in.
		if caller.Service == identity.Gateway && persons {
			return Fail("not_logged_in", "")
		}
	case caller.Guest:
		if access.GetGuest() {
			return nil
		}
		if persons {
			return Fail("account_required", "")
		}
	case caller.Account != "":
		if access.GetAccount() || slices.ContainsFunc(access.GetRoles(), caller.Has) {
			return nil
		}
	}
	return Fail("forbidden", "")
}
