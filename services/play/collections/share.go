package collections

import (
	"context"
	"errors"
	"slices"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// maxShares is with how many classes a collection is shared.
const maxShares = 20

// maxShared is how many collections of others one is shown.
const maxShared = 200

// Class is a class that an account is in.
type Class struct {
	ID, Name string
	// Teaches says that the account is a teacher of it.
	Teaches  bool
	Teachers []string
}

// Classes are the classes of an account.
type Classes func(ctx context.Context, account string) ([]Class, error)

// Share is a collection that a class sees.
type Share struct{ Collection, Class string }

func (s *Service) classes(ctx context.Context, account string) ([]Class, error) {
	if s.deps.Classes == nil {
		return nil, nil
	}
	return s.deps.Classes(ctx, account)
}

// readable finds a collection that the caller may read: their own, or one that a
// teacher of a class of theirs shares with it. Who teaches the class no more shares
// nothing with it.
func (s *Service) readable(ctx context.Context, id string) (Collection, error) {
	c, err := s.collection(ctx, id)
	if p, ok := rpc.ProblemOf(err); !ok || p.Code != "collection_not_found" {
		return c, err
	}
	caller, _ := identity.From(ctx)
	shared, _, err := s.sharedWith(ctx, caller.Account)
	if err != nil {
		return Collection{}, err
	}
	for _, c := range shared {
		if c.ID == id {
			return c, nil
		}
	}
	return Collection{}, rpc.Fail("collection_not_found", "")
}

// sharedWith are the collections of others that an account sees, and with which of
// its classes each is shared.
func (s *Service) sharedWith(ctx context.Context, account string) ([]Collection, map[string][]Class, error) {
	classes, err := s.classes(ctx, account)
	if err != nil || len(classes) == 0 {
		return nil, nil, err
	}
	ids := make([]string, len(classes))
	for i, class := range classes {
		ids[i] = class.ID
	}
	list, shares, err := s.deps.Store.SharedWith(ctx, ids, maxShared)
	if err != nil {
		return nil, nil, problemOf(err)
	}
	with := map[string][]Class{}
	for _, share := range shares {
		at := slices.IndexFunc(list, func(c Collection) bool { return c.ID == share.Collection })
		for _, class := range classes {
			if at >= 0 && class.ID == share.Class && list[at].Owner != account && slices.Contains(class.Teachers, list[at].Owner) {
				with[share.Collection] = append(with[share.Collection], class)
			}
		}
	}
	return slices.DeleteFunc(list, func(c Collection) bool { return len(with[c.ID]) == 0 }), with, nil
}

// shown are own collections as their owner sees them.
func (s *Service) shown(ctx context.Context, list ...Collection) ([]*playv1.Collection, error) {
	var out []*playv1.Collection
	ids := make([]string, len(list))
	for i, c := range list {
		m := c.wire()
		m.Own = true
		out, ids[i] = append(out, m), c.ID
	}
	shares, err := s.deps.Store.Shares(ctx, ids)
	if err != nil || len(shares) == 0 {
		return out, problemOf(err)
	}
	classes, err := s.classes(ctx, list[0].Owner)
	if err != nil {
		return nil, err
	}
	for _, share := range shares {
		name := ""
		if i := slices.IndexFunc(classes, func(c Class) bool { return c.ID == share.Class && c.Teaches }); i >= 0 {
			name = classes[i].Name
		}
		i := slices.Index(ids, share.Collection)
		out[i].Shares = append(out[i].Shares, &playv1.CollectionShare{Class: share.Class, Name: name})
	}
	return out, nil
}

// listShared lists what others share with classes of the caller.
func (s *Service) listShared(ctx context.Context, account string) (*playv1.ListCollectionsResponse, error) {
	list, with, err := s.sharedWith(ctx, account)
	if err != nil {
		return nil, err
	}
	out := &playv1.ListCollectionsResponse{}
	for _, c := range list {
		out.Collections = append(out.Collections, c.foreign(with[c.ID]))
	}
	return out, nil
}

// foreign is a collection as those see it with whom it is shared.
func (c Collection) foreign(with []Class) *playv1.Collection {
	m := c.wire()
	for _, class := range with {
		m.Shares = append(m.Shares, &playv1.CollectionShare{Class: class.ID, Name: class.Name})
	}
	return m
}

// ShareCollection implements playv1.CollectionsServiceServer.
func (s *Service) ShareCollection(ctx context.Context, in *playv1.ShareCollectionRequest) (*playv1.ShareCollectionResponse, error) {
	cmd, err := command(ctx, "ShareCollection", in)
	if err != nil {
		return nil, err
	}
	if _, err := s.collection(ctx, in.GetCollection()); err != nil {
		return nil, err
	}
	classes, err := s.classes(ctx, cmd.Owner)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(classes, func(c Class) bool { return c.ID == in.GetClass() && c.Teaches }) {
		return nil, rpc.Fail("class_not_found", "")
	}
	c, err := s.deps.Store.Share(ctx, cmd, in.GetCollection(), in.GetClass(), maxShares)
	if errors.Is(err, ErrTooManyShares) {
		return nil, rpc.Fail("too_many_shares", "")
	}
	if err != nil {
		return nil, problemOf(err)
	}
	shown, err := s.shown(ctx, c)
	if err != nil {
		return nil, err
	}
	return &playv1.ShareCollectionResponse{Collection: shown[0]}, nil
}

// UnshareCollection implements playv1.CollectionsServiceServer.
func (s *Service) UnshareCollection(ctx context.Context, in *playv1.UnshareCollectionRequest) (*playv1.UnshareCollectionResponse, error) {
	cmd, err := command(ctx, "UnshareCollection", in)
	if err != nil {
		return nil, err
	}
	c, err := s.deps.Store.Unshare(ctx, cmd, in.GetCollection(), in.GetClass())
	if err != nil {
		return nil, problemOf(err)
	}
	shown, err := s.shown(ctx, c)
	if err != nil {
		return nil, err
	}
	return &playv1.UnshareCollectionResponse{Collection: shown[0]}, nil
}
