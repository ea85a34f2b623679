package collections

import (
	"encoding/binary"
	"slices"
)

// The index of positions: 8 bytes for each position of a record, of which 40 bits
// are of the hash (besides the byte that chooses the bucket) and 24 the record's
// number. With 48 bits of hash and 16 million positions, the chance that a search
// finds one game too many is 1 in 17 million.
const (
	numberBits = 24
	// maxNumber is the last number of a collection.
	maxNumber = 1<<numberBits - 1
	entrySize = 8
)

func bucketOf(hash uint64) int64 { return int64(hash >> 56) }

func entryOf(hash uint64, number int32) uint64 {
	return tagOf(hash)<<numberBits | uint64(number)
}

func tagOf(hash uint64) uint64 { return hash << 8 >> (8 + 16) }

// buckets are the entries of a batch of records by bucket, each sorted.
func buckets(records []Record) map[int64][]byte {
	entries := map[int64][]uint64{}
	for i := range records {
		for _, hash := range records[i].Positions {
			b := bucketOf(hash)
			entries[b] = append(entries[b], entryOf(hash, records[i].Number))
		}
	}
	out := make(map[int64][]byte, len(entries))
	for b, list := range entries {
		slices.Sort(list)
		text := make([]byte, 0, entrySize*len(list))
		for _, e := range list {
			text = binary.BigEndian.AppendUint64(text, e)
		}
		out[b] = text
	}
	return out
}

// appendMatches adds the numbers of a batch whose record has the position.
func appendMatches(numbers []int32, entries []byte, hash uint64) []int32 {
	tag := tagOf(hash)
	n := len(entries) / entrySize
	at := func(i int) uint64 { return binary.BigEndian.Uint64(entries[i*entrySize:]) }
	lo, hi := 0, n
	for lo < hi {
		if mid := (lo + hi) / 2; at(mid)>>numberBits < tag {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for ; lo < n && at(lo)>>numberBits == tag; lo++ {
		numbers = append(numbers, int32(at(lo)&maxNumber))
	}
	return numbers
}
