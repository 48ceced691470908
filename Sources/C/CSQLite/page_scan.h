#ifndef CARDFILE_PAGE_SCAN_H
#define CARDFILE_PAGE_SCAN_H

#include <sqlite3.h>
#include <stdint.h>

#include "CSQLite.h"

// The files in which a connection's state is, as far as that is certain (traceless_vfs.c).
struct cs_snapshot {
  sqlite3_file *database;
  // The write-ahead log; NULL if no page of the state is in it.
  sqlite3_file *log;
  // Of a log that others use: the number of frames, pages and the salts. Of one that nobody else
  // uses it is all frames up to the last whole transaction: has_index is 0, the rest too.
  int has_index;
  unsigned frames, pages;
  unsigned char salts[8];
};

// The files of a state that a connection has begun to read; 0 if they cannot be told.
int cs_readSnapshot(sqlite3 *connection, struct cs_snapshot *snapshot);

// The first values of a row: their types and where they begin.
typedef struct {
  const uint8_t *bytes;
  const uint64_t *types, *offsets;
  int count;
} cs_record;

// How many bytes behind a record, and before its first value, can be read as well.
enum { CS_ROOM_BEHIND = 32, CS_ROOM_BEFORE = 1 };

// The length of a value by its type in a row's header; types from 12 on are blobs and texts.
static inline uint64_t cs_valueLength(uint64_t type) {
  static const uint8_t lengths[12] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
  return type < 12 ? lengths[type] : (type - 12) / 2;
}

// Searches the texts of a row (needle_search.c).
enum cs_sighting cs_search(const cs_needle *needle, const cs_record *record);

#endif
