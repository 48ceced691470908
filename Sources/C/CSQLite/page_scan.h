#ifndef CARDFILE_PAGE_SCAN_H
#define CARDFILE_PAGE_SCAN_H

#include <sqlite3.h>

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

#endif
