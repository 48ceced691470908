// Searches the texts of rows for a needle where they are, without folding them: most rows are
// decided by that (see cs_needle). All blocks of a page are looked at first, which takes a third of
// the time of its rows one by one; a row without a marked block has no needle.

#include "CSQLite.h"
#include "page_scan.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Sixteen bytes, which compilers look at together on every processor.
typedef uint8_t Block __attribute__((vector_size(16)));
typedef int8_t Signs __attribute__((vector_size(16)));
typedef struct { uint64_t low, high; } Words;

static inline Block block(const uint8_t *p) {
  Block block;
  memcpy(&block, p, sizeof block);
  return block;
}

static inline Words words(Block block) {
  Words words;
  memcpy(&words, &block, sizeof words);
  return words;
}

// The index of the first byte of a word whose high bit is set.
static inline int first_byte(uint64_t bits) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return __builtin_ctzll(bits) / 8;
#else
  return __builtin_clzll(bits) / 8;
#endif
}

static inline uint64_t without_byte(int index) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return ~((uint64_t)0xff << 8 * index);
#else
  return ~((uint64_t)0xff << (56 - 8 * index));
#endif
}

static const uint64_t HIGH_BITS = 0x8080808080808080;

// The hits of a block that are still to be looked at: the high bits of their bytes.
static inline Words hits_of(Block block) {
  Words found = words(block);
  return (Words){found.low & HIGH_BITS, found.high & HIGH_BITS};
}

// Takes the first hit; returns its index, or -1 if there is none.
static inline int take_hit(Words *hits) {
  uint64_t *half = hits->low ? &hits->low : &hits->high;
  if (!*half) return -1;
  int index = first_byte(*half);
  *half &= without_byte(index);
  return half == &hits->high ? 8 + index : index;
}

static inline int is_any(Block block) {
  Words found = words(block);
  return (found.low | found.high) != 0;
}

// The bytes that are not ASCII.
static inline Block foreign(Block block) { return (Block)((Signs)block < 0); }

static inline uint8_t lower_bit(const cs_needle *needle, uint8_t byte) {
  return needle->folds_case && byte >= 'a' && byte <= 'z' ? 0x20 : 0;
}

// The rarest byte of a needle, and the one beside it.
typedef struct {
  // Where they are behind a place: 0 and 1, or the other way.
  int place, other_place;
  uint8_t byte, bit, other, other_bit;
} Pair;

static Pair pair_of(const cs_needle *needle) {
  if (!needle->count) return (Pair){0};
  Pair pair = {.byte = needle->bytes[needle->rarest], .other = needle->bytes[needle->beside]};
  pair.bit = lower_bit(needle, pair.byte);
  pair.other_bit = lower_bit(needle, pair.other);
  pair.place = needle->beside < needle->rarest;
  pair.other_place = needle->beside > needle->rarest;
  return pair;
}

// The bytes of a block with which a pair begins, or the rarest byte beside one that is not ASCII.
static inline Block pairs_at(const uint8_t *p, const Pair *pair) {
  Block hits = (Block)((block(p + pair->place) | pair->bit) == pair->byte);
  Block other = block(p + pair->other_place);
  return hits & ((Block)((other | pair->other_bit) == pair->other) | foreign(other));
}

// The bytes of a block with which code points begin that can be the rarest byte.
static inline Block sources_at(const uint8_t *p, const cs_needle *needle) {
  Block here = block(p), after = block(p + 1);
  // Of three bytes they begin with these; punctuation, which is frequent, with 0xe2 0x80. None has
  // four.
  Block found = (Block)(here == 0xe1) | (Block)(here == 0xef)
    | ((Block)(here == 0xe2) & (Block)(after != 0x80));
  for (int i = 0; i < needle->source_count; i++)
    found |= (Block)(here == needle->sources[i].first)
      & (Block)(after - needle->sources[i].least <= needle->sources[i].span);
  return found;
}

void cs_mark(
  const cs_needle *needle, const uint8_t *bytes, size_t from, size_t count, uint64_t *marks) {
  memset(marks, 0, cs_markCount(count) * sizeof *marks);
  // A copy, which the marks cannot overlap.
  const cs_needle sought = *needle;
  const Pair pair = pair_of(needle);
  size_t next = from / CS_BLOCK_SIZE, end = (count + CS_BLOCK_SIZE - 1) / CS_BLOCK_SIZE;
  while (next < end) {
    // The marks of 64 blocks are collected before they are stored.
    uint64_t *stored = &marks[next / 64], found = 0;
    for (size_t last = (next / 64 + 1) * 64; next < end && next < last; next++) {
      const uint8_t *p = bytes + next * CS_BLOCK_SIZE;
      Block hits = sought.count ? pairs_at(p, &pair) : foreign(block(p));
      if (sought.is_folded) hits |= sources_at(p, &sought);
      found |= (uint64_t)is_any(hits) << (next % 64);
    }
    *stored = found;
  }
}

