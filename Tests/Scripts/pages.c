// Reads random tables, sound and damaged ones, by their pages (page_scan.c) and by SQLite: both
// must give the same rows, or the scan must say that SQLite shall read. Run by `make pages`, with
// the sanitizers of addresses and undefined behaviour.
//
//   pages FOLDER TABLES [SEED]
//   pages FOLDER writer SCANS    while another process commits and checkpoints: no mixed state

#define _GNU_SOURCE
#include <CSQLite.h>

#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_COLUMNS = 40 };

static uint64_t state;
static const char *folder;
static long seed, scanned, refused, damaged, same, tested, excluded;

static uint64_t next(void) {
  state += 0x9E3779B97F4A7C15;
  uint64_t z = state;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}
static int below(int count) { return (int)(next() % (uint64_t)count); }

static void fail(const char *what) {
  fprintf(stderr, "seed %ld: %s; the database is in %s\n", seed, what, folder);
  exit(1);
}

static void run(sqlite3 *db, const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *sql = sqlite3_vmprintf(format, list);
  va_end(list);
  if (sqlite3_exec(db, sql, 0, 0, 0) != SQLITE_OK) {
    fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
    fail("a statement failed");
  }
  sqlite3_free(sql);
}

// MARK: A random table

static const char *types[] = {
  "", "INTEGER", "TEXT", "REAL", "BLOB", "NUMERIC", "DOUBLE", "VARCHAR(9)",
};

// Binds a value of any class; lengths are near those at which a row goes on in other pages.
static void bind(sqlite3_stmt *statement, int index, int usable) {
  static uint8_t bytes[1 << 19];
  int length;
  double number = below(2) ? below(1000) : below(100000) / 7.0;
  sqlite3_int64 integer = (sqlite3_int64)(next() >> (1 + below(63)));
  switch (below(8)) {
    case 0: sqlite3_bind_null(statement, index); return;
    case 1: sqlite3_bind_int64(statement, index, below(3) - 1); return;
    case 2: sqlite3_bind_int64(statement, index, integer); return;
    case 3: sqlite3_bind_int64(statement, index, -integer); return;
    case 4: sqlite3_bind_double(statement, index, below(9) ? number : 1e300 * number); return;
    default: break;
  }
  switch (below(12)) {
    case 0: length = usable - 45 + below(30); break;
    case 1: length = below(usable * 3); break;
    case 2: length = usable * (1 + below(4)) - 60 + below(60); break;
    case 3: length = 0; break;
    default: length = below(40);
  }
  if (length < 0) length = 0;
  int is_text = below(2);
  for (int i = 0; i < length; i++)
    bytes[i] = (uint8_t)(below(9) ? 'a' + below(26) : below(256));
  if (is_text) sqlite3_bind_text(statement, index, (char *)bytes, length, SQLITE_TRANSIENT);
  else sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}

static void insert(sqlite3 *db, int columns, int rows, int usable, int has_id) {
  char sql[1024] = "INSERT OR IGNORE INTO t(rowid";
  for (int i = has_id; i < columns; i++) sprintf(sql + strlen(sql), ",c%d", i);
  strcat(sql, ") VALUES(?");
  for (int i = has_id; i < columns; i++) strcat(sql, ",?");
  strcat(sql, ")");
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, 0) != SQLITE_OK) fail(sqlite3_errmsg(db));
  int order = below(3);
  for (int row = 0; row < rows; row++) {
    sqlite3_int64 key = order == 0 ? row : order == 1 ? below(rows * 4) : (sqlite3_int64)next();
    if (order == 0 && below(5)) sqlite3_bind_null(statement, 1);
    else sqlite3_bind_int64(statement, 1, key);
    for (int i = has_id; i < columns; i++) bind(statement, 2 + i - has_id, usable);
    if (sqlite3_step(statement) != SQLITE_DONE && sqlite3_errcode(db) != SQLITE_FULL
      && sqlite3_errcode(db) != SQLITE_CONSTRAINT) fail(sqlite3_errmsg(db));
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
}

static void path_of(char *path, const char *suffix) { sprintf(path, "%s/t.db%s", folder, suffix); }

// What rows have that are older than a column: the default value in a table that has one row.
static void set_older(cs_column *column, const char *value, const char *type) {
  sqlite3 *db;
  sqlite3_stmt *statement;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) fail("no memory");
  run(db, "CREATE TABLE t(a, b %s DEFAULT %s); INSERT INTO t(a) VALUES(1)", type,
    value ? value : "NULL");
  sqlite3_prepare_v2(db, "SELECT b FROM t", -1, &statement, 0);
  sqlite3_step(statement);
  double number = sqlite3_column_double(statement, 0);
  column->number = sqlite3_column_int64(statement, 0);
  switch (sqlite3_column_type(statement, 0)) {
    case SQLITE_NULL: column->older = CS_DEFAULT_NULL; break;
    case SQLITE_INTEGER: column->older = CS_DEFAULT_INTEGER; break;
    case SQLITE_FLOAT:
      column->older = CS_DEFAULT_DOUBLE;
      memcpy(&column->number, &number, sizeof number);
      break;
    default:
      column->older = sqlite3_column_type(statement, 0) == SQLITE_TEXT
        && sqlite3_column_bytes(statement, 0) == 0 ? CS_DEFAULT_EMPTY : CS_DEFAULT_OTHER;
  }
  sqlite3_finalize(statement);
  sqlite3_close(db);
}

