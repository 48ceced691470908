#ifndef CARDFILE_CSQLITE_SHIM_H
#define CARDFILE_CSQLITE_SHIM_H

#include <sqlite3.h>

#include "looking.h"

// Variadic in sqlite3.h, which Swift does not see.
static inline int cs_setFlag(sqlite3 *connection, int option, int isOn) {
  return sqlite3_db_config(connection, option, isOn, (int *)0);
}

#endif
