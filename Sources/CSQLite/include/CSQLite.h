#ifndef CARDFILE_CSQLITE_H
#define CARDFILE_CSQLITE_H

#include <sqlite3.h>

// Turns a connection's setting on or off: variadic in sqlite3.h, which Swift does not see.
int cs_setFlag(sqlite3 *connection, int option, int isOn);

// Reads the first bytes of a file; returns how many there are, or -1 when it cannot be read.
//
// Closing any descriptor of a file gives up the locks that the process holds on it. SQLite's own
// file system knows which are held, and closes when they are free.
int cs_readFirstBytes(const char *path, void *bytes, int count);

// Makes the file systems "cardfile" and "cardfile-look" known to SQLite (looking.c); called once.
int cs_register(void);

// Whether what a connection has just read may be mixed from two states, or it can read no more.
int cs_isOutdated(sqlite3 *connection);

#endif