// Makes a database; returns the connection, which may keep a log open.
static sqlite3 *make(int *columns, int *uses_log, int *is_plain) {
  char path[512];
  const char *suffixes[] = {"", "-wal", "-shm", "-journal"};
  for (int i = 0; i < 4; i++) { path_of(path, suffixes[i]); unlink(path); }
  path_of(path, "");
  sqlite3 *db;
  if (sqlite3_open(path, &db) != SQLITE_OK) fail("no database");
  cs_setFlag(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1);
  int size = 512 << below(below(4) ? 4 : 8), reserved = below(4) ? 0 : below(33);
  if (size > 65536) size = 65536;
  *is_plain = 1;
  run(db, "PRAGMA page_size=%d", size);
  if (reserved) sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  run(db, "PRAGMA auto_vacuum=%d", below(3));
  if (below(20) == 0) { run(db, "PRAGMA encoding='UTF-16le'"); *is_plain = 0; }
  *uses_log = below(2);
  run(db, "PRAGMA synchronous=OFF");
  run(db, "PRAGMA journal_mode=%s", *uses_log ? "WAL" : "DELETE");
  if (*uses_log) run(db, "PRAGMA wal_autocheckpoint=%d", below(3) ? 1000000 : 5);
  if (below(3) == 0) run(db, "CREATE TABLE other(x, y)");
  *columns = 1 + below(below(5) ? 6 : MOST_COLUMNS - 6);
  int has_id = below(2);
  char sql[2048] = "CREATE TABLE t(";
  for (int i = 0; i < *columns; i++)
    sprintf(sql + strlen(sql), "%sc%d %s", i ? "," : "", i,
      i == 0 && has_id ? "INTEGER PRIMARY KEY" : types[below(8)]);
  if (below(6) == 0) strcat(sql, ", g TEXT GENERATED ALWAYS AS (c0 || 'x') VIRTUAL");
  if (below(6) == 0) strcat(sql, ", s GENERATED ALWAYS AS (c0 + 1) STORED");
  strcat(sql, ")");
  run(db, "%s", sql);
  int rows = below(4) ? below(60) : below(900);
  if (size > 8192) rows /= 4;
  if (below(2)) run(db, "BEGIN");
  insert(db, *columns, rows, size - reserved, has_id && *columns > 1 ? 1 : has_id);
  if (!sqlite3_get_autocommit(db)) run(db, "COMMIT");
  if (below(2)) run(db, "DELETE FROM t WHERE rowid %% 3 = %d", below(3));
  for (int i = below(3); i > 0; i--) {
    static const char *defaults[] = {
      "", "DEFAULT NULL", "DEFAULT 7", "DEFAULT 'x'", "DEFAULT -1.5", "DEFAULT ''",
    };
    int which = below(6);
    const char *type = types[below(8)];
    run(db, "ALTER TABLE t ADD COLUMN c%d %s %s", *columns, type, defaults[which]);
    cs_column added;
    set_older(&added, which ? defaults[which] + strlen("DEFAULT ") : 0, type);
    if (added.older == CS_DEFAULT_OTHER) *is_plain = 0;
    ++*columns;
    if (below(2)) insert(db, *columns, below(30), size - reserved, has_id);
  }
  if (below(6) == 0) run(db, "VACUUM");
  if (*uses_log && below(3) == 0)
    run(db, "PRAGMA wal_checkpoint(%s)", below(2) ? "PASSIVE" : "TRUNCATE");
  if (*uses_log && *columns > has_id && below(3) == 0)
    run(db, "UPDATE t SET c%d = 'log' WHERE rowid %% 5 = 1", *columns - 1);
  return db;
}

// MARK: Both ways to read

typedef struct {
  uint8_t *bytes;
  size_t count, capacity;
  // How many rows have the needle, and how many may have it once their texts are folded; how many
  // the bound excludes.
  long rows, present, possible, excluded;
} Rows;

static void add(Rows *rows, const void *bytes, size_t count) {
  if (rows->count + count > rows->capacity) {
    rows->capacity = (rows->count + count) * 2;
    rows->bytes = realloc(rows->bytes, rows->capacity);
  }
  if (count) memcpy(rows->bytes + rows->count, bytes, count);
  rows->count += count;
}

static void add_value(Rows *rows, int type, const void *bytes, sqlite3_int64 count) {
  add(rows, &type, sizeof type);
  add(rows, &count, sizeof count);
  add(rows, bytes, (size_t)count);
}

// MARK: A needle

static int column_count;
static cs_column scanned_columns[256];
static char names[256][70];
static cs_needle needle;
static unsigned char needle_bytes[8];
static int needle_columns[256];

