// Two virtual file systems (VFS) for SQLite, each a layer over the default one.
//
// "cardfile-traceless" opens a database for reading and changes nothing on disk: no file is
// created, written, truncated or removed, no lock byte of the -shm is taken, and the files'
// times stay. "cardfile" is for writers: the default VFS, with a mutex around xShmMap.
//
// DESIGN
//
// Rollback journal. Nothing special: reads take the usual SHARED lock on the database. A hot
// journal cannot be rolled back, and opening it for writing is refused with SQLITE_READONLY
// (SQLite then reports SQLITE_READONLY_ROLLBACK; the store reads a repaired private copy).
//
// Write-ahead log. SQLite needs a wal-index (-shm). By itself it creates or repairs the file, even
// for a read-only connection. It has one way to read a WAL without writing one: when xShmMap
// returns SQLITE_READONLY_CANTINIT it builds a wal-index in heap memory (wal.c:
// walBeginShmUnreliable, for a read-only -shm that nobody keeps up to date). This VFS returns that
// code wherever no other process has the -shm mapped. It finds out by mapping the -shm with the
// default VFS and the URI parameter readonly_shm=1: that fails with SQLITE_READONLY_CANTINIT when
// nobody holds the lock byte UNIX_SHM_DMS. If somebody does, the -shm is shared as usual.
//
// A reader with a heap wal-index takes no lock, so a writer that appears may checkpoint pages under
// it. But whoever opens the WAL first rebuilds the -shm, and thereby changes that file (or creates
// it). The reader compares inode, size and modification time of the -shm when a transaction begins
// and when it ends. After a difference the connection is *outdated* for good: what it read in this
// transaction may mix two states, and must be read again on a new connection (cs_isOutdated).
// With "joins_index=1" in the URI the -shm is shared in any case, as the default VFS does: for a
// read that was outdated repeatedly because other processes keep opening and closing the database.
//
// Whatever keeps a WAL from being opened or read is an error: a missing permission, a missing
// descriptor, a link, a folder, a failing disk. An empty, missing or foreign WAL is shown as 32
// zero bytes: SQLite compares them with the header that it has indexed, sees no change, and keeps
// its page cache.
//
// Connections of one process share one unixShmNode, and a read-only one would serve a writer too.
// So a read-only mapping is removed directly after the probe, and a mutex keeps a writer's xShmMap
// from coming in between.
//
// Two readers can see one state at the same time (cs_seeSameState). Without a WAL, whoever holds
// SHARED keeps everybody from committing. With a heap wal-index, both have found the same -shm, and
// nobody uses it. With a shared one, the header of the wal-index when the read lock was taken names
// the snapshot: SQLite takes the lock, compares the header with its own copy, and starts over after
// a difference. Each commit changes the header.
//
// A state can be recognised later (cs_readState), by another process too. Only the time of the last
// change of a file (ctime), which nobody can set, tells a database from an older copy of it that was
// written into its place. It is not trusted until it is older than the file system's clock can be
// wrong about: a later write might have the same time. Without a WAL nobody commits under SHARED.
// With a heap wal-index nobody writes to either file while this reader is alone. With a shared
// wal-index the WAL may grow at any time, so its file says nothing: but the header of the wal-index
// has the number of frames of the snapshot, a checksum of all of them, and the salts. Checkpoints
// change the database file: then the state is taken for another one.
//
// WHAT THIS RELIES ON, beyond SQLite's documented interface:
//  1. wal.c reads on when xShmMap returns SQLITE_READONLY_CANTINIT (since 3.22.0, 2018);
//  2. os_unix.c returns that code under readonly_shm=1 only if no process holds UNIX_SHM_DMS
//     (since 3.22.0), and reads the parameter anew at each mapping of a fresh unixShmNode;
//  3. wal.c ends a transaction on a heap wal-index by unlocking WAL_READ_LOCK(0), number 3;
//  4. the process that opens a WAL first truncates the -shm, which changes its time;
//  5. sqlite3_create_filename (3.32.0), to give the main file a parameter of its own;
//  6. wal.c compares the header of the wal-index after it has taken a read lock (number 3 to 7).
//  7. os_unix.c opens files by the system call "open" that xSetSystemCall has set (since 3.7.6), and
//     gives a log that root opens the owner of the database by "fchown".
// It does not rely on the layout of the WAL and the wal-index beyond their headers (documented,
// fileformat2.html 4.1, walformat.html 2.1).
//
// TESTED with SQLite 3.40.1 (Debian 12) by Tests/Stores/SQLiteStoreTests/Opening, which compare every
// byte, name and time of a folder, and run writers of other processes beside readers.
//
// WITH ANOTHER SQLITE. If 1 fails, the first read reports SQLITE_READONLY_CANTINIT or
// SQLITE_CANTOPEN: an error, nothing written. If 2 fails towards SQLITE_OK, the -shm is shared as
// usual: reads stay right, and an unused database may be left with an -shm file that SQLite made.
// If 3 fails, a change is noticed at the beginning of the next transaction only. A build without
// the unix VFS (Windows, or SQLITE_OMIT_WAL) has no -shm; this file needs POSIX stat. A library
// that is linked twice (a second SQLite in the process) does not know these VFSs: opening reports
// "no such vfs".

