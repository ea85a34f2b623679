-- +goose Up
CREATE INDEX item_by_n ON item (n);
