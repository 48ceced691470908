// Two file systems for SQLite on top of its own.
//
// Through "cardfile-look" a database is read where it lies, with its log, and without a trace: no
// file is made, written, cut or removed. SQLite itself can read a log whose index ("-shm") nobody
// keeps up to date: it then holds an index of its own in memory (wal.c: walBeginShmUnreliable). It
// does so only where a "-shm" lies that cannot be written; here it is told so wherever no other
// program has the database open. Where one has, its index is shared as usual.
//
// A reader that is alone holds no locks on the index. When somebody comes, the index's file
// changes: the reader notices at the beginning and at the end of each transaction, is outdated
// from then on, and what it read in that transaction must be read again on a new connection.
//
// With "joins_index=1" in the URI the index is shared in any case, as by SQLite itself: for readers
// that were outdated too often, since other programs come and go all the time.
//
// "cardfile" is for writers: SQLite's own file system, but for a mutex. All connections of a
// process share one handle of an index, and none may get one while a reader only looks.

#include "CSQLite.h"

#include <string.h>
#include <sys/stat.h>

struct cs_stamp {
  int is_there;
  struct stat state;
};

enum cs_index { CS_INDEX_UNKNOWN, CS_INDEX_OWN, CS_INDEX_SHARED };

struct cs_file {
  sqlite3_file base;
  // The file of SQLite's own file system; it follows in memory.
  sqlite3_file *real;
  // Of a looking database: its name with a parameter of ours, whose value we change.
  sqlite3_filename name;
  char *is_index_readonly;
  char *index_path;
  int joins_index;
  enum cs_index index;
  int is_outdated;
  struct cs_stamp stamp;
  // Of a log: its path.
  const char *log_path;
};

// Asked through sqlite3_file_control.
enum { CS_CONTROL_IS_OUTDATED = 0x43617264 };
// The lock of an index that stands for reading the database alone (wal.c: WAL_READ_LOCK(0)).
enum { CS_READ_LOCK = 3, CS_LOG_HEADER_SIZE = 32 };

static struct cs_file *cs_file(sqlite3_file *file) { return (struct cs_file *)file; }
static sqlite3_file *cs_real(sqlite3_file *file) { return cs_file(file)->real; }
static sqlite3_vfs *cs_system(sqlite3_vfs *vfs) { return (sqlite3_vfs *)vfs->pAppData; }

static sqlite3_mutex *cs_index_mutex(void) {
  return sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
}

// MARK: What is passed on

static int cs_close(sqlite3_file *file) {
  struct cs_file *own = cs_file(file);
  int code = own->real->pMethods ? own->real->pMethods->xClose(own->real) : SQLITE_OK;
  if (own->name) sqlite3_free_filename(own->name);
  sqlite3_free(own->index_path);
  own->base.pMethods = 0;
  return code;
}
static int cs_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 place) {
  return cs_real(file)->pMethods->xRead(cs_real(file), bytes, count, place);
}
static int cs_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 place) {
  return cs_real(file)->pMethods->xWrite(cs_real(file), bytes, count, place);
}
static int cs_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return cs_real(file)->pMethods->xTruncate(cs_real(file), size);
}
static int cs_sync(sqlite3_file *file, int flags) {
  return cs_real(file)->pMethods->xSync(cs_real(file), flags);
}
static int cs_size(sqlite3_file *file, sqlite3_int64 *size) {
  return cs_real(file)->pMethods->xFileSize(cs_real(file), size);
}
static int cs_lock(sqlite3_file *file, int level) {
  return cs_real(file)->pMethods->xLock(cs_real(file), level);
}
static int cs_unlock(sqlite3_file *file, int level) {
  return cs_real(file)->pMethods->xUnlock(cs_real(file), level);
}
static int cs_is_reserved(sqlite3_file *file, int *answer) {
  return cs_real(file)->pMethods->xCheckReservedLock(cs_real(file), answer);
}
static int cs_control(sqlite3_file *file, int operation, void *argument) {
  return cs_real(file)->pMethods->xFileControl(cs_real(file), operation, argument);
}
static int cs_sector_size(sqlite3_file *file) {
  return cs_real(file)->pMethods->xSectorSize(cs_real(file));
}
static int cs_characteristics(sqlite3_file *file) {
  return cs_real(file)->pMethods->xDeviceCharacteristics(cs_real(file));
}
static int cs_index_map(sqlite3_file *file, int page, int size, int grows, void volatile **bytes) {
  sqlite3_mutex_enter(cs_index_mutex());
  int code = cs_real(file)->pMethods->xShmMap(cs_real(file), page, size, grows, bytes);
  sqlite3_mutex_leave(cs_index_mutex());
  return code;
}
static int cs_index_lock(sqlite3_file *file, int place, int count, int flags) {
  return cs_real(file)->pMethods->xShmLock(cs_real(file), place, count, flags);
}
static void cs_index_barrier(sqlite3_file *file) {
  cs_real(file)->pMethods->xShmBarrier(cs_real(file));
}
static int cs_index_unmap(sqlite3_file *file, int removes) {
  return cs_real(file)->pMethods->xShmUnmap(cs_real(file), removes);
}