#include "CSQLite.h"
#include "page_scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

// The first copy of the header of a wal-index.
enum { CS_INDEX_HEADER_SIZE = 48 };

// The size of the header of a database file.
enum { CS_HEADER_SIZE = 100 };

// A file's identity, size, and times of modification and of the last change.
struct cs_stamp {
  sqlite3_int64 device, inode, size, modified, modified_ns, changed, changed_ns;
};

struct cs_file_state {
  int is_there;
  struct stat state;
};

enum cs_index { CS_INDEX_UNKNOWN, CS_INDEX_OWN, CS_INDEX_SHARED };

struct cs_file {
  sqlite3_file base;
  // The default VFS's file; it follows in memory.
  sqlite3_file *real;
  // Of a database opened without a trace: its name, with readonly_shm whose value we change.
  sqlite3_filename name;
  char *is_index_readonly;
  char *index_path;
  int joins_index;
  enum cs_index index;
  int is_outdated;
  struct cs_file_state shm_state;
  // The lock on the database; the header of a shared wal-index; its bytes at the last read lock.
  int lock;
  // The lock on a shared wal-index while a transaction reads; 0 for none.
  int read_lock;
  void volatile *header;
  unsigned char snapshot[CS_INDEX_HEADER_SIZE];
  // The database when it was opened.
  struct cs_stamp opened;
  unsigned char opened_header[CS_HEADER_SIZE];
  // What scans know of the WAL (page_scan.c).
  struct cs_frames frames;
  // Of a WAL: its path.
  const char *log_path;
};

// The operation of sqlite3_file_control that reads is_outdated.
enum { CS_CONTROL_IS_OUTDATED = 0x43617264 };
// The lock of a reader that uses the database file alone (wal.c: WAL_READ_LOCK(0)).
enum { CS_READ_LOCK = 3, CS_LOG_HEADER_SIZE = 32 };

static struct cs_file *cs_file(sqlite3_file *file) { return (struct cs_file *)file; }
static sqlite3_file *cs_real(sqlite3_file *file) { return cs_file(file)->real; }
static sqlite3_vfs *cs_system(sqlite3_vfs *vfs) { return (sqlite3_vfs *)vfs->pAppData; }

static sqlite3_mutex *cs_index_mutex(void) {
  return sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
}

// MARK: Passed on to the default VFS

