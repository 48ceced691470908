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

// MARK: Pages (page_scan.c)

// The leaf pages of a table in the state that a connection has begun to read.
typedef struct cs_scan cs_scan;

// A column that a scan reads.
typedef struct {
  // Its index among the stored columns; -1 for the key.
  int index;
  // Whether integers stand for doubles in it: its affinity is REAL.
  int is_real;
  // What rows have that are older than the column: NULL, an integer or a double, a text without
  // bytes, or what only SQLite can tell.
  enum cs_default {
    CS_DEFAULT_NULL, CS_DEFAULT_INTEGER, CS_DEFAULT_DOUBLE, CS_DEFAULT_EMPTY, CS_DEFAULT_OTHER
  } older;
  // The integer, or the bits of the double.
  sqlite3_int64 number;
} cs_column;

// A value of a row, valid during the call of a cs_RowVisitor: the bytes of a text or blob, or the
// eight of an integer or double; none for NULL.
typedef struct {
  const void *bytes;
  sqlite3_int64 count;
  // An integer, or the bits of a double.
  sqlite3_int64 number;
  // SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_BLOB or SQLITE_NULL.
  int type;
} cs_value;

// Reads a value of SQLite's; the bytes of a text must be UTF-8.
void cs_getValue(sqlite3_value *stored, cs_value *value);

// What a search has found in a row: surely not, perhaps, or surely the needle.
enum cs_sighting { CS_ABSENT, CS_UNCERTAIN, CS_PRESENT };

// Code points of two bytes by their first byte; the second is at most `span` above the least one,
// and `seconds` has the bit that its low six bits say. Those of `singles` are folded to one byte.
typedef struct { unsigned char first, least, span; sqlite3_uint64 seconds, singles; } cs_source;

// How many bytes they can begin with.
enum { CS_MOST_SOURCES = 30 };

// A text that is sought in texts of a row.
typedef struct {
  // Its bytes; where texts are folded, ASCII in lower case if that is folded, or none if it is not
  // ASCII: then all texts are uncertain that are not ASCII.
  const unsigned char *bytes;
  int count;
  // The indexes of the byte that few texts have, and of one beside it; the same if it is alone.
  int rarest, beside;
  int folds_case;
  // Whether other code points than ASCII can be folded to it.
  int is_folded;
  // Those of two bytes that can be folded to the rarest byte. Those of three begin with 0xe1, 0xef
  // or 0xe2, but not with 0xe2 0x80; none has four.
  cs_source sources[CS_MOST_SOURCES];
  int source_count;
  // The columns where it is sought: indexes among the stored columns, the least one first.
  const int *columns;
  int column_count;
  // Whether rows without it are not wanted.
  int is_required;
} cs_needle;

// How a value is to another one; several are combined.
enum cs_order { CS_LESS = 1, CS_EQUAL = 2, CS_GREATER = 4 };

// Whether a value is of the storage class of another one, numbers being of one class, and in one of
// some orders to it.
int cs_isInOrder(const cs_value *left, const cs_value *right, int orders);

enum cs_test_kind {
  // Whether all of its parts hold, or any, or its only one does not.
  CS_ALL, CS_ANY, CS_NOT,
  // Whether a needle is there. Where that is uncertain, whether any of its parts, which are
  // CS_DECIDED, says so of a text that is not ASCII.
  CS_SOUGHT,
  CS_NULL,
  // Whether a value is in an order to a literal.
  CS_COMPARED,
  // Whether two values are equal, or both NULL.
  CS_SAME,
  // Whether it is among integers.
  CS_AMONG,
  // What cs_Decide says.
  CS_DECIDED,
};

// A test of rows; its parts follow it.
typedef struct {
  enum cs_test_kind kind;
  // The index behind its last part.
  int end;
  // The column: an index among those of the request.
  int column;
  // The index of the needle, the other column or the decision; how many integers there are.
  int number;
  int orders;
  cs_value literal;
  // The least one first.
  const sqlite3_int64 *keys;
} cs_test;

// How many code points have one or two bytes, and how many texts a bound knows.
enum { CS_SHORT_CODE_POINTS = 0x800, CS_KNOWN_TEXTS = 512 };

// The bytes of a text of up to fifteen and zeros behind them; the last eight are mixed with the
// count, so that each text differs from all others.
typedef struct { sqlite3_uint64 low, high; } cs_short_text;

// What is known of the texts that a receiver does not want any more, for good: most rows are left
// out by it, without folding their texts (text_bound.c).
typedef struct {
  // Their column: an index among those of the request.
  int column;
  // Whether a text is not wanted that begins with a code point.
  unsigned char initials[CS_SHORT_CODE_POINTS];
  // Some texts that are not wanted. Two slots beside each other have the last two of those that
  // belong there, the newer one first.
  cs_short_text texts[CS_KNOWN_TEXTS];
} cs_text_bound;

// Whether a value is a text that is not wanted.
int cs_isExcluded(const cs_text_bound *bound, const cs_value *value);

// Notes a text that is not wanted, unless it is long.
void cs_exclude(cs_text_bound *bound, const cs_value *value);

// Decides a test that needs more than C knows.
typedef int (*cs_Decide)(const void *decisions, int index, const cs_value *value);

// Takes a row, on the thread that reads its part; returns whether more are wanted.
typedef int (*cs_RowVisitor)(void *receiver, const cs_value *values);

// Is told which part of the leaves has been read, on the calling thread; returns whether to go on.
typedef int (*cs_ScanWatch)(void *context, double share);

// What a scan reads, and who takes it.
struct cs_request {
  // The columns that are read, of which the visitor gets the first ones.
  const cs_column *columns;
  int column_count, value_count;
  // How many of the stored columns there are up to the last one that is read.
  int stored_count;
  const cs_needle *needles;
  int needle_count;
  // What rows must satisfy: the first test.
  const cs_test *tests;
  int test_count;
  cs_Decide decide;
  const void *decisions;
  cs_RowVisitor visit;
  cs_ScanWatch watch;
  void *context;
};

// How a part of a scan has ended.
enum cs_scan_state {
  // All of its rows were taken.
  CS_SCAN_WHOLE,
  // Its receiver wants no more rows.
  CS_SCAN_STOPPED,
  // The watch has ended it, or a part before it has ended early.
  CS_SCAN_CANCELLED,
  // Something is not as a sound table has it, or could not be read: SQLite must read.
  CS_SCAN_MISFIT,
};

// Finds the leaves of the table with a root page; NULL if it is no table of rows with integer keys
// in UTF-8, or it is not certain in which files the connection's state is. The numbers are those
// that SQLite gives in the connection's transaction, which must last until the scan is closed.
cs_scan *cs_scanOpen(
  sqlite3 *connection, sqlite3_int64 root, sqlite3_int64 page_size, sqlite3_int64 page_count);
void cs_scanClose(cs_scan *scan);

// The number of bytes of the leaves.
sqlite3_int64 cs_scanSize(const cs_scan *scan);

// Gives the rows, in the order of their keys, to as many receivers as there are threads: to each
// those of a part of the leaves, but for those that its bound excludes (NULL for none). Sets how
// each part has ended.
void cs_scanRows(
  const cs_scan *scan, const struct cs_request *request, void *const *receivers,
  const cs_text_bound *const *bounds, int count, enum cs_scan_state *states);

#endif
