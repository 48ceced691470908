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