static int cs_close(sqlite3_file *file) {
  struct cs_file *own = cs_file(file);
  int code = own->real->pMethods ? own->real->pMethods->xClose(own->real) : SQLITE_OK;
  if (own->name) sqlite3_free_filename(own->name);
  sqlite3_free(own->index_path);
  free(own->frames.pages.items);
  own->base.pMethods = 0;
  return code;
}
static int cs_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 place) {
  int code = cs_real(file)->pMethods->xRead(cs_real(file), bytes, count, place);
  // SQLite would call the database malformed if the disk fails.
  return code == SQLITE_IOERR_CORRUPTFS ? SQLITE_IOERR_READ : code;
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

// MARK: Journals

// Whether a WAL or rollback journal has bytes. Only regular files are opened, and no symbolic
// links, like SQLite: a pipe would block, and a device has no end.
static int cs_journal_state(const char *path, int *has_bytes) {
  struct stat state;
  *has_bytes = 0;
  if (lstat(path, &state) != 0) return errno == ENOENT ? SQLITE_OK : SQLITE_CANTOPEN;
  *has_bytes = state.st_size > 0;
  if (S_ISREG(state.st_mode)) return SQLITE_OK;
  errno = S_ISLNK(state.st_mode) ? ELOOP : EINVAL;
  return SQLITE_CANTOPEN;
}

// MARK: A database without a trace

static int cs_refuse_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 place) {
  (void)file, (void)bytes, (void)count, (void)place;
  return SQLITE_READONLY;
}
static int cs_refuse_truncate(sqlite3_file *file, sqlite3_int64 size) {
  (void)file, (void)size;
  return SQLITE_READONLY;
}
static int cs_traceless_lock(sqlite3_file *file, int level) {
  if (level > SQLITE_LOCK_SHARED) return SQLITE_READONLY;
  int code = cs_lock(file, level);
  if (code == SQLITE_OK) cs_file(file)->lock = level;
  return code;
}
static int cs_traceless_unlock(sqlite3_file *file, int level) {
  cs_file(file)->lock = level;
  return cs_unlock(file, level);
}
static int cs_traceless_control(sqlite3_file *file, int operation, void *argument) {
  if (operation != CS_CONTROL_IS_OUTDATED) return cs_control(file, operation, argument);
  *(int *)argument = cs_file(file)->is_outdated;
  return SQLITE_OK;
}

// The -shm, if it is a regular file: SQLite maps no other, and opening a pipe would block.
static struct cs_file_state cs_file_state(const char *path) {
  struct cs_file_state result;
  memset(&result, 0, sizeof result);
  result.is_there = lstat(path, &result.state) == 0 && S_ISREG(result.state.st_mode);
  return result;
}

static int cs_is_same_file(struct cs_file_state left, struct cs_file_state right) {
  if (left.is_there != right.is_there) return 0;
  return !left.is_there
    || (left.state.st_ino == right.state.st_ino && left.state.st_size == right.state.st_size
      && left.state.st_mtim.tv_sec == right.state.st_mtim.tv_sec
      && left.state.st_mtim.tv_nsec == right.state.st_mtim.tv_nsec);
}

// Whether the -shm is as it was when this reader found that nobody uses it.
static int cs_is_alone(struct cs_file *own) {
  return cs_is_same_file(cs_file_state(own->index_path), own->shm_state);
}

// Finds out whether anybody uses the -shm: SQLITE_READONLY_CANTINIT if nobody does.
static int cs_probe_index(struct cs_file *own, int size) {
  if (!own->shm_state.is_there) return SQLITE_READONLY_CANTINIT;
  void volatile *ignored = 0;
  *own->is_index_readonly = '1';
  int code = own->real->pMethods->xShmMap(own->real, 0, size, 0, &ignored);
  *own->is_index_readonly = '0';
  // A read-only mapping is not kept: a writer of this process would be given it too.
  if (code != SQLITE_OK) own->real->pMethods->xShmUnmap(own->real, 0);
  return code;
}

