package main

import (
	"github.com/getkin/kin-openapi/openapi3"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// accessOption is the option that says who may call a method. It is read by name:
// this program cannot depend on the code that it generates.
const accessOption protoreflect.FullName = "tabuleiro.common.v1.access"

type access struct{ public, guest, account, command bool }

// accessOf returns who may call each of our methods, by operation id.
func (s source) accessOf() map[string]access {
	out := map[string]access{}
	for _, file := range s.set.File {
		for _, service := range file.Service {
			for _, method := range service.Method {
				var a access
				method.GetOptions().ProtoReflect().Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
					if fd.FullName() == accessOption {
						a = readAccess(v.Message())
					}
					return true
				})
				out[service.GetName()+"_"+method.GetName()] = a
			}
		}
	}
	return out
}

func readAccess(m protoreflect.Message) access {
	fields := m.Descriptor().Fields()
	set := func(name protoreflect.Name) bool {
		fd := fields.ByName(name)
		return fd != nil && m.Has(fd)
	}
	return access{
		public:  set("public"),
		guest:   set("guest"),
		account: set("account") || set("roles"),
		command: set("command"),
	}
}

// addAccess writes down what the gateway asks of each generated operation: how
// the caller is known, and the key of a command. The hand-written part defines
// what it refers to.
func addAccess(doc *openapi3.T, methods map[string]access) {
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			a, ok := methods[op.OperationID]
			if !ok {
				continue
			}
			security := openapi3.SecurityRequirements{}
			if !a.public && (a.guest || a.account) {
				security = append(security, requirement("session"), requirement("bearer"))
				if a.guest {
					security = append(security, requirement("guest"))
				}
			}
			op.Security = &security
			if a.command {
				op.Parameters = append(op.Parameters, &openapi3.ParameterRef{Ref: "#/components/parameters/IdempotencyKey"})
			}
		}
	}
}

func requirement(scheme string) openapi3.SecurityRequirement {
	return openapi3.SecurityRequirement{scheme: {}}
}
