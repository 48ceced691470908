// SQLite declares the functions only with this option, with which Debian and Ubuntu compile it.
#define SQLITE_ENABLE_PREUPDATE_HOOK
#include "CSQLite.h"

int cs_setFlag(sqlite3 *connection, int option, int isOn) {
  return sqlite3_db_config(connection, option, isOn, (int *)0);
}

int cs_readFirstBytes(const char *path, void *bytes, int count) {
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  sqlite3_filename name = sqlite3_create_filename(path, "", "", 0, (const char **)0);
  sqlite3_file *file = system ? (sqlite3_file *)sqlite3_malloc(system->szOsFile) : 0;
  sqlite3_int64 size = -1;
  int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
  if (name && file) {
    file->pMethods = 0;
    if (system->xOpen(system, name, file, flags, &flags) == SQLITE_OK) {
      if (file->pMethods->xFileSize(file, &size) != SQLITE_OK) size = -1;
      if (size > count) size = count;
      if (size > 0 && file->pMethods->xRead(file, bytes, (int)size, 0) != SQLITE_OK) size = -1;
    }
    if (file->pMethods) file->pMethods->xClose(file);
  }
  sqlite3_free(file);
  sqlite3_free_filename(name);
  return (int)size;
}

typedef struct {
  cs_RowChange change;
  void *context;
} Observer;

static void rowWillChange(
    void *pointer, sqlite3 *connection, int operation, const char *schema, const char *table,
    sqlite3_int64 before, sqlite3_int64 after) {
  Observer *observer = pointer;
  (void)schema;
  if (sqlite3_preupdate_depth(connection) > 0) {
    observer->change(observer->context, connection, operation, table, before, after);
  }
}

void cs_observeRows(sqlite3 *connection, cs_RowChange change, void *context) {
  Observer *observer = change ? sqlite3_malloc(sizeof(Observer)) : 0;
  if (observer) *observer = (Observer){change, context};
  sqlite3_free(sqlite3_preupdate_hook(connection, observer ? rowWillChange : 0, observer));
}

sqlite3_value *cs_oldColumn(sqlite3 *connection, int column) {
  sqlite3_value *value = 0;
  return sqlite3_preupdate_old(connection, column, &value) == SQLITE_OK ? value : 0;
}