static int cs_traceless_index_map(
  sqlite3_file *file, int page, int size, int grows, void volatile **bytes) {
  struct cs_file *own = cs_file(file);
  *bytes = 0;
  int code = SQLITE_OK;
  sqlite3_mutex_enter(cs_index_mutex());
  if (own->index == CS_INDEX_UNKNOWN) {
    own->shm_state = cs_file_state(own->index_path);
    code = own->joins_index ? SQLITE_OK : cs_probe_index(own, size);
    if (code == SQLITE_READONLY_CANTINIT) own->index = CS_INDEX_OWN;
    if (code == SQLITE_READONLY || code == SQLITE_OK) own->index = CS_INDEX_SHARED;
  }
  if (own->index == CS_INDEX_OWN) {
    if (!cs_is_alone(own)) own->is_outdated = 1;
    code = own->is_outdated ? SQLITE_IOERR_SHMMAP : SQLITE_READONLY_CANTINIT;
  } else if (own->index == CS_INDEX_SHARED) {
    code = own->real->pMethods->xShmMap(own->real, page, size, grows, bytes);
    if (page == 0) own->header = *bytes;
  }
  sqlite3_mutex_leave(cs_index_mutex());
  return code;
}
static int cs_traceless_index_lock(sqlite3_file *file, int place, int count, int flags) {
  struct cs_file *own = cs_file(file);
  if (own->index == CS_INDEX_SHARED) {
    int code = cs_index_lock(file, place, count, flags);
    int is_begin = place >= CS_READ_LOCK && flags == (SQLITE_SHM_LOCK | SQLITE_SHM_SHARED);
    if (code == SQLITE_OK && is_begin && own->header)
      memcpy(own->snapshot, (const void *)own->header, sizeof own->snapshot);
    if (code == SQLITE_OK && is_begin) own->read_lock = place;
    if (place >= CS_READ_LOCK && flags & SQLITE_SHM_UNLOCK) own->read_lock = 0;
    return code;
  }
  // A transaction ends: was this the only user throughout?
  int is_end = place == CS_READ_LOCK && flags & SQLITE_SHM_UNLOCK;
  if (is_end && own->index == CS_INDEX_OWN && !cs_is_alone(own)) own->is_outdated = 1;
  return SQLITE_OK;
}
static int cs_traceless_index_unmap(sqlite3_file *file, int removes) {
  (void)removes;
  struct cs_file *own = cs_file(file);
  int code = own->index == CS_INDEX_SHARED ? cs_index_unmap(file, 0) : SQLITE_OK;
  own->index = CS_INDEX_UNKNOWN;
  own->read_lock = 0;
  own->header = 0;
  return code;
}

// MARK: A write-ahead log without a trace

// Opens the WAL if it has bytes. Whatever keeps an existing one from being read is an error: rows
// would be missing without it.
static int cs_log_open(struct cs_file *own) {
  if (own->real->pMethods) return SQLITE_OK;
  int size = 0, code = cs_journal_state(own->log_path, &size);
  if (code != SQLITE_OK || size == 0) return code;
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_WAL;
  code = system->xOpen(system, own->log_path, own->real, flags, &flags);
  if (code == SQLITE_OK) return SQLITE_OK;
  int reason = errno;
  own->real->pMethods = 0;
  // The last program to close the database removes the WAL.
  int now = cs_journal_state(own->log_path, &size);
  if (now == SQLITE_OK && size == 0) return SQLITE_OK;
  errno = reason;
  return code;
}

// The size of a WAL that may have frames; 0 if it is missing, empty or not a WAL.
static int cs_log_size(struct cs_file *own, sqlite3_int64 *size) {
  unsigned char header[CS_LOG_HEADER_SIZE];
  sqlite3_int64 whole = 0;
  sqlite3_file *real = own->real;
  *size = 0;
  int code = cs_log_open(own);
  if (code != SQLITE_OK || !real->pMethods) return code;
  code = real->pMethods->xFileSize(real, &whole);
  if (code != SQLITE_OK || whole <= CS_LOG_HEADER_SIZE) return code;
  code = cs_read(&own->base, header, sizeof header, 0);
  // Truncated meanwhile.
  if (code == SQLITE_IOERR_SHORT_READ) return SQLITE_OK;
  if (code != SQLITE_OK) return code;
  unsigned int page = (unsigned)header[8] << 24 | header[9] << 16 | header[10] << 8 | header[11];
  int is_log = header[0] == 0x37 && header[1] == 0x7f && header[2] == 0x06
    && (header[3] & 0xfe) == 0x82 && page >= 512 && page <= 65536 && !(page & (page - 1));
  if (is_log) *size = whole;
  return SQLITE_OK;
}

