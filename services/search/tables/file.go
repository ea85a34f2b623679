package tables

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"syscall"

	"tabuleiro/services/search/engine/endings"
)

const (
	magic = "TBLEND\r\n" // shows files that were sent as text
	// version changes with the layout of package endings.
	version = 1
	// headerSize keeps what follows on a boundary of pages.
	headerSize = 4096
)

// header is what a file begins with, in little-endian order; zeros follow.
type header struct {
	Magic   [len(magic)]byte
	Version uint32
	Pieces  uint32
	Size    uint64 // of what follows the header
	Sum     uint32 // CRC-32C of what follows the header
	Own     uint32 // CRC-32C of the header up to here
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func newHeader(pieces int, data []byte) header {
	h := header{
		Version: version, Pieces: uint32(pieces), Size: uint64(len(data)), Sum: crc32.Checksum(data, castagnoli),
	}
	copy(h.Magic[:], magic)
	h.Own = h.sum()
	return h
}

// sum is the checksum of all fields before it.
func (h *header) sum() uint32 {
	b := h.bytes()
	return crc32.Checksum(b[:len(b)-4], castagnoli)
}

func (h *header) bytes() []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, h); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// fault says what is wrong with a file of tables; it is built anew.
type fault struct{ text string }

func (f *fault) Error() string { return f.text }

func faultf(format string, args ...any) *fault { return &fault{fmt.Sprintf(format, args...)} }

// name is the file of a number of pieces.
func name(pieces int) string { return fmt.Sprintf("draughts-%d.endings", pieces) }

// open maps a file and checks it. The error is a *fault where the content is
// wrong, and fs.ErrNotExist where there is none.
func open(folder string, pieces int) ([]byte, error) {
	f, err := os.Open(filepath.Join(folder, name(pieces)))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := endings.Size(pieces)
	if info.Size() != int64(headerSize+size) {
		return nil, faultf("it has %d bytes, not %d", info.Size(), headerSize+size)
	}
	mapped, err := syscall.Mmap(int(f.Fd()), 0, headerSize+size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", f.Name(), err)
	}
	if err := check(mapped, pieces); err != nil {
		return nil, errors.Join(err, syscall.Munmap(mapped))
	}
	return mapped[headerSize:], nil
}

// memory is zero bytes outside of the garbage-collected heap, whose bounds would
// grow with them, and how to give them back.
func memory(size int) (data []byte, free func() error, err error) {
	data, err = syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, fmt.Errorf("%d bytes of memory: %w", size, err)
	}
	return data, func() error { return syscall.Munmap(data) }, nil
}

// check compares a file with its header.
func check(file []byte, pieces int) error {
	var h header
	if _, err := binary.Decode(file, binary.LittleEndian, &h); err != nil {
		return faultf("its header cannot be read: %v", err)
	}
	data := file[headerSize:]
	switch {
	case string(h.Magic[:]) != magic:
		return faultf("it is no file of tables")
	case h.Own != h.sum():
		return faultf("its header is damaged")
	case h.Version != version:
		return faultf("it is of version %d, not %d", h.Version, version)
	case int(h.Pieces) != pieces || h.Size != uint64(len(data)):
		return faultf("it has %d bytes for %d pieces", h.Size, h.Pieces)
	case h.Sum != crc32.Checksum(data, castagnoli):
		return faultf("its content is damaged")
	}
	return nil
}

// partial is the pattern of names that files have until they are whole.
const partial = "*.partial"

// write puts tables into their file, whole or not at all. The lock of the folder
// must be held.
func write(folder string, pieces int, data []byte) (err error) {
	leftovers, err := filepath.Glob(filepath.Join(folder, partial))
	if err != nil {
		return err
	}
	for _, left := range leftovers { // of processes that were killed
		if err := os.Remove(left); err != nil {
			return err
		}
	}
	f, err := os.CreateTemp(folder, partial)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			os.Remove(f.Name()) // gone where it has been renamed
		}
	}()
	h := newHeader(pieces, data)
	for _, part := range [][]byte{h.bytes(), make([]byte, headerSize-binary.Size(h)), data} {
		if _, err := f.Write(part); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), filepath.Join(folder, name(pieces))); err != nil {
		return err
	}
	return syncFolder(folder)
}

// syncFolder makes a renaming last.
func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
