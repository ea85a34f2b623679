-- +goose Up

-- A move writes its game's row anew. Half of each page is left for that, and rows
-- of a page at most stay in it as they are: to compress a state of a few KiB and
-- put it elsewhere costs more than all else that a move writes.
ALTER TABLE game SET (fillfactor = 50, toast_tuple_target = 8160);
ALTER TABLE event SET (toast_tuple_target = 8160);