// Chooses a text of ASCII to be sought in some of the columns; whether there is one.
static int choose_needle(void) {
  needle = (cs_needle){.bytes = needle_bytes, .count = 1 + below(below(2) ? 2 : 5)};
  needle.rarest = below(needle.count);
  needle.beside = needle.rarest;
  if (needle.rarest + 1 < needle.count) needle.beside++;
  if (needle.rarest > 0 && (below(2) || needle.beside == needle.rarest))
    needle.beside = needle.rarest - 1;
  needle.folds_case = below(2);
  for (int i = 0; i < needle.count; i++) needle_bytes[i] = (unsigned char)('a' + below(26));
  needle.is_folded = below(2);
  needle.source_count = needle.is_folded ? below(4) : 0;
  for (int i = 0; i < needle.source_count; i++) {
    int least = below(64), span = below(64 - least);
    sqlite3_uint64 seconds = (sqlite3_uint64)1 << least | (sqlite3_uint64)1 << (least + span);
    sqlite3_uint64 singles = 0;
    for (int bit = least; bit < least + span; bit++)
      if (below(2)) seconds |= (sqlite3_uint64)1 << bit;
    for (int bit = least; bit <= least + span; bit++)
      if (below(2)) singles |= seconds & (sqlite3_uint64)1 << bit;
    // The bytes that code points begin with differ.
    needle.sources[i] = (cs_source){(unsigned char)(0xc2 + 7 * i + below(7)),
      (unsigned char)(0x80 + least), (unsigned char)span, seconds, singles};
  }
  needle.columns = needle_columns;
  for (int index = 0; index < MOST_COLUMNS; index++)
    for (int i = 0; i < column_count; i++)
      if (scanned_columns[i].index == index && below(3)) {
        needle_columns[needle.column_count++] = index;
        break;
      }
  return needle.column_count > 0;
}

static int is_sought(int index) {
  for (int i = 0; i < needle.column_count; i++) if (needle.columns[i] == index) return 1;
  return 0;
}

static int is_needle_byte(unsigned char byte, int index) {
  unsigned char wanted = needle.bytes[index];
  return byte == wanted || (needle.folds_case && (byte | 0x20) == wanted);
}

// Whether the texts of a row have the needle.
static int has_needle(const cs_value *values) {
  for (int i = 0; i < column_count; i++) {
    if (values[i].type != SQLITE_TEXT || !is_sought(scanned_columns[i].index)) continue;
    const unsigned char *text = values[i].bytes;
    for (sqlite3_int64 k = 0; k + needle.count <= values[i].count; k++) {
      int n = 0;
      while (n < needle.count && is_needle_byte(text[k + n], n)) n++;
      if (n == needle.count) return 1;
    }
  }
  return 0;
}

// Whether a text of a row may have the needle once it is folded: it has a code point that can be
// the rarest byte, or that byte near one that is not ASCII.
static int may_have_needle(const cs_value *values) {
  for (int i = 0; needle.is_folded && i < column_count; i++) {
    if (values[i].type != SQLITE_TEXT || !is_sought(scanned_columns[i].index)) continue;
    const unsigned char *text = values[i].bytes;
    int count = (int)values[i].count;
    for (int k = 0; k + 1 < count; k++) {
      unsigned char first = text[k], second = text[k + 1];
      if (first == 0xe1 || first == 0xef || (first == 0xe2 && second != 0x80)) return 1;
      for (int n = 0; n < needle.source_count; n++)
        if (first == needle.sources[n].first && second >= 0x80 && second < 0xc0
          && needle.sources[n].seconds >> (second & 0x3f) & 1) {
          int other = needle.beside > needle.rarest ? k + 2 : k - 1;
          if (needle.beside == needle.rarest || !(needle.sources[n].singles >> (second & 0x3f) & 1))
            return 1;
          if (other >= 0 && other < count
            && (text[other] >= 0x80 || is_needle_byte(text[other], needle.beside))) return 1;
        }
    }
    for (int k = 0; k < count; k++) {
      int other = k + needle.beside - needle.rarest, start = k - needle.rarest;
      if (!is_needle_byte(text[k], needle.rarest) || other < 0 || other >= count) continue;
      if (text[other] < 0x80 && !is_needle_byte(text[other], needle.beside)) continue;
      for (int n = 0; n < needle.count; n++)
        if (start + n >= 0 && start + n < count && text[start + n] >= 0x80) return 1;
    }
  }
  return 0;
}

// MARK: A bound

enum { MOST_KNOWN = 2 };
static cs_text_bound bound;
// The texts that it knows, so few that none has lost its slot.
static unsigned char known_texts[MOST_KNOWN][16];
static int known_counts[MOST_KNOWN], known_count;

// The first code point of a text, if it has one or two bytes; 0 for another one.
static int short_code_point(const unsigned char *text, sqlite3_int64 count) {
  if (count > 0 && text[0] < 0x80) return text[0];
  int is_pair = count > 1 && text[0] >= 0xc2 && text[0] < 0xe0 && text[1] >= 0x80 && text[1] < 0xc0;
  return is_pair ? (text[0] - 0xc0) * 64 + text[1] - 0x80 : 0;
}

