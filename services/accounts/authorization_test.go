package accounts

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// Verdicts on calls about the pupil Ana and her class, by what the caller is to
// them. A caller that a row does not name hears its last word, "else:".
var verdicts = map[string]string{
	"Relations":     "play:ok gateway:ok tutor:ok nobody:not_logged_in else:forbidden",
	"ClassesOf":     "play:ok nobody:not_logged_in else:forbidden",
	"ListDeletions": "play:ok tutor:ok nobody:not_logged_in else:forbidden",
	"RecordAudit":   "play:ok tutor:ok nobody:not_logged_in else:forbidden",

	"UseAccessCode": "else:ok",

	"GiveRole":   "operator:ok nobody:not_logged_in gateway:not_logged_in guest:account_required else:forbidden",
	"TakeRole":   "operator:ok nobody:not_logged_in gateway:not_logged_in guest:account_required else:forbidden",
	"FindPerson": "operator:ok nobody:not_logged_in gateway:not_logged_in guest:account_required else:forbidden",
	"CheckAudit": "operator:ok nobody:not_logged_in gateway:not_logged_in guest:account_required else:forbidden",

	"CreateClass": "teacher:ok former:ok other:ok nobody:not_logged_in gateway:not_logged_in guest:account_required else:forbidden",
	"AddPupils":   teachersOnly,
	"UpdatePupil": teachersOnly,
	"MovePupil":   teachersOnly,
	"RemovePupil": teachersOnly,
	"ResetAccess": teachersOnly,

	"UpdateClass":   teachersAndOperators,
	"AddTeacher":    teachersAndOperators,
	"RemoveTeacher": teachersAndOperators,
	"ListAudit":     teachersAndOperators,
	"KeepPupils":    teachersAndOperators,
	"MakeCode":      "teacher:ok operator:ok former:account_not_found other:account_not_found nobody:not_logged_in gateway:not_logged_in guest:account_required else:forbidden",

	"GetClass":      "teacher:ok operator:ok self:ok classmate:ok nobody:not_logged_in gateway:not_logged_in guest:account_required play:forbidden tutor:forbidden else:class_not_found",
	"ListClasses":   accountsAll,
	"ListRelations": accountsAll,
	"ClaimCode":     accountsAll,
	"DeleteMe":      "teacher:last_teacher other:last_teacher " + accountsAll,

	"AllowPublic":   "teacher:ok operator:ok guardian:ok " + strangersFindNothing,
	"EndGuardian":   "teacher:ok operator:ok guardian:ok " + strangersFindNothing,
	"DeleteAccount": "teacher:ok operator:ok guardian:ok self:bad_field " + strangersFindNothing,
	"ExportAccount": "teacher:ok operator:ok guardian:ok self:ok " + strangersFindNothing,

	"GetDetails":     "teacher:ok operator:ok guardian:ok self:ok " + strangersFindNothing,
	"CorrectDetails": "teacher:ok operator:ok guardian:ok self:forbidden " + strangersFindNothing,
}

const (
	teachersOnly         = "teacher:ok former:class_not_found other:class_not_found nobody:not_logged_in gateway:not_logged_in guest:account_required else:forbidden"
	teachersAndOperators = "operator:ok " + teachersOnly
	accountsAll          = "nobody:not_logged_in gateway:not_logged_in guest:account_required play:forbidden tutor:forbidden else:ok"
	strangersFindNothing = "nobody:not_logged_in gateway:not_logged_in guest:account_required play:forbidden tutor:forbidden else:account_not_found"
)

func verdict(t *testing.T, method, who string) string {
	t.Helper()
	otherwise := ""
	for _, word := range strings.Fields(verdicts[method]) {
		name, code, _ := strings.Cut(word, ":")
		if name == who {
			return code
		}
		if name == "else" {
			otherwise = code
		}
	}
	return otherwise
}