// MARK: Looking at a database

static int cs_refuse_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 place) {
  (void)file, (void)bytes, (void)count, (void)place;
  return SQLITE_READONLY;
}
static int cs_refuse_truncate(sqlite3_file *file, sqlite3_int64 size) {
  (void)file, (void)size;
  return SQLITE_READONLY;
}
static int cs_look_lock(sqlite3_file *file, int level) {
  return level > SQLITE_LOCK_SHARED ? SQLITE_READONLY : cs_lock(file, level);
}
static int cs_look_control(sqlite3_file *file, int operation, void *argument) {
  if (operation != CS_CONTROL_IS_OUTDATED) return cs_control(file, operation, argument);
  *(int *)argument = cs_file(file)->is_outdated;
  return SQLITE_OK;
}

static struct cs_stamp cs_stamp(const char *path) {
  struct cs_stamp stamp;
  memset(&stamp, 0, sizeof stamp);
  stamp.is_there = stat(path, &stamp.state) == 0;
  return stamp;
}

// Whether the index's file is still as it was when this reader found that nobody uses it.
static int cs_is_alone(struct cs_file *own) {
  struct cs_stamp now = cs_stamp(own->index_path), then = own->stamp;
  if (now.is_there != then.is_there) return 0;
  return !now.is_there
    || (now.state.st_ino == then.state.st_ino && now.state.st_size == then.state.st_size
      && now.state.st_mtim.tv_sec == then.state.st_mtim.tv_sec
      && now.state.st_mtim.tv_nsec == then.state.st_mtim.tv_nsec);
}

// Asks whether anybody uses the index: SQLITE_READONLY_CANTINIT when nobody does.
static int cs_probe_index(struct cs_file *own, int size) {
  if (!own->stamp.is_there) return SQLITE_READONLY_CANTINIT;
  void volatile *ignored = 0;
  *own->is_index_readonly = '1';
  int code = own->real->pMethods->xShmMap(own->real, 0, size, 0, &ignored);
  *own->is_index_readonly = '0';
  // A handle for reading alone is not kept: a writer of this process would get it too.
  if (code != SQLITE_OK) own->real->pMethods->xShmUnmap(own->real, 0);
  return code;
}

static int cs_look_index_map(
  sqlite3_file *file, int page, int size, int grows, void volatile **bytes) {
  struct cs_file *own = cs_file(file);
  *bytes = 0;
  int code = SQLITE_OK;
  sqlite3_mutex_enter(cs_index_mutex());
  if (own->index == CS_INDEX_UNKNOWN) {
    own->stamp = cs_stamp(own->index_path);
    code = own->joins_index ? SQLITE_OK : cs_probe_index(own, size);
    if (code == SQLITE_READONLY_CANTINIT) own->index = CS_INDEX_OWN;
    if (code == SQLITE_READONLY || code == SQLITE_OK) own->index = CS_INDEX_SHARED;
  }
  if (own->index == CS_INDEX_OWN) {
    if (!cs_is_alone(own)) own->is_outdated = 1;
    code = own->is_outdated ? SQLITE_IOERR_SHMMAP : SQLITE_READONLY_CANTINIT;
  } else if (own->index == CS_INDEX_SHARED) {
    code = own->real->pMethods->xShmMap(own->real, page, size, grows, bytes);
  }
  sqlite3_mutex_leave(cs_index_mutex());
  return code;
}
static int cs_look_index_lock(sqlite3_file *file, int place, int count, int flags) {
  struct cs_file *own = cs_file(file);
  if (own->index == CS_INDEX_SHARED) return cs_index_lock(file, place, count, flags);
  // The end of a transaction: was it alone all the time?
  int is_end = place == CS_READ_LOCK && flags & SQLITE_SHM_UNLOCK;
  if (is_end && own->index == CS_INDEX_OWN && !cs_is_alone(own)) own->is_outdated = 1;
  return SQLITE_OK;
}
static int cs_look_index_unmap(sqlite3_file *file, int removes) {
  (void)removes;
  struct cs_file *own = cs_file(file);
  int code = own->index == CS_INDEX_SHARED ? cs_index_unmap(file, 0) : SQLITE_OK;
  own->index = CS_INDEX_UNKNOWN;
  return code;
}

