#ifndef CARDFILE_CSQLITE_H
#define CARDFILE_CSQLITE_H

#include <sqlite3.h>

// Turns an option of a connection on or off: Swift does not import the variadic function.
int cs_setFlag(sqlite3 *connection, int option, int isOn);

// Reads the first bytes of a file; returns their number, or -1 if the file cannot be read.
//
// Closing any descriptor of a file releases the POSIX locks that the process holds on it. SQLite's
// default VFS knows which are held, and closes the descriptor when they are released.
int cs_readFirstBytes(const char *path, void *bytes, int count);

// Registers the VFSs "cardfile" and "cardfile-traceless" (traceless_vfs.c); called once.
int cs_registerFileSystems(void);

// Sets the function that says whether the calling thread may sleep; without one it may.
//
// SQLite sleeps in a busy handler, of which there is none here, and between its attempts to take a
// lock of the wal-index, ten seconds in all (wal.c: walTryBeginRead). A thread that may not sleep
// makes these attempts one after the other.
void cs_setMaySleep(int (*maySleep)(void));

// Whether what a connection has just read may mix two states; it can read no more then.
int cs_isOutdated(sqlite3 *connection);

// Whether two connections that have begun to read see the same state of the database, as far as
// that can be proved; where no other process uses it, neither may be outdated at the end.
int cs_seeSameState(sqlite3 *left, sqlite3 *right);

// The greatest number of bytes of cs_readState.
enum { CS_STATE_SIZE = 512 };

// What identifies the state that a connection has begun to read: bytes that differ for every other
// state of every database, in another process too. Returns their number; 0 if the state cannot be
// told.
//
// They hold the files' identities, sizes and times, the database's header, and of a write-ahead log
// its header or what the wal-index says of the snapshot. Where no other process uses a database with
// a write-ahead log they are valid only if the connection is not outdated at the end.
int cs_readState(sqlite3 *connection, void *bytes);

// Called before a trigger or a foreign key's action changes a row: the operation (SQLITE_INSERT,
// SQLITE_UPDATE, SQLITE_DELETE), the table, and the row's rowid before and after.
typedef void (*cs_RowChange)(
    void *context, sqlite3 *connection, int operation, const char *table, sqlite3_int64 before,
    sqlite3_int64 after);

// Sets the function that is called before rows change, except by statements of the connection
// itself; NULL for none.
void cs_observeRows(sqlite3 *connection, cs_RowChange change, void *context);

// A column of the row that is about to be changed or deleted, valid during the call of a
// cs_RowChange; NULL if there is none.
sqlite3_value *cs_oldColumn(sqlite3 *connection, int column);

#endif
