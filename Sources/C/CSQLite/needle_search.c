// Searches the texts of a row for a needle where they are, without folding them: most rows are
// decided by that (see cs_needle).

#include "CSQLite.h"
#include "page_scan.h"

#include <stdint.h>
#include <string.h>

// Sixteen bytes, which compilers look at together on every processor.
typedef uint8_t Block __attribute__((vector_size(16)));
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

// Whether any of some bits of each word is set.
static inline int is_any(Block block, uint64_t bits) {
  Words found = words(block);
  return ((found.low | found.high) & bits) != 0;
}

static inline uint8_t lower_bit(const cs_needle *needle, uint8_t byte) {
  return needle->folds_case && byte >= 'a' && byte <= 'z' ? 0x20 : 0;
}

static int is_at(const cs_needle *needle, const uint8_t *p) {
  for (int i = 0; i < needle->count; i++) {
    uint8_t byte = needle->bytes[i];
    if (p[i] != byte && (!lower_bit(needle, byte) || (p[i] | 0x20) != byte)) return 0;
  }
  return 1;
}

// Whether a needle lies in one of its columns.
static int is_in_column(const cs_needle *needle, const cs_record *record, const uint8_t *p) {
  for (int i = 0; i < needle->column_count; i++) {
    int index = needle->columns[i];
    if (index >= record->count) break;
    uint64_t type = record->types[index];
    if (type < 13 || type % 2 == 0) continue;
    const uint8_t *start = record->bytes + record->offsets[index];
    if (p >= start && p + needle->count <= start + (type - 13) / 2) return 1;
  }
  return 0;
}

// Whether a byte can be beside a code point in a match.
static inline int is_near(const cs_needle *needle, uint8_t byte) {
  if (byte >= 0x80) return 1;
  return needle->letters[byte >> 3] >> (byte & 7) & 1;
}

// Whether there is a byte that is not ASCII.
static int is_foreign(const uint8_t *start, const uint8_t *end) {
  while (start < end) if (*start++ >= 0x80) return 1;
  return 0;
}

// Whether code points that are not ASCII can be part of a match.
static int has_sources(
  const cs_needle *needle, const uint8_t *start, const uint8_t *end, int has_rarest) {
  int is_part = 0;
  for (const uint8_t *p = start; p < end; p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    // Code points begin with a byte from 0xc0 on.
    uint64_t bits = word & word << 1 & HIGH_BITS;
    for (; bits; bits &= without_byte(first_byte(bits))) {
      const uint8_t *place = p + first_byte(bits);
      if (place >= end) break;
      uint8_t second = place + 1 < end ? place[1] : 0;
      uint8_t flags = needle->sources[(*place & 0x3f) << 6 | (second & 0x3f)];
      if (flags & CS_SOURCE_OF_RAREST) has_rarest = 1;
      if (!is_part && flags & CS_SOURCE) {
        const uint8_t *next = place + (*place < 0xe0 ? 2 : *place < 0xf0 ? 3 : 4);
        is_part = needle->count == 1 || flags & CS_SOURCE_ALONE || (place > start && is_near(needle, place[-1]))
          || (next < end && is_near(needle, *next));
      }
      if (is_part && has_rarest) return 1;
    }
  }
  return 0;
}

enum cs_sighting cs_search(const cs_needle *needle, const cs_record *record) {
  // Only the columns that are read are at hand of a long row.
  int columns = needle->column_count;
  while (columns > 0 && needle->columns[columns - 1] >= record->count) columns--;
  if (columns == 0) return CS_ABSENT;
  int first = needle->columns[0], last = needle->columns[columns - 1];
  const uint8_t *start = record->bytes + record->offsets[first];
  const uint8_t *end = record->bytes + record->offsets[last] + cs_valueLength(record->types[last]);
  if (!needle->count) return is_foreign(start, end) ? CS_UNCERTAIN : CS_ABSENT;
  static const uint8_t ends[32] = {
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  };
  int rarest = needle->rarest, other = rarest;
  if (needle->count > 1) other += rarest + 1 < needle->count ? 1 : -1;
  uint8_t byte = needle->bytes[rarest], next = needle->bytes[other];
  uint8_t bit = lower_bit(needle, byte), next_bit = lower_bit(needle, next);
  Block all = {0}, near = {0}, long_points = {0};
  for (const uint8_t *p = start; p < end; p += sizeof(Block)) {
    Block here = block(p), after = block(p + 1);
    // What is behind the row has no effect.
    if (end - p < 16) here &= block(ends + 16 - (end - p));
    if (end - p < 17) after &= block(ends + 17 - (end - p));
    Block beside = other > rarest ? after : other < rarest ? block(p - 1) : here;
    Block hits = (Block)((here | bit) == byte);
    all |= here;
    // Code points of three bytes that can be folded to ASCII begin with these bytes; punctuation,
    // which is frequent, with 0xe2 0x80.
    long_points |= (Block)(here == 0xe1) | (Block)(here == 0xef)
      | ((Block)(here == 0xe2) & (Block)(after != 0x80));
    // The byte beside it decides most of them.
    near |= hits & (Block)(beside >= 0x80);
    hits &= (Block)((beside | next_bit) == next);
    near |= hits;
    Words found = words(hits);
    if (!(found.low | found.high)) continue;
    for (int half = 0; half < 2; half++) {
      uint64_t bits = (half ? found.high : found.low) & HIGH_BITS;
      while (bits) {
        int index = first_byte(bits);
        const uint8_t *place = p + half * 8 + index - rarest;
        if (place >= start && needle->count <= end - place && is_at(needle, place)
          && is_in_column(needle, record, place)) return CS_PRESENT;
        bits &= without_byte(index);
      }
    }
  }
  if (!needle->sources || !is_any(all, HIGH_BITS)) return CS_ABSENT;
  // A match has the rarest byte beside its neighbour or beside a code point that is not ASCII, or
  // from one; of those of four bytes none is folded to ASCII.
  int has_rarest = is_any(near, UINT64_MAX);
  if (!has_rarest && !needle->has_short_sources && !is_any(long_points, UINT64_MAX))
    return CS_ABSENT;
  return has_sources(needle, start, end, has_rarest) ? CS_UNCERTAIN : CS_ABSENT;
}