// A WAL without frames is shown as 32 zeros: SQLite compares them with the header that it has
// indexed (wal.c: the salts), finds it unchanged, and keeps its page cache.
static int cs_traceless_log_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code = cs_log_size(cs_file(file), size);
  if (code == SQLITE_OK && *size == 0) *size = CS_LOG_HEADER_SIZE;
  return code;
}
static int cs_traceless_log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 place) {
  struct cs_file *own = cs_file(file);
  sqlite3_int64 size = 0;
  int is_header = place < CS_LOG_HEADER_SIZE;
  int code = is_header ? cs_log_size(own, &size) : cs_log_open(own);
  if (code == SQLITE_OK && (is_header ? size > 0 : own->real->pMethods != 0))
    return cs_read(file, bytes, count, place);
  memset(bytes, 0, (size_t)count);
  if (code != SQLITE_OK) return code;
  return place + count <= CS_LOG_HEADER_SIZE ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}
static int cs_traceless_log_sync(sqlite3_file *file, int flags) {
  (void)file, (void)flags;
  return SQLITE_OK;
}
static int cs_traceless_log_control(sqlite3_file *file, int operation, void *argument) {
  (void)file, (void)operation, (void)argument;
  return SQLITE_NOTFOUND;
}
static int cs_traceless_log_lock(sqlite3_file *file, int level) {
  (void)file, (void)level;
  return SQLITE_OK;
}
static int cs_traceless_log_is_reserved(sqlite3_file *file, int *answer) {
  (void)file;
  *answer = 0;
  return SQLITE_OK;
}
static int cs_traceless_log_zero(sqlite3_file *file) {
  (void)file;
  return 0;
}

// MARK: Opening

static struct cs_stamp cs_stamp_of(const struct stat *state) {
  return (struct cs_stamp){
    (sqlite3_int64)state->st_dev, (sqlite3_int64)state->st_ino, state->st_size,
    state->st_mtim.tv_sec, state->st_mtim.tv_nsec, state->st_ctim.tv_sec, state->st_ctim.tv_nsec,
  };
}

static const sqlite3_io_methods cs_methods = {
  2, cs_close, cs_read, cs_write, cs_truncate, cs_sync, cs_size, cs_lock, cs_unlock,
  cs_is_reserved, cs_control, cs_sector_size, cs_characteristics,
  cs_index_map, cs_index_lock, cs_index_barrier, cs_index_unmap, 0, 0,
};
static const sqlite3_io_methods cs_traceless_methods = {
  2, cs_close, cs_read, cs_refuse_write, cs_refuse_truncate, cs_traceless_log_sync, cs_size,
  cs_traceless_lock, cs_traceless_unlock, cs_is_reserved, cs_traceless_control, cs_sector_size,
  cs_characteristics, cs_traceless_index_map, cs_traceless_index_lock, cs_index_barrier,
  cs_traceless_index_unmap, 0, 0,
};
static const sqlite3_io_methods cs_traceless_log_methods = {
  1, cs_close, cs_traceless_log_read, cs_refuse_write, cs_refuse_truncate, cs_traceless_log_sync,
  cs_traceless_log_size, cs_traceless_log_lock, cs_traceless_log_lock, cs_traceless_log_is_reserved,
  cs_traceless_log_control, cs_traceless_log_zero, cs_traceless_log_zero, 0, 0, 0, 0, 0, 0,
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
  if (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) {
    int has_bytes = 0, code = cs_journal_state(path, &has_bytes);
    file->pMethods = 0;
    if (code != SQLITE_OK) return code;
  }
  if (!(flags & SQLITE_OPEN_MAIN_DB)) return system->xOpen(system, path, file, flags, given);
  struct cs_file *own = cs_prepare(file);
  int code = system->xOpen(system, path, own->real, flags, given);
  if (code == SQLITE_OK) own->base.pMethods = &cs_methods;
  return code;
}