// Who may do what about a pupil and a class, over the chain of a real server. A
// method of the contracts without verdicts here fails.
func TestAuthorizationByRelation(t *testing.T) {
	type call func(w *school, conn grpc.ClientConnInterface, ctx context.Context) error
	classes := accountsv1.NewClassesServiceClient
	privacy := accountsv1.NewPrivacyServiceClient
	calls := map[string]call{
		"GiveRole": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).GiveRole(ctx, &accountsv1.GiveRoleRequest{Account: w.stranger, Role: RoleTeacher})
			return err
		},
		"TakeRole": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).TakeRole(ctx, &accountsv1.TakeRoleRequest{Account: w.colleague, Role: RoleTeacher})
			return err
		},
		"FindPerson": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).FindPerson(ctx, &accountsv1.FindPersonRequest{Login: "Stranger"})
			return err
		},
		"KeepPupils": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).KeepPupils(ctx, &accountsv1.KeepPupilsRequest{Class: w.class})
			return err
		},
		"MakeCode": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).MakeCode(ctx, &accountsv1.MakeCodeRequest{Purpose: CodeGuardian, Account: w.ana})
			return err
		},
		"ClaimCode": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			code := must(w.api().MakeCode(w.by(w.teacher), &accountsv1.MakeCodeRequest{Purpose: CodePupil, Class: w.class})).Code
			_, err := classes(c).ClaimCode(ctx, &accountsv1.ClaimCodeRequest{Code: code})
			return err
		},
		"UseAccessCode": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).UseAccessCode(ctx, &accountsv1.UseAccessCodeRequest{Login: w.slips[0].Login, Code: w.slips[0].Code, Password: "segredo-123"})
			return err
		},
		"CreateClass": func(_ *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).CreateClass(ctx, &accountsv1.CreateClassRequest{Name: "x"})
			return err
		},
		"ListClasses": func(_ *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).ListClasses(ctx, &accountsv1.ListClassesRequest{})
			return err
		},
		"GetClass": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).GetClass(ctx, &accountsv1.GetClassRequest{Class: w.class})
			return err
		},
		"UpdateClass": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).UpdateClass(ctx, &accountsv1.UpdateClassRequest{Class: w.class, Name: new("x")})
			return err
		},
		"AddTeacher": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).AddTeacher(ctx, &accountsv1.AddTeacherRequest{Class: w.class, Login: "Otto"})
			return err
		},
		"RemoveTeacher": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			must(w.api().AddTeacher(w.by(w.operator), &accountsv1.AddTeacherRequest{Class: w.class, Login: "Helper"}))
			_, err := classes(c).RemoveTeacher(ctx, &accountsv1.RemoveTeacherRequest{Class: w.class, Account: w.helper})
			return err
		},
		"AddPupils": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).AddPupils(ctx, &accountsv1.AddPupilsRequest{Class: w.class, Names: []string{"Caio"}})
			return err
		},
		"UpdatePupil": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).UpdatePupil(ctx, &accountsv1.UpdatePupilRequest{Class: w.class, Account: w.ana, Name: new("x")})
			return err
		},
		"MovePupil": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			to := must(w.api().CreateClass(w.by(w.teacher), &accountsv1.CreateClassRequest{Name: "to"})).Class.Id
			_, err := classes(c).MovePupil(ctx, &accountsv1.MovePupilRequest{Class: w.class, Account: w.ana, To: to})
			return err
		},
		"RemovePupil": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).RemovePupil(ctx, &accountsv1.RemovePupilRequest{Class: w.class, Account: w.ana})
			return err
		},
		"ResetAccess": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).ResetAccess(ctx, &accountsv1.ResetAccessRequest{Class: w.class, Accounts: []string{w.ana}})
			return err
		},
		"AllowPublic": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).AllowPublic(ctx, &accountsv1.AllowPublicRequest{Account: w.ana, Allowed: true})
			return err
		},
		"ListRelations": func(_ *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).ListRelations(ctx, &accountsv1.ListRelationsRequest{})
			return err
		},
		"EndGuardian": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).EndGuardian(ctx, &accountsv1.EndGuardianRequest{Account: w.ana, Guardian: w.guardian})
			return err
		},
		"Relations": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).Relations(ctx, &accountsv1.RelationsRequest{Viewer: w.teacher, Subjects: []string{w.ana}})
			return err
		},
		"ClassesOf": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := classes(c).ClassesOf(ctx, &accountsv1.ClassesOfRequest{Account: w.teacher})
			return err
		},
		"ExportAccount": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := privacy(c).ExportAccount(ctx, &accountsv1.ExportAccountRequest{Account: w.ana})
			return err
		},
		"DeleteMe": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			caller, _ := identity.From(ctx)
			if caller.Account == w.ana || caller.Account == w.rui { // theirs is not set yet
				for _, slip := range w.slips {
					if err := w.useSlip(slip, "segredo-123"); err != nil {
						return err
					}
				}
			}
			if caller.Account == w.operator {
				code := must(w.api().MakeCode(w.by(w.operator), &accountsv1.MakeCodeRequest{Purpose: CodeTeacher}))
				must(w.api().ClaimCode(w.by(w.stranger), &accountsv1.ClaimCodeRequest{Code: code.Code}))
				change(w.t, w.store, func(ctx context.Context, tx SchoolWriter) error {
					return tx.SetRole(ctx, w.stranger, RoleOperator, true)
				})
			}
			_, err := privacy(c).DeleteMe(ctx, &accountsv1.DeleteMeRequest{Password: "segredo-123"})
			return err
		},
		"DeleteAccount": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := privacy(c).DeleteAccount(ctx, &accountsv1.DeleteAccountRequest{Account: w.ana})
			return err
		},
		"GetDetails": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := privacy(c).GetDetails(ctx, &accountsv1.GetDetailsRequest{Account: w.ana})
			return err
		},
		"CorrectDetails": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := privacy(c).CorrectDetails(ctx, &accountsv1.CorrectDetailsRequest{Account: w.ana, BirthDate: new("1990-01-01")})
			return err
		},
		"ListDeletions": func(_ *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := privacy(c).ListDeletions(ctx, &accountsv1.ListDeletionsRequest{})
			return err
		},
		"RecordAudit": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := privacy(c).RecordAudit(ctx, &accountsv1.RecordAuditRequest{Actor: w.teacher, Action: "gate_opened", Subjects: []string{w.ana}})
			return err
		},
		"ListAudit": func(w *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := privacy(c).ListAudit(ctx, &accountsv1.ListAuditRequest{Class: w.class})
			return err
		},
		"CheckAudit": func(_ *school, c grpc.ClientConnInterface, ctx context.Context) error {
			_, err := privacy(c).CheckAudit(ctx, &accountsv1.CheckAuditRequest{})
			return err
		},
	}
	callers := []string{"self", "classmate", "teacher", "former", "other", "guardian", "operator", "stranger", "child", "guest", "nobody", "gateway", "play", "tutor"}
	for _, service := range []grpc.ServiceDesc{accountsv1.ClassesService_ServiceDesc, accountsv1.PrivacyService_ServiceDesc} {
		for _, method := range service.Methods {
			call := calls[method.MethodName]
			if call == nil || verdicts[method.MethodName] == "" {
				t.Errorf("%s has no verdicts", method.MethodName)
				continue
			}
			t.Run(method.MethodName, func(t *testing.T) {
				for _, who := range callers {
					w := newSchool(t)
					w.helper = w.adult("Helper")
					must(w.api().GiveRole(w.by(w.operator), &accountsv1.GiveRoleRequest{Account: w.helper, Role: RoleTeacher}))
					must(w.api().AddTeacher(w.by(w.teacher), &accountsv1.AddTeacherRequest{Class: w.class, Login: "carla"}))
					must(w.api().RemoveTeacher(w.by(w.teacher), &accountsv1.RemoveTeacherRequest{Class: w.class, Account: w.colleague}))
					conn, ctx := w.conn.Dial(w.clientConfig(identity.Gateway)), rpc.WithKey(t.Context(), "a-key")
					switch who {
					case "guest":
						ctx = rpc.WithKey(identity.With(t.Context(), identity.Caller{Guest: true, Session: id(3)}), "a-key")
					case "nobody":
						conn = w.conn.Dial(rpc.ClientConfig{})
					case "gateway":
					case "play", "tutor":
						conn = w.conn.Dial(w.clientConfig(who))
					default:
						ctx = w.by(map[string]string{
							"self": w.ana, "classmate": w.rui, "teacher": w.teacher, "former": w.colleague, "other": w.other,
							"guardian": w.guardian, "operator": w.operator, "stranger": w.stranger, "child": w.child,
						}[who])
					}
					got := "ok"
					if err := call(w, conn, ctx); err != nil {
						got = rpc.ToProblem(err).Code
					}
					if want := verdict(t, method.MethodName, who); got != want {
						t.Errorf("%s: %s, want %s", who, got, want)
					}
				}
			})
		}
	}
}