// Chooses texts of rows that are not wanted, and initials.
static void choose_bound(sqlite3 *db) {
  bound = (cs_text_bound){.column = below(column_count)};
  known_count = 0;
  for (int i = 0; i < 4; i++) bound.initials[1 + below(CS_SHORT_CODE_POINTS - 1)] = 1;
  for (int i = 0; i < MOST_KNOWN; i++) {
    char sql[200];
    sqlite3_stmt *statement;
    sprintf(sql, "SELECT \"%s\" FROM t NOT INDEXED LIMIT 1 OFFSET %d", names[bound.column],
      below(20));
    if (sqlite3_prepare_v2(db, sql, -1, &statement, 0) != SQLITE_OK) return;
    cs_value value = {.type = SQLITE_NULL};
    if (sqlite3_step(statement) == SQLITE_ROW)
      cs_getValue(sqlite3_column_value(statement, 0), &value);
    if (value.type == SQLITE_TEXT) {
      if (below(2)) bound.initials[short_code_point(value.bytes, value.count)] = 1;
      bound.initials[0] = 0;
      cs_exclude(&bound, &value);
      if (value.count < 16) {
        if (value.count) memcpy(known_texts[known_count], value.bytes, (size_t)value.count);
        known_counts[known_count++] = (int)value.count;
      }
    }
    sqlite3_finalize(statement);
  }
}

// Whether the bound excludes a row.
static int is_excluded(const cs_value *value) {
  if (value->type != SQLITE_TEXT) return 0;
  for (int i = 0; i < known_count; i++)
    if (value->count == known_counts[i]
      && (!value->count || memcmp(known_texts[i], value->bytes, (size_t)value->count) == 0)) return 1;
  return bound.initials[short_code_point(value->bytes, value->count)];
}

static int take(void *receiver, const cs_value *values) {
  Rows *rows = receiver;
  int excludes = is_excluded(&values[bound.column]);
  if (excludes != cs_isExcluded(&bound, &values[bound.column])) fail("a bound is not exact");
  rows->excluded += excludes;
  if (needle.column_count) {
    int is_present = has_needle(values);
    rows->present += is_present;
    rows->possible += is_present || may_have_needle(values);
  }
  for (int i = 0; i < column_count; i++)
    add_value(rows, values[i].type, values[i].bytes, values[i].count);
  rows->rows++;
  return 1;
}

// MARK: A condition

enum { MOST_TESTS = 32, MOST_KEYS = 6 };
static cs_test tests[MOST_TESTS];
static sqlite3_int64 test_keys[MOST_TESTS][MOST_KEYS];
static int test_count, literal_count;
static sqlite3_value *literals[MOST_TESTS];
static char condition[20000];

// What tests leave to the program: whether a text has an even number of bytes.
static int decide(const void *decisions, int index, const cs_value *value) {
  (void)decisions, (void)index;
  return value->type == SQLITE_TEXT && value->count % 2 == 0;
}

static void write_sql(const char *format, ...) {
  va_list list;
  va_start(list, format);
  size_t length = strlen(condition);
  vsnprintf(condition + length, sizeof condition - length, format, list);
  va_end(list);
}

// Takes a value of a random row as a literal; whether it is not NULL.
static int choose_literal(sqlite3 *db, const char *name) {
  char sql[200];
  sqlite3_stmt *statement;
  sqlite3_value *value = 0;
  sprintf(sql, "SELECT \"%s\" + %d, \"%s\" FROM t NOT INDEXED LIMIT 1 OFFSET %d", name,
    below(2), name, below(20));
  if (sqlite3_prepare_v2(db, sql, -1, &statement, 0) != SQLITE_OK) return 0;
  // Numbers that lie beside each other too, as integers and doubles.
  if (sqlite3_step(statement) == SQLITE_ROW)
    value = sqlite3_value_dup(sqlite3_column_value(statement, below(3) ? 1 : 0));
  sqlite3_finalize(statement);
  int is_value = value && sqlite3_value_type(value) != SQLITE_NULL;
  if (is_value) literals[literal_count++] = value;
  else sqlite3_value_free(value);
  return is_value;
}