static int cs_traceless_open(
  sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *file, int flags, int *given) {
  sqlite3_vfs *system = cs_system(vfs);
  int writes = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  int kept = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL;
  if (!(flags & kept)) return system->xOpen(system, path, file, flags, given);
  if (flags & SQLITE_OPEN_MAIN_JOURNAL) {
    file->pMethods = 0;
    if (flags & writes) return SQLITE_READONLY;
    int has_bytes = 0, code = cs_journal_state(path, &has_bytes);
    if (code != SQLITE_OK) return code;
    return system->xOpen(system, path, file, flags, given);
  }
  struct cs_file *own = cs_prepare(file);
  flags = (flags & ~writes) | SQLITE_OPEN_READONLY;
  if (flags & SQLITE_OPEN_WAL) {
    own->log_path = path;
    own->base.pMethods = &cs_traceless_log_methods;
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
    struct stat state;
    own->base.pMethods = &cs_traceless_methods;
    if (stat(path, &state) == 0) own->opened = cs_stamp_of(&state);
    // A file that is shorter is no database.
    cs_read(&own->base, own->opened_header, CS_HEADER_SIZE, 0);
  } else {
    if (own->name) sqlite3_free_filename(own->name);
    sqlite3_free(own->index_path);
  }
  return code;
}

// MARK: Writing an open file

// The path of an open file of this process, with its descriptor. Whoever may write to the folder of
// a new database could put a link in place of the file that was created; by this path SQLite opens
// the file itself.
static int cs_is_own_descriptor(const char *path) {
  static const char start[] = "/proc/self/fd/";
  return strncmp(path, start, sizeof start - 1) == 0;
}

// The default VFS would look up where the path leads, and open what is there meanwhile.
static int cs_full_path(sqlite3_vfs *vfs, const char *path, int size, char *full) {
  sqlite3_vfs *system = cs_system(vfs);
  if (!cs_is_own_descriptor(path)) return system->xFullPathname(system, path, size, full);
  sqlite3_snprintf(size, full, "%s", path);
  return SQLITE_OK;
}

static int (*cs_default_open_call)(const char *, int, int);

// The default VFS follows no link when it opens a file, and to the kernel this path is one.
static int cs_open_call(const char *path, int flags, int mode) {
  return cs_default_open_call(path, cs_is_own_descriptor(path) ? flags & ~O_NOFOLLOW : flags, mode);
}

static int (*cs_default_fchown_call)(int, uid_t, gid_t);

// As root, the default VFS sets the owner of a log that it opens even to what it is, which changes
// the file's time.
static int cs_fchown_call(int file, uid_t user, gid_t group) {
  struct stat status;
  if (fstat(file, &status) == 0 && status.st_uid == user && status.st_gid == group) return 0;
  return cs_default_fchown_call(file, user, group);
}

static int cs_traceless_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  (void)vfs, (void)path, (void)syncs;
  return SQLITE_IOERR_DELETE;
}

static int (*cs_may_sleep)(void) = 0;

void cs_setMaySleep(int (*may_sleep)(void)) { cs_may_sleep = may_sleep; }

static int cs_sleep(sqlite3_vfs *vfs, int microseconds) {
  if (cs_may_sleep && !cs_may_sleep()) return 0;
  sqlite3_vfs *system = cs_system(vfs);
  return system->xSleep(system, microseconds);
}

// Registers both with SQLite; called once.
int cs_registerFileSystems(void) {
  static sqlite3_vfs writer, traceless;
  // Both are named in a URI; URIs can be turned on only before SQLite is first used.
  if (!sqlite3_compileoption_used("USE_URI")) sqlite3_config(SQLITE_CONFIG_URI, 1);
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  if (!system) return SQLITE_ERROR;
  writer = *system;
  writer.zName = "cardfile";
  writer.pAppData = system;
  writer.pNext = 0;
  writer.szOsFile = (int)sizeof(struct cs_file) + system->szOsFile;
  writer.xOpen = cs_open;
  writer.xFullPathname = cs_full_path;
  writer.xSleep = cs_sleep;
  traceless = writer;
  traceless.zName = "cardfile-traceless";
  traceless.xFullPathname = system->xFullPathname;
  traceless.xOpen = cs_traceless_open;
  traceless.xDelete = cs_traceless_delete;
  cs_default_open_call = (int (*)(const char *, int, int))system->xGetSystemCall(system, "open");
  if (!cs_default_open_call) return SQLITE_ERROR;
  int code = system->xSetSystemCall(system, "open", (sqlite3_syscall_ptr)cs_open_call);
  cs_default_fchown_call =
      (int (*)(int, uid_t, gid_t))system->xGetSystemCall(system, "fchown");
  if (code == SQLITE_OK && cs_default_fchown_call)
    code = system->xSetSystemCall(system, "fchown", (sqlite3_syscall_ptr)cs_fchown_call);
  if (code == SQLITE_OK) code = sqlite3_vfs_register(&writer, 0);
  return code == SQLITE_OK ? sqlite3_vfs_register(&traceless, 0) : code;
}

