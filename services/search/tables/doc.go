// Package tables keeps the tables of draughts endings as files: it builds them on
// first use, maps them into memory and hands them to searches.
//
// A number of pieces has a file of its own, draughts-4.endings for 4, in the
// folder tables/ of the data folder: a header, which says what the file is and
// carries checksums, and the bytes as package endings lays them out. A file is
// written under another name, synced and then renamed, so that it is there whole
// or not at all; a file that is damaged, cut off or of another version is told
// from the checksums, said, and built anew. Processes that share a folder take
// turns, by a lock.
//
// A mapping stays until the process ends: a search may read it at any time.
package tables