// Adds a test, and what SQLite says for it to the condition.
static void add_test(sqlite3 *db, int level) {
  int index = test_count++, column = below(column_count), other = below(column_count);
  const char *name = names[column];
  cs_test *test = &tests[index];
  *test = (cs_test){.kind = CS_ALL, .column = column};
  switch (level < 3 && test_count < MOST_TESTS - 12 ? below(9) : 3 + below(6)) {
  case 0: case 1: {
    int is_any = below(2);
    test->kind = is_any ? CS_ANY : CS_ALL;
    write_sql("(%d", !is_any);
    for (int i = below(4); i > 0; i--) {
      write_sql(is_any ? " OR " : " AND ");
      add_test(db, level + 1);
    }
    write_sql(")");
    break;
  }
  case 2:
    test->kind = CS_NOT;
    write_sql("NOT ");
    add_test(db, level + 1);
    break;
  case 3:
    test->kind = CS_NULL;
    write_sql("(+\"%s\" IS NULL)", name);
    break;
  case 4:
    test->kind = CS_SAME;
    test->number = other;
    write_sql("(+\"%s\" IS +\"%s\")", name, names[other]);
    break;
  case 5:
    test->kind = CS_AMONG;
    test->number = below(MOST_KEYS);
    test->keys = test_keys[index];
    write_sql("(typeof(\"%s\") = 'integer' AND +\"%s\" IN (", name, name);
    for (int i = 0; i < test->number; i++) {
      test_keys[index][i] = (i ? test_keys[index][i - 1] : -3) + below(9);
      write_sql(i ? ", %lld" : "%lld", test_keys[index][i]);
    }
    write_sql("))");
    break;
  case 6:
    test->kind = CS_DECIDED;
    write_sql("(typeof(\"%s\") = 'text' AND length(CAST(\"%s\" AS BLOB)) %% 2 = 0)", name, name);
    break;
  default:
    if (!choose_literal(db, name)) {
      write_sql("1");
      break;
    }
    static const char *orders[] = {"<", "=", "<=", ">", "<>", ">="};
    static const char *classes[] = {
      "'integer', 'real'", "'integer', 'real'", "'text'", "'blob'",
    };
    test->kind = CS_COMPARED;
    test->orders = 1 + below(6);
    cs_getValue(literals[literal_count - 1], &test->literal);
    write_sql("(typeof(\"%s\") IN (%s) AND +\"%s\" %s ?%d)", name,
      classes[test->literal.type - 1], name, orders[test->orders - 1], literal_count);
  }
  test->end = test_count;
}

static int by_sql(sqlite3 *db, const char *sql, Rows *rows) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, 0) != SQLITE_OK) return 0;
  for (int i = 0; i < literal_count; i++) sqlite3_bind_value(statement, i + 1, literals[i]);
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
      sqlite3_value *value = sqlite3_column_value(statement, i);
      int type = sqlite3_value_type(value);
      sqlite3_int64 number = sqlite3_value_int64(value);
      double real = sqlite3_value_double(value);
      if (type == SQLITE_INTEGER) add_value(rows, type, &number, 8);
      else if (type == SQLITE_FLOAT) add_value(rows, type, &real, 8);
      else if (type == SQLITE_NULL) add_value(rows, type, 0, 0);
      else {
        const void *bytes = type == SQLITE_TEXT
          ? (const void *)sqlite3_value_text(value) : sqlite3_value_blob(value);
        add_value(rows, type, bytes, sqlite3_value_bytes(value));
      }
    }
    rows->rows++;
  }
  sqlite3_finalize(statement);
  return code == SQLITE_DONE;
}

static sqlite3_int64 number(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  sqlite3_int64 result = 0;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, 0) == SQLITE_OK
    && sqlite3_step(statement) == SQLITE_ROW) result = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return result;
}

// By SQLite's rules for declared types (datatype3.html, 3.1).
static int is_real(const char *type) {
  static const char *others[] = {"INT", "CHAR", "CLOB", "TEXT", "BLOB"};
  for (int i = 0; i < 5; i++) if (strcasestr(type, others[i])) return 0;
  return strcasestr(type, "REAL") || strcasestr(type, "FLOA") || strcasestr(type, "DOUB");
}

// The columns that a scan reads: the key and some of the stored ones.
static int choose(sqlite3 *db, cs_column *columns, char *sql, int *stored_count) {
  sqlite3_stmt *statement;
  int count = 1, index = 0;
  columns[0] = (cs_column){.index = -1};
  *stored_count = 0;
  strcpy(names[0], "rowid");
  strcpy(sql, "SELECT rowid");
  if (sqlite3_prepare_v2(db, "SELECT name, type, dflt_value,"
    "pk AND NOT EXISTS (SELECT 1 FROM pragma_index_list('t') WHERE origin = 'pk'), hidden "
    "FROM pragma_table_xinfo('t')", -1, &statement, 0) != SQLITE_OK) return 0;
  while (sqlite3_step(statement) == SQLITE_ROW && count < 200) {
    const char *name = (const char *)sqlite3_column_text(statement, 0);
    const char *type = (const char *)sqlite3_column_text(statement, 1);
    const char *value = (const char *)sqlite3_column_text(statement, 2);
    int hidden = sqlite3_column_int(statement, 4);
    if (hidden == 2) continue;
    if (name && strlen(name) < 60 && below(4)) {
      columns[count].index = sqlite3_column_int(statement, 3) ? -1 : index;
      columns[count].is_real = type && is_real(type);
      set_older(&columns[count], value, type);
      if (columns[count].index >= 0) *stored_count = index + 1;
      sprintf(sql + strlen(sql), ", \"%s\"", name);
      strcpy(names[count], name);
      count++;
    }
    index++;
  }
  sqlite3_finalize(statement);
  strcat(sql, " FROM t NOT INDEXED");
  return count;
}

// Reads the rows that a bound does not exclude by a number of threads; whether all were read.
static int scan_bounded(
  const cs_scan *scan, const struct cs_request *request, const cs_text_bound *bound, int count,
  Rows *rows) {
  const cs_text_bound *bounds[3] = {bound, bound, bound};
  Rows parts[3] = {0};
  void *receivers[3] = {&parts[0], &parts[1], &parts[2]};
  enum cs_scan_state states[3];
  int is_whole = 1;
  cs_scanRows(scan, request, receivers, bounds, count, states);
  for (int i = 0; i < count; i++) {
    is_whole = is_whole && states[i] == CS_SCAN_WHOLE;
    add(rows, parts[i].bytes, parts[i].count);
    rows->rows += parts[i].rows;
    rows->present += parts[i].present;
    rows->possible += parts[i].possible;
    rows->excluded += parts[i].excluded;
    free(parts[i].bytes);
  }
  return is_whole;
}