// Whether what a connection has just read may be mixed from two states, or it can read no more.
int cs_isOutdated(sqlite3 *connection) {
  int answer = 0;
  sqlite3_file_control(connection, "main", CS_CONTROL_IS_OUTDATED, &answer);
  return answer;
}

// The file of a connection whose path still leads to it.
static struct cs_file *cs_traceless_file(sqlite3 *connection) {
  sqlite3_file *file = 0;
  int has_moved = 1;
  sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK || has_moved || !file) return 0;
  return file->pMethods == &cs_traceless_methods ? cs_file(file) : 0;
}

// Whether two connections that have begun to read certainly see the same state; with a heap
// wal-index only if neither is outdated at the end.
int cs_seeSameState(sqlite3 *left, sqlite3 *right) {
  struct cs_file *one = cs_traceless_file(left), *other = cs_traceless_file(right);
  if (!one || !other || strcmp(one->index_path, other->index_path) != 0) return 0;
  if (one->lock < SQLITE_LOCK_SHARED || other->lock < SQLITE_LOCK_SHARED) return 0;
  if (one->index != other->index) return 0;
  if (one->index == CS_INDEX_SHARED)
    return one->header && memcmp(one->snapshot, other->snapshot, sizeof one->snapshot) == 0;
  return one->index == CS_INDEX_UNKNOWN || cs_is_same_file(one->shm_state, other->shm_state);
}

// MARK: Recognising a state

// Of the header of a wal-index: number of frames, pages, checksum of the frames, salts.
enum { CS_SNAPSHOT_START = 16, CS_SNAPSHOT_END = 40 };

struct cs_state {
  sqlite3_int64 index;
  struct cs_stamp database, log;
  unsigned char header[CS_HEADER_SIZE];
  unsigned char log_header[CS_LOG_HEADER_SIZE];
};

// Whether a file was last changed so long ago that any later change will have another time: the
// clock of a file system advances every 10 ms or more often, but on some only every 2 s.
static int cs_is_settled(const struct stat *state) {
  struct timespec now, changed = state->st_ctim;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return 0;
  sqlite3_int64 age = (sqlite3_int64)(now.tv_sec - changed.tv_sec) * 1000
    + (now.tv_nsec - changed.tv_nsec) / 1000000;
  return age >= (changed.tv_nsec % 10000000 ? 20 : 3000);
}

// The WAL that only this reader uses; nothing if it is missing or empty.
static int cs_read_log_state(sqlite3 *connection, struct cs_file *own, struct cs_state *state) {
  struct stat log;
  if (lstat(sqlite3_filename_wal(own->name), &log) != 0) return errno == ENOENT;
  if (!S_ISREG(log.st_mode)) return 0;
  if (log.st_size == 0) return 1;
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
  if (code != SQLITE_OK || !file || file->pMethods != &cs_traceless_log_methods) return 0;
  code = file->pMethods->xRead(file, state->log_header, sizeof state->log_header, 0);
  state->log = cs_stamp_of(&log);
  return code == SQLITE_OK && cs_is_settled(&log);
}

