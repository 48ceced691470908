#ifndef CARDFILE_PAGE_SCAN_H
#define CARDFILE_PAGE_SCAN_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "CSQLite.h"

// Numbers of pages.
typedef struct { uint32_t *items; size_t count, capacity; } cs_pages;

enum { CS_FRAME_HEADER_SIZE = 24 };

// What scans of a connection have read of a log: the page of each frame up to the end of a
// transaction, and the header of the last one, which has a checksum of all of them.
struct cs_frames {
  cs_pages pages;
  unsigned char last[CS_FRAME_HEADER_SIZE];
};

// The files in which a connection's state is, as far as that is certain (traceless_vfs.c).
struct cs_snapshot {
  sqlite3_file *database;
  // The write-ahead log; NULL if no page of the state is in it.
  sqlite3_file *log;
  // Of a log that others use: the number of frames, pages (0 if nothing has been written to the log
  // since the first of them came) and the salts. Of one that nobody else uses it is all frames up
  // to the last whole transaction: has_index is 0, the rest too.
  int has_index;
  unsigned frames, pages;
  unsigned char salts[8];
  // Of the connection, kept from one scan to the next.
  struct cs_frames *known;
};

// The files of a state that a connection has begun to read; 0 if they cannot be told.
int cs_readSnapshot(sqlite3 *connection, struct cs_snapshot *snapshot);

// The first values of a row: their types and where they begin.
typedef struct {
  const uint8_t *bytes;
  const uint64_t *types, *offsets;
  int count;
  // How many of its bytes are at hand.
  size_t known;
} cs_record;

// How many bytes behind a page or row can be read as well.
enum { CS_ROOM_BEHIND = 32 };

// Bytes are searched in blocks, of which each has a bit in its marks.
enum { CS_BLOCK_SIZE = 16 };

// How many words of marks some bytes have.
static inline size_t cs_markCount(size_t bytes) { return bytes / CS_BLOCK_SIZE / 64 + 1; }

// The lengths of values by their types in a row's header, for those of one byte: to look one up
// takes half of the time of computing it. No value has the types 10 and 11.
enum { CS_NO_LENGTH = 0x80 };
#define FOUR(n) n, n, n + 1, n + 1, n + 2, n + 2, n + 3, n + 3
static const uint8_t cs_lengths[0x80] = {
  0, 1, 2, 3, 4, 6, 8, 8, 0, 0, CS_NO_LENGTH, CS_NO_LENGTH, 0, 0, 1, 1,
  FOUR(2), FOUR(6), FOUR(10), FOUR(14), FOUR(18), FOUR(22), FOUR(26),
  FOUR(30), FOUR(34), FOUR(38), FOUR(42), FOUR(46), FOUR(50), FOUR(54),
};
#undef FOUR

// The length of a value by its type; types from 12 on are blobs and texts.
static inline uint64_t cs_valueLength(uint64_t type) {
  return type < sizeof cs_lengths ? cs_lengths[type] : (type - 12) / 2;
}

// A text where it is in a row; no bytes for another value.
typedef struct { const uint8_t *bytes; uint64_t count; } cs_text;

// The text of a stored column.
static inline cs_text cs_textOf(const cs_record *record, int index) {
  uint64_t type = index >= 0 && index < record->count ? record->types[index] : 0;
  if (type < 13 || type % 2 == 0) return (cs_text){0, 0};
  return (cs_text){record->bytes + record->offsets[index], (type - 13) / 2};
}

// The text of a column of a request.
static inline cs_text cs_textOfColumn(const cs_record *record, const cs_column *column) {
  static const uint8_t nothing[CS_ROOM_BEHIND];
  if (column->index < record->count) return cs_textOf(record, column->index);
  return (cs_text){column->older == CS_DEFAULT_EMPTY ? nothing : 0, 0};
}

// Whether any of some blocks is marked.
static inline int cs_isMarked(const uint64_t *marks, size_t first, size_t last) {
  uint64_t left = UINT64_MAX << (first % 64), right = UINT64_MAX >> (63 - last % 64);
  if (first / 64 == last / 64) return (marks[first / 64] & left & right) != 0;
  uint64_t found = (marks[first / 64] & left) | (marks[last / 64] & right);
  for (size_t i = first / 64 + 1; i < last / 64; i++) found |= marks[i];
  return found != 0;
}

// Whether there is a byte that is not ASCII.
static inline int cs_isForeign(const uint8_t *start, const uint8_t *end) {
  for (; end - start >= 8; start += 8) {
    uint64_t word;
    memcpy(&word, start, 8);
    if (word & 0x8080808080808080) return 1;
  }
  while (start < end) if (*start++ >= 0x80) return 1;
  return 0;
}

// Marks the blocks of some bytes where a needle may be (needle_search.c), from one of them on.
void cs_mark(
  const cs_needle *needle, const uint8_t *bytes, size_t from, size_t count, uint64_t *marks);

// Searches the texts of a row that lies in marked bytes.
enum cs_sighting cs_search(
  const cs_needle *needle, const cs_record *record, const uint8_t *marked, const uint64_t *marks);