static int scan_rows(const cs_scan *scan, const struct cs_request *request, int count, Rows *rows) {
  return scan_bounded(scan, request, 0, count, rows);
}

static void compare_rows(sqlite3 *db, const char *sql, const Rows *found) {
  Rows expected = {0};
  if (!by_sql(db, sql, &expected)) fail("only the scan has read the table");
  if (expected.rows != found->rows || expected.count != found->count
    || (found->count && memcmp(expected.bytes, found->bytes, found->count) != 0)) {
    fprintf(stderr, "%s\n", sql);
    fail("the scan has read other rows");
  }
  free(expected.bytes);
}

static int hold(const void *decisions, int index, const cs_value *value) {
  (void)decisions, (void)index, (void)value;
  return 1;
}

// Reads the rows in which the needle is seen, or may be.
static void compare_needle(const cs_scan *scan, struct cs_request request, const Rows *all) {
  // Where the needle is uncertain, a part holds for each column that is not ASCII, or there is no
  // part.
  cs_test sought[257] = {{.kind = CS_SOUGHT}};
  Rows seen = {0}, sighted = {0}, required = {0};
  request.tests = sought;
  request.decide = hold;
  request.test_count = 1;
  for (int i = 0; i < column_count; i++) {
    if (!is_sought(scanned_columns[i].index)) continue;
    int part = request.test_count++;
    sought[part] = (cs_test){.kind = CS_DECIDED, .column = i, .end = part + 1};
  }
  int count = sought[0].end = request.test_count;
  int is_whole = scan_rows(scan, &request, 1, &sighted);
  sought[0].end = request.test_count = 1;
  is_whole = is_whole && scan_rows(scan, &request, 1, &seen);
  sought[0].end = request.test_count = count;
  needle.is_required = 1;
  if (!is_whole || !scan_rows(scan, &request, 1, &required)) fail("a second scan was not whole");
  if (seen.rows != all->present || seen.present != seen.rows) fail("a needle was not seen");
  if (sighted.possible != all->possible) fail("a text was not uncertain");
  if (!needle.is_folded && sighted.rows != seen.rows) fail("an exact needle is uncertain");
  if (required.rows != sighted.rows || required.count != sighted.count
    || (required.count && memcmp(required.bytes, sighted.bytes, required.count) != 0))
    fail("a scan for a needle has found other rows");
  free(seen.bytes), free(sighted.bytes), free(required.bytes);
}

// Reads the rows that the bound does not exclude.
static void compare_bound(const cs_scan *scan, struct cs_request request, const Rows *all) {
  Rows wanted = {0};
  request.needle_count = 0;
  if (!scan_bounded(scan, &request, &bound, 1 + below(3), &wanted))
    fail("a scan with a bound was not whole");
  if (wanted.excluded) fail("a scan has read a row that its bound excludes");
  if (wanted.rows != all->rows - all->excluded) fail("a bound has excluded another row");
  excluded += all->excluded;
  free(wanted.bytes);
}

// Reads the rows that satisfy a random condition.
static void compare_tests(
  sqlite3 *db, const cs_scan *scan, struct cs_request request, const char *sql) {
  char whole[40000];
  Rows found = {0};
  condition[0] = 0;
  test_count = 0;
  add_test(db, 0);
  request.needle_count = 0;
  request.tests = tests;
  request.test_count = test_count;
  sprintf(whole, "%s WHERE %s", sql, condition);
  if (!scan_rows(scan, &request, 1 + below(3), &found)) fail("a scan with tests was not whole");
  compare_rows(db, whole, &found);
  tested += found.rows > 0;
  free(found.bytes);
  while (literal_count > 0) sqlite3_value_free(literals[--literal_count]);
}

// Reads the table both ways in one transaction; whether the scan has read it.
static int compare(int must_scan) {
  char path[512], uri[600], sql[16000];
  path_of(path, "");
  sprintf(uri, "file:%s?vfs=cardfile-traceless", path);
  sqlite3 *db;
  int is_scanned = 0;
  if (sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, 0) == SQLITE_OK) {
    sqlite3_exec(db, "PRAGMA cell_size_check=ON; BEGIN", 0, 0, 0);
    sqlite3_int64 root = number(db,
      "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = 't'");
    sqlite3_int64 size = number(db, "PRAGMA page_size"), pages = number(db, "PRAGMA page_count");
    struct cs_request request = {
      .columns = scanned_columns, .visit = take, .needles = &needle, .decide = decide,
    };
    request.column_count = column_count = choose(db, scanned_columns, sql, &request.stored_count);
    request.value_count = column_count;
    request.needle_count = choose_needle();
    if (column_count) choose_bound(db);
    cs_scan *scan = column_count ? cs_scanOpen(db, root, size, pages) : 0;
    Rows rows = {0};
    if (scan && scan_rows(scan, &request, 1 + below(3), &rows)) {
      is_scanned = 1;
      compare_rows(db, sql, &rows);
      // Again, with the frames that are known.
      cs_scanClose(scan);
      scan = cs_scanOpen(db, root, size, pages);
      if (!scan) fail("a table was not scanned twice");
      if (request.needle_count) compare_needle(scan, request, &rows);
      compare_bound(scan, request, &rows);
      compare_tests(db, scan, request, sql);
    }
    free(rows.bytes);
    cs_scanClose(scan);
  }
  if (must_scan && !is_scanned) fail("a sound table was not scanned");
  sqlite3_close(db);
  return is_scanned;
}