// MARK: Looking at a log

static int cs_log_is_open(struct cs_file *own) {
  if (own->real->pMethods) return 1;
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  int is_there = 0;
  int code = system->xAccess(system, own->log_path, SQLITE_ACCESS_EXISTS, &is_there);
  if (code != SQLITE_OK || !is_there) return 0;
  int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_WAL;
  if (system->xOpen(system, own->log_path, own->real, flags, &flags) == SQLITE_OK) return 1;
  own->real->pMethods = 0;
  return 0;
}

// The size of a log in which frames may be; 0 when it is missing, empty or no log.
static sqlite3_int64 cs_log_size(struct cs_file *own) {
  sqlite3_int64 size = 0;
  unsigned char header[CS_LOG_HEADER_SIZE];
  sqlite3_file *real = own->real;
  if (!cs_log_is_open(own) || real->pMethods->xFileSize(real, &size) != SQLITE_OK) return 0;
  if (size <= CS_LOG_HEADER_SIZE) return 0;
  if (real->pMethods->xRead(real, header, sizeof header, 0) != SQLITE_OK) return 0;
  unsigned int page = (unsigned)header[8] << 24 | header[9] << 16 | header[10] << 8 | header[11];
  int is_log = header[0] == 0x37 && header[1] == 0x7f && header[2] == 0x06
    && (header[3] & 0xfe) == 0x82 && page >= 512 && page <= 65536 && !(page & (page - 1));
  return is_log ? size : 0;
}

// A log without frames is shown as 32 zeros: SQLite compares them with the log that it has indexed
// (wal.c: the salts), finds it unchanged, and keeps what it has cached.
static int cs_look_log_size(sqlite3_file *file, sqlite3_int64 *size) {
  *size = cs_log_size(cs_file(file));
  if (*size == 0) *size = CS_LOG_HEADER_SIZE;
  return SQLITE_OK;
}
static int cs_look_log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 place) {
  int is_header = place < CS_LOG_HEADER_SIZE;
  if (is_header ? cs_log_size(cs_file(file)) > 0 : cs_log_is_open(cs_file(file)))
    return cs_read(file, bytes, count, place);
  memset(bytes, 0, (size_t)count);
  return place + count <= CS_LOG_HEADER_SIZE ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}
static int cs_look_log_sync(sqlite3_file *file, int flags) {
  (void)file, (void)flags;
  return SQLITE_OK;
}
static int cs_look_log_control(sqlite3_file *file, int operation, void *argument) {
  (void)file, (void)operation, (void)argument;
  return SQLITE_NOTFOUND;
}
static int cs_look_log_lock(sqlite3_file *file, int level) {
  (void)file, (void)level;
  return SQLITE_OK;
}
static int cs_look_log_is_reserved(sqlite3_file *file, int *answer) {
  (void)file;
  *answer = 0;
  return SQLITE_OK;
}
static int cs_look_log_zero(sqlite3_file *file) {
  (void)file;
  return 0;
}

// MARK: Opening