// MARK: Values

static inline int64_t cs_integer(const uint8_t *p, uint64_t length) {
  uint64_t number = length && p[0] >= 0x80 ? UINT64_MAX : 0;
  for (uint64_t i = 0; i < length; i++) number = number << 8 | p[i];
  return (int64_t)number;
}

static inline void cs_setNumber(cs_value *value, int type, const void *bytes) {
  memcpy(&value->number, bytes, 8);
  *value = (cs_value){&value->number, 8, value->number, type};
}

static inline void cs_setValue(cs_value *value, uint64_t type, const uint8_t *bytes, int is_real) {
  uint64_t length = cs_valueLength(type);
  if (type >= 12) {
    *value = (cs_value){bytes, (sqlite3_int64)length, 0, type & 1 ? SQLITE_TEXT : SQLITE_BLOB};
  } else if (type == 7) {
    int64_t bits = cs_integer(bytes, 8);
    double number;
    memcpy(&number, &bits, 8);
    // SQLite reads NaN as NULL.
    if (number == number) cs_setNumber(value, SQLITE_FLOAT, &number);
    else *value = (cs_value){0, 0, 0, SQLITE_NULL};
  } else if (type == 0) {
    *value = (cs_value){0, 0, 0, SQLITE_NULL};
  } else {
    int64_t number = type >= 8 ? (int64_t)type - 8 : cs_integer(bytes, length);
    double real = (double)number;
    // A column of doubles has those without a fraction as integers.
    if (is_real) cs_setNumber(value, SQLITE_FLOAT, &real);
    else cs_setNumber(value, SQLITE_INTEGER, &number);
  }
}

// A row that is read.
typedef struct {
  const struct cs_request *request;
  const cs_record *record;
  int64_t key;
  // Where the values of the request's columns are put.
  cs_value *values;
  const unsigned char *sightings;
} cs_reading;

// Reads the value of a column of the request.
static inline const cs_value *cs_readValue(const cs_reading *reading, int index) {
  const cs_column *column = &reading->request->columns[index];
  const cs_record *record = reading->record;
  cs_value *value = &reading->values[index];
  if (column->index < 0) cs_setNumber(value, SQLITE_INTEGER, &reading->key);
  else if (column->index < record->count)
    cs_setValue(value, record->types[column->index], record->bytes + record->offsets[column->index],
      column->is_real);
  else switch (column->older) {
    case CS_DEFAULT_INTEGER: cs_setNumber(value, SQLITE_INTEGER, &column->number); break;
    case CS_DEFAULT_DOUBLE: cs_setNumber(value, SQLITE_FLOAT, &column->number); break;
    case CS_DEFAULT_EMPTY: *value = (cs_value){"", 0, 0, SQLITE_TEXT}; break;
    default: *value = (cs_value){0, 0, 0, SQLITE_NULL};
  }
  return value;
}

// Whether a row satisfies a test of the request (row_test.c).
int cs_holds(const cs_reading *reading, int index);

// MARK: Bounds of texts (text_bound.c)

enum { CS_MOST_SHORT = 15 };

// The first of the two slots of a text.
static inline size_t cs_slot(cs_short_text text) {
  uint64_t mixed = (text.low ^ text.high * 0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93;
  return (size_t)(mixed >> 32) % (CS_KNOWN_TEXTS / 2) * 2;
}

// A text of at most fifteen bytes, behind which others can be read.
static inline cs_short_text cs_shortText(const uint8_t *bytes, uint64_t count) {
  enum { SIZE = sizeof(cs_short_text) };
  static const uint8_t masks[2 * SIZE] = {
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  };
  cs_short_text text, mask;
  memcpy(&text, bytes, SIZE);
  memcpy(&mask, masks + SIZE - count, SIZE);
  // The last byte is free, so that all of the others can be told from it.
  uint64_t counts = (count + 1) * 0x0101010101010101;
  return (cs_short_text){text.low & mask.low, (text.high & mask.high) ^ counts};
}

// Whether a text is not wanted, behind which others can be read. No part of it is left out: which
// one decides cannot be predicted.
static inline int cs_excludes(const cs_text_bound *bound, const uint8_t *bytes, uint64_t count) {
  unsigned first = bytes[0], second = bytes[1];
  unsigned is_pair = (first >= 0xc2) & (first < 0xe0) & ((second & 0xc0) == 0x80);
  unsigned code = is_pair ? (first & 0x1f) << 6 | (second & 0x3f) : first & -(first < 0x80);
  int has_initial = bound->initials[code] & (count > is_pair);
  int is_short = count <= CS_MOST_SHORT;
  cs_short_text text = cs_shortText(bytes, is_short ? count : CS_MOST_SHORT);
  const cs_short_text *known = &bound->texts[cs_slot(text)];
  int is_known = (known[0].low == text.low) & (known[0].high == text.high);
  is_known |= (known[1].low == text.low) & (known[1].high == text.high);
  return has_initial | (is_short & is_known);
}

#endif