// MARK: Damage

// Changes bytes of a file: single ones, numbers of pages and cells, whole pages.
static void damage(const char *suffix, int page) {
  char path[512];
  path_of(path, suffix);
  int file = open(path, O_RDWR);
  struct stat status;
  if (file < 0) return;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    for (int i = 1 + below(4); i > 0; i--) {
      off_t place = (off_t)(next() % (uint64_t)status.st_size);
      uint8_t bytes[65536];
      off_t start = place / page * page;
      switch (below(6)) {
        case 0: bytes[0] = (uint8_t)next(); pwrite(file, bytes, 1, place); break;
        // The header of a page, or its first cells.
        case 1: bytes[0] = (uint8_t)next(); pwrite(file, bytes, 1, start + below(40)); break;
        case 2:
          bytes[0] = (uint8_t)below(page >> 8 ? page >> 8 : 1), bytes[1] = (uint8_t)next();
          pwrite(file, bytes, 2, start + 8 + 2 * below(8));
          break;
        case 3:
          place = below((int)(status.st_size / page) + 1) * (off_t)page;
          if (pread(file, bytes, (size_t)page, start) > 0) pwrite(file, bytes, (size_t)page, place);
          break;
        // The number of a page.
        case 4:
          memset(bytes, 0, 4), bytes[3] = (uint8_t)below(64);
          pwrite(file, bytes, 4, place);
          break;
        default:
          if (below(4) == 0 && ftruncate(file, place) != 0) fail("no truncation");
          bytes[0] = 0xff;
          pwrite(file, bytes, 1, start + below(page));
      }
    }
  }
  close(file);
}

// MARK: A writer

// Commits until it is ended. Each state has one version in all of its rows, and as many rows as the
// version says.
static void commit_always(void) {
  char path[512];
  sqlite3 *db;
  path_of(path, "");
  if (sqlite3_open(path, &db) != SQLITE_OK) _exit(1);
  sqlite3_busy_timeout(db, 30);
  sqlite3_exec(db, "PRAGMA synchronous=OFF; PRAGMA wal_autocheckpoint=0", 0, 0, 0);
  while (getppid() != 1) {
    char sql[800];
    sqlite3_int64 version = number(db, "SELECT max(v) FROM t") + 1;
    sprintf(sql, "BEGIN IMMEDIATE; DELETE FROM t WHERE id > %lld; UPDATE t SET v = %lld;"
      "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %lld)"
      "INSERT OR IGNORE INTO t SELECT i, %lld, printf('%%.*c', i * 7 %% 900, 'x') FROM n;"
      // So that the frames of each transaction have other pages.
      "UPDATE others SET v = v + 1 WHERE random() %% 3 = 0; COMMIT",
      100 + version % 90, version, 100 + version % 90, version);
    if (sqlite3_exec(db, sql, 0, 0, 0) != SQLITE_OK) sqlite3_exec(db, "ROLLBACK", 0, 0, 0);
    static const char *modes[] = {"PASSIVE", "FULL", "RESTART", "TRUNCATE"};
    sprintf(sql, "PRAGMA wal_checkpoint(%s)", modes[below(4)]);
    if (below(3) == 0) sqlite3_exec(db, sql, 0, 0, 0);
    // Others come and go too, and the log with them.
    if (below(40) == 0) {
      sqlite3_close(db);
      usleep((useconds_t)below(3000));
      if (sqlite3_open(path, &db) != SQLITE_OK) _exit(1);
      sqlite3_busy_timeout(db, 30);
      sqlite3_exec(db, "PRAGMA synchronous=OFF; PRAGMA wal_autocheckpoint=0", 0, 0, 0);
    }
  }
}

typedef struct { sqlite3_int64 rows, version; int is_mixed; } Seen;

static int look(void *receiver, const cs_value *values) {
  Seen *seen = receiver;
  if (seen->rows++ == 0) seen->version = values[1].number;
  if (values[1].number != seen->version) seen->is_mixed = 1;
  return 1;
}

