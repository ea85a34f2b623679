package main

import (
	"io/fs"

	"tabuleiro/content"
	"tabuleiro/gateway"
	"tabuleiro/internal/app"
	"tabuleiro/services/accounts"
	"tabuleiro/services/play"
	"tabuleiro/services/rules"
	"tabuleiro/services/search"
	"tabuleiro/services/tutor"
)

// roles are all that a process may run, with the services that each calls: the
// call graph of the design.
func roles() []app.Role {
	endings := new(search.Endings)
	return []app.Role{
		{Name: "rules", Bind: rules.Bind},
		{Name: "accounts", Bind: accounts.Bind},
		{Name: "search", Bind: search.BindWith(content.Openings(), endings)},
		{Name: "worker", Bind: search.BindWorkerWith(endings)},
		{Name: "tutor", Needs: []string{"rules", "search", "accounts"}, Bind: tutor.Bind},
		{Name: "play", Needs: []string{"rules", "search", "accounts", "tutor"}, Bind: play.BindWith(content.Openings())},
		{Name: "gateway", Needs: []string{"rules", "accounts", "tutor", "play"}, Bind: gateway.Bind},
	}
}

// migrations are those of every service that keeps data.
func migrations() map[string]fs.FS {
	return map[string]fs.FS{
		"accounts": accounts.Migrations(),
		"play":     play.Migrations(),
		"tutor":    tutor.Migrations(),
	}
}