// Whether something but a commit has changed the file since it was opened, such as another file that
// was copied into it: SQLite does not notice that, and shows what it has read before.
static int cs_may_be_overwritten(struct cs_file *own, const struct cs_state *state) {
  return memcmp(own->opened_header, state->header, sizeof state->header) == 0
    && memcmp(&own->opened, &state->database, sizeof own->opened) != 0;
}

int cs_readState(sqlite3 *connection, void *bytes) {
  _Static_assert(sizeof(struct cs_state) <= CS_STATE_SIZE, "CS_STATE_SIZE is too small");
  struct cs_state state;
  struct stat database;
  memset(&state, 0, sizeof state);
  struct cs_file *own = cs_traceless_file(connection);
  if (!own || own->lock < SQLITE_LOCK_SHARED || own->is_outdated) return 0;
  if (stat(sqlite3_db_filename(connection, "main"), &database) != 0) return 0;
  // The path still leads to the open file, so that this was its state.
  if (!cs_traceless_file(connection) || !cs_is_settled(&database)) return 0;
  state.database = cs_stamp_of(&database);
  if (cs_read(&own->base, state.header, sizeof state.header, 0) != SQLITE_OK) return 0;
  state.index = own->index;
  // Versions of the format: 1 without a WAL, 2 with one.
  int uses_log = state.header[19] == 2;
  switch (own->index) {
    case CS_INDEX_UNKNOWN:
      if (uses_log || cs_may_be_overwritten(own, &state)) return 0;
      break;
    case CS_INDEX_OWN:
      if (!uses_log || !cs_read_log_state(connection, own, &state) || !cs_is_alone(own)) return 0;
      break;
    case CS_INDEX_SHARED:
      if (!uses_log || !own->header) return 0;
      memcpy(
        state.log_header, own->snapshot + CS_SNAPSHOT_START, CS_SNAPSHOT_END - CS_SNAPSHOT_START);
      break;
  }
  memcpy(bytes, &state, sizeof state);
  return (int)sizeof state;
}

// MARK: The files of a state

// Of the header of a wal-index: whether it is whole, the size of a page, and what follows it.
enum { CS_IS_INDEX = 12, CS_FRAMES = 16, CS_PAGES = 20, CS_SALTS = 32 };

int cs_readSnapshot(sqlite3 *connection, struct cs_snapshot *snapshot) {
  struct cs_state state;
  struct stat database;
  struct cs_file *own = cs_traceless_file(connection);
  memset(snapshot, 0, sizeof *snapshot);
  memset(&state, 0, sizeof state);
  if (!own || own->lock < SQLITE_LOCK_SHARED || own->is_outdated) return 0;
  if (sqlite3_txn_state(connection, "main") != SQLITE_TXN_READ) return 0;
  if (cs_read(&own->base, state.header, sizeof state.header, 0) != SQLITE_OK) return 0;
  int uses_log = state.header[19] == 2;
  snapshot->database = &own->base;
  snapshot->known = &own->frames;
  if (own->index == CS_INDEX_UNKNOWN) {
    if (uses_log || stat(sqlite3_db_filename(connection, "main"), &database) != 0) return 0;
    state.database = cs_stamp_of(&database);
    return !cs_may_be_overwritten(own, &state);
  }
  sqlite3_file *log = 0;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (!uses_log || code != SQLITE_OK || !log || log->pMethods != &cs_traceless_log_methods)
    return 0;
  if (own->index == CS_INDEX_OWN) {
    snapshot->log = log;
    return cs_is_alone(own);
  }
  if (!own->header || own->read_lock < CS_READ_LOCK || !own->snapshot[CS_IS_INDEX]) return 0;
  snapshot->has_index = 1;
  memcpy(&snapshot->frames, own->snapshot + CS_FRAMES, sizeof snapshot->frames);
  memcpy(&snapshot->pages, own->snapshot + CS_PAGES, sizeof snapshot->pages);
  memcpy(snapshot->salts, own->snapshot + CS_SALTS, sizeof snapshot->salts);
  // A reader with the first lock reads the database alone: all of the log is in it, and the log may
  // begin anew.
  if (own->read_lock > CS_READ_LOCK && snapshot->frames > 0) snapshot->log = log;
  return 1;
}