static void beside_writer(const char *mode, long scans) {
  char path[512], uri[600];
  sqlite3 *db;
  path_of(path, "");
  for (int i = 0; i < 4; i++) {
    static const char *suffixes[] = {"", "-wal", "-shm", "-journal"};
    path_of(path, suffixes[i]);
    unlink(path);
  }
  path_of(path, "");
  if (sqlite3_open(path, &db) != SQLITE_OK) fail("no database");
  run(db, "PRAGMA page_size=1024");
  run(db, "PRAGMA journal_mode=%s; CREATE TABLE t(id INTEGER PRIMARY KEY, v, pad)", mode);
  run(db, "INSERT INTO t VALUES(1, 0, ''); CREATE TABLE others(v, pad);"
    "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
    "INSERT INTO others SELECT 0, zeroblob(800) FROM n");
  sqlite3_close(db);
  pid_t writer = fork();
  if (writer == 0) {
    commit_always();
    _exit(0);
  }
  long found = 0, outdated = 0, refused = 0;
  sqlite3_int64 states = 0, last = 0;
  db = 0;
  while (found < scans) {
    if (!db) {
      int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
      sprintf(uri, "file:%s?vfs=cardfile-traceless%s", path, below(2) ? "&joins_index=1" : "");
      if (sqlite3_open_v2(uri, &db, flags, 0) != SQLITE_OK) {
        sqlite3_close(db), db = 0;
        continue;
      }
      sqlite3_busy_timeout(db, 1000);
    }
    sqlite3_exec(db, "BEGIN", 0, 0, 0);
    sqlite3_int64 root = number(db, "SELECT rootpage FROM sqlite_schema WHERE name='t'");
    sqlite3_int64 pages = number(db, "PRAGMA page_count");
    cs_column columns[2] = {{.index = -1}, {.index = 1}};
    struct cs_request request = {
      .columns = columns, .column_count = 2, .value_count = 2, .stored_count = 2, .visit = look,
    };
    cs_scan *scan = root ? cs_scanOpen(db, root, 1024, pages) : 0;
    Seen seen[2] = {0};
    void *receivers[2] = {&seen[0], &seen[1]};
    enum cs_scan_state ends[2] = {CS_SCAN_MISFIT, CS_SCAN_MISFIT};
    const cs_text_bound *bounds[2] = {0};
    if (scan) cs_scanRows(scan, &request, receivers, bounds, 2, ends);
    int is_whole = ends[0] == CS_SCAN_WHOLE && ends[1] == CS_SCAN_WHOLE;
    cs_scanClose(scan);
    sqlite3_int64 version = number(db, "SELECT max(v) FROM t");
    sqlite3_exec(db, "ROLLBACK", 0, 0, 0);
    int is_outdated = cs_isOutdated(db);
    outdated += is_outdated;
    refused += root && version >= 0 && !is_whole && !is_outdated;
    if (is_whole && !is_outdated) {
      sqlite3_int64 rows = seen[0].rows + seen[1].rows;
      if (seen[0].is_mixed || seen[1].is_mixed) fail("a scan has mixed two states");
      if (seen[0].rows && seen[1].rows && seen[0].version != seen[1].version)
        fail("two threads have seen two states");
      sqlite3_int64 seen_version = seen[0].rows ? seen[0].version : seen[1].version;
      if (seen_version != version) fail("the scan has seen another state than SQLite");
      if (version > 0 && rows != 100 + version % 90) fail("a scan has lost rows");
      found++;
      states += version != last;
      last = version;
    }
    if (is_outdated || below(60) == 0) sqlite3_close(db), db = 0;
  }
  kill(writer, SIGKILL);
  waitpid(writer, 0, 0);
  sqlite3_close(db);
  // A scan that takes the pages from wrong frames meets what does not fit.
  if (refused > scans / 10) fail("many states were refused");
  printf("%s: %ld scans saw %lld states beside a writer, none mixed; %ld were outdated, "
    "%ld refused\n", mode, found, states, outdated, refused);
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  folder = arguments[1];
  long tables = atol(arguments[2]), first = count > 3 ? atol(arguments[3]) : 1;
  if (cs_registerFileSystems() != SQLITE_OK) return 2;
  if (count > 3 && strcmp(arguments[2], "writer") == 0) {
    beside_writer("WAL", atol(arguments[3]));
    beside_writer("DELETE", atol(arguments[3]));
    return 0;
  }
  for (seed = first; seed < first + tables; seed++) {
    alarm(60);
    state = (uint64_t)seed;
    int columns, uses_log, is_plain, page = 0;
    sqlite3 *db = make(&columns, &uses_log, &is_plain);
    page = (int)number(db, "PRAGMA page_size");
    // With the log in use by its writer, by a reader, or by nobody.
    int is_open = below(3);
    if (is_open != 1) sqlite3_close(db);
    if (is_open == 2) {
      char path[512];
      path_of(path, "");
      if (sqlite3_open(path, &db) != SQLITE_OK) fail("no database");
      number(db, "SELECT count(*) FROM sqlite_schema");
    }
    if (compare(is_plain)) scanned++; else refused++;
    if (is_open) sqlite3_close(db);
    for (int i = 0; i < 3; i++) {
      damage(uses_log && below(2) ? "-wal" : "", page);
      damaged++;
      same += compare(0);
    }
  }
  printf(
    "%ld sound tables were scanned, %ld left to SQLite; of %ld damaged ones %ld were scanned; "
    "%ld conditions had rows, %ld rows were excluded\n", scanned, refused, damaged, same, tested,
    excluded);
  return 0;
}