// The bytes of a block from an index on and before another one, which may be outside of it.
static inline Block bytes_between(ptrdiff_t from, ptrdiff_t to) {
  enum { ALL = CS_BLOCK_SIZE };
  static const uint8_t some[3 * ALL] = {
    [ALL] = 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  };
  from = from < 0 ? 0 : from > ALL ? ALL : from;
  to = to < 0 ? 0 : to > ALL ? ALL : to;
  return block(some + ALL - from) & block(some + 2 * ALL - to);
}

static int is_at(const cs_needle *needle, const uint8_t *p) {
  for (int i = 0; i < needle->count; i++) {
    uint8_t byte = needle->bytes[i];
    if (p[i] != byte && (!lower_bit(needle, byte) || (p[i] | 0x20) != byte)) return 0;
  }
  return 1;
}

// Whether a code point of two bytes can be the rarest byte: alone, or with what is beside that.
static int is_source(
  const cs_needle *needle, const Pair *pair, const uint8_t *p, const uint8_t *start,
  const uint8_t *end) {
  uint64_t bit = (uint64_t)1 << (p[1] & 0x3f);
  for (int i = 0; i < needle->source_count; i++) {
    if (p[0] != needle->sources[i].first || !(needle->sources[i].seconds & bit)) continue;
    if (needle->beside == needle->rarest || !(needle->sources[i].singles & bit)) return 1;
    const uint8_t *other = needle->beside > needle->rarest ? p + 2 : p - 1;
    if (other < start || other >= end) continue;
    if (*other >= 0x80 || (*other | pair->other_bit) == pair->other) return 1;
  }
  return 0;
}

// Whether one of some bytes of a block begins a code point that can be the rarest byte.
static int has_source(
  const cs_needle *needle, const Pair *pair, const uint8_t *p, Block begins,
  const uint8_t *start, const uint8_t *end) {
  Words hits = hits_of(begins);
  for (int hit; (hit = take_hit(&hits)) >= 0;)
    if (p[hit] >= 0xe0 || is_source(needle, pair, p + hit, start, end)) return 1;
  return 0;
}

// Whether a needle lies in one of its columns.
static int is_in_column(const cs_needle *needle, const cs_record *record, const uint8_t *p) {
  for (int i = 0; i < needle->column_count; i++) {
    cs_text text = cs_textOf(record, needle->columns[i]);
    if (text.bytes && p >= text.bytes && p + needle->count <= text.bytes + text.count) return 1;
  }
  return 0;
}

enum cs_sighting cs_search(
  const cs_needle *needle, const cs_record *record, const uint8_t *marked, const uint64_t *marks) {
  // Only the columns that are read are at hand of a long row.
  int columns = needle->column_count;
  while (columns > 0 && needle->columns[columns - 1] >= record->count) columns--;
  if (columns == 0) return CS_ABSENT;
  int first = needle->columns[0], last = needle->columns[columns - 1];
  const uint8_t *start = record->bytes + record->offsets[first];
  const uint8_t *end = record->bytes + record->offsets[last] + cs_valueLength(record->types[last]);
  if (start == end) return CS_ABSENT;
  size_t from = (size_t)(start - marked) / CS_BLOCK_SIZE;
  size_t to = (size_t)(end - 1 - marked) / CS_BLOCK_SIZE;
  int is_possible = 0, reach = needle->count - needle->rarest;
  Pair pair = {0};
  for (size_t word = from / 64; word <= to / 64; word++) {
    uint64_t blocks = marks[word];
    if (word == from / 64) blocks &= UINT64_MAX << (from % 64);
    if (word == to / 64) blocks &= UINT64_MAX >> (63 - to % 64);
    for (; blocks; blocks &= blocks - 1) {
      size_t index = word * 64 + (size_t)__builtin_ctzll(blocks);
      const uint8_t *p = marked + index * CS_BLOCK_SIZE;
      // What is beside the row has no effect.
      if (!needle->count) {
        if (is_any(foreign(block(p)) & bytes_between(start - p, end - p))) return CS_UNCERTAIN;
        continue;
      }
      if (!pair.byte) pair = pair_of(needle);
      Words hits = hits_of(pairs_at(p, &pair));
      for (int hit; (hit = take_hit(&hits)) >= 0;) {
        const uint8_t *rarest = p + hit + pair.place, *other = p + hit + pair.other_place;
        if (rarest < start || other < start || rarest >= end || other >= end) continue;
        const uint8_t *place = rarest - needle->rarest;
        int is_whole = rarest - start >= needle->rarest && end - rarest >= reach;
        if (is_whole && is_at(needle, place) && is_in_column(needle, record, place))
          return CS_PRESENT;
        // Else one of the bytes where a match would be is not ASCII.
        is_possible |= cs_isForeign(rarest - start < needle->rarest ? start : place,
          end - rarest < reach ? end : rarest + reach);
      }
      if (needle->is_folded && !is_possible) {
        Block begins = sources_at(p, needle) & bytes_between(start - p, end - 1 - p);
        is_possible = has_source(needle, &pair, p, begins, start, end);
      }
    }
  }
  return needle->is_folded && is_possible ? CS_UNCERTAIN : CS_ABSENT;
}