static const sqlite3_io_methods cs_methods = {
  2, cs_close, cs_read, cs_write, cs_truncate, cs_sync, cs_size, cs_lock, cs_unlock,
  cs_is_reserved, cs_control, cs_sector_size, cs_characteristics,
  cs_index_map, cs_index_lock, cs_index_barrier, cs_index_unmap, 0, 0,
};
static const sqlite3_io_methods cs_look_methods = {
  2, cs_close, cs_read, cs_refuse_write, cs_refuse_truncate, cs_look_log_sync, cs_size,
  cs_look_lock, cs_unlock, cs_is_reserved, cs_look_control, cs_sector_size, cs_characteristics,
  cs_look_index_map, cs_look_index_lock, cs_index_barrier, cs_look_index_unmap, 0, 0,
};
static const sqlite3_io_methods cs_look_log_methods = {
  1, cs_close, cs_look_log_read, cs_refuse_write, cs_refuse_truncate, cs_look_log_sync,
  cs_look_log_size, cs_look_log_lock, cs_look_log_lock, cs_look_log_is_reserved,
  cs_look_log_control, cs_look_log_zero, cs_look_log_zero, 0, 0, 0, 0, 0, 0,
};

static struct cs_file *cs_prepare(sqlite3_file *file) {
  struct cs_file *own = cs_file(file);
  memset(own, 0, sizeof *own);
  own->real = (sqlite3_file *)(own + 1);
  own->real->pMethods = 0;
  return own;
}

static int cs_open(
  sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *file, int flags, int *given) {
  sqlite3_vfs *system = cs_system(vfs);
  if (!(flags & SQLITE_OPEN_MAIN_DB)) return system->xOpen(system, path, file, flags, given);
  struct cs_file *own = cs_prepare(file);
  int code = system->xOpen(system, path, own->real, flags, given);
  if (code == SQLITE_OK) own->base.pMethods = &cs_methods;
  return code;
}

static int cs_look_open(
  sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *file, int flags, int *given) {
  sqlite3_vfs *system = cs_system(vfs);
  int writes = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  int kept = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL;
  if (!(flags & kept)) return system->xOpen(system, path, file, flags, given);
  if (flags & SQLITE_OPEN_MAIN_JOURNAL) {
    file->pMethods = 0;
    if (flags & writes) return SQLITE_READONLY;
    return system->xOpen(system, path, file, flags, given);
  }
  struct cs_file *own = cs_prepare(file);
  flags = (flags & ~writes) | SQLITE_OPEN_READONLY;
  if (flags & SQLITE_OPEN_WAL) {
    own->log_path = path;
    own->base.pMethods = &cs_look_log_methods;
    if (given) *given = flags;
    return SQLITE_OK;
  }
  const char *parameter[] = {"readonly_shm", "0"};
  own->joins_index = sqlite3_uri_boolean(path, "joins_index", 0);
  own->index_path = sqlite3_mprintf("%s-shm", path);
  own->name = sqlite3_create_filename(
    path, sqlite3_filename_journal(path), sqlite3_filename_wal(path), 1, parameter);
  int code = own->index_path && own->name ? SQLITE_OK : SQLITE_NOMEM;
  if (code == SQLITE_OK) {
    own->is_index_readonly = (char *)sqlite3_uri_parameter(own->name, parameter[0]);
    code = system->xOpen(system, own->name, own->real, flags, given);
  }
  if (code == SQLITE_OK) {
    own->base.pMethods = &cs_look_methods;
  } else {
    if (own->name) sqlite3_free_filename(own->name);
    sqlite3_free(own->index_path);
  }
  return code;
}

static int cs_look_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  (void)vfs, (void)path, (void)syncs;
  return SQLITE_IOERR_DELETE;
}

// Makes both known to SQLite; called once.
int cs_register(void) {
  static sqlite3_vfs writing, looking;
  // Both are asked for by name in a URI; only before SQLite is first used can URIs be turned on.
  if (!sqlite3_compileoption_used("USE_URI")) sqlite3_config(SQLITE_CONFIG_URI, 1);
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  if (!system) return SQLITE_ERROR;
  writing = *system;
  writing.zName = "cardfile";
  writing.pAppData = system;
  writing.pNext = 0;
  writing.szOsFile = (int)sizeof(struct cs_file) + system->szOsFile;
  writing.xOpen = cs_open;
  looking = writing;
  looking.zName = "cardfile-look";
  looking.xOpen = cs_look_open;
  looking.xDelete = cs_look_delete;
  int code = sqlite3_vfs_register(&writing, 0);
  return code == SQLITE_OK ? sqlite3_vfs_register(&looking, 0) : code;
}

// Whether what a connection has just read may be mixed from two states, or it can read no more.
int cs_isOutdated(sqlite3 *connection) {
  int answer = 0;
  sqlite3_file_control(connection, "main", CS_CONTROL_IS_OUTDATED, &answer);
  return answer;
}
