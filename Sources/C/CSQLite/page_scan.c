// Reads the rows of a table from the pages of its b-tree, which takes a small part of the time of
// SQLite's virtual machine.
//
// It relies on the file format that SQLite documents and keeps (fileformat2.html), and on the
// transaction in which the connection reads: see "Reading without a trace". Whatever is not as a
// sound table has it ends the scan: SQLite reads then, and reports what is wrong. So every number
// that comes from a file is checked before it is used.

// For pthread_timedjoin_np.
#define _GNU_SOURCE
#include "CSQLite.h"
#include "page_scan.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEADER_SIZE = 100, LOG_HEADER_SIZE = 32 };
enum { INTERIOR = 5, LEAF = 13, MOST_LEVELS = 20, LONGEST_ROW_HEADER = 98307 };
// How much is read at once, and how many other pages may lie between two that are read at once.
enum { CHUNK_SIZE = 256 << 10, WIDEST_GAP = 3 };
// SQLite locks bytes of the page that has this one, which is not used.
static const int64_t LOCKED_BYTE = 0x40000000;

struct cs_scan {
  struct cs_snapshot files;
  uint32_t page_size, usable, page_count, most_local, least_local;
  // Whether pages say in pointer maps by which page they are used.
  int has_maps;
  // The frame of the log that has a page, 0 for none; NULL if no page is in the log.
  uint32_t *frames;
  // The leaves in the order of their keys.
  cs_pages leaves;
};

// A part of the leaves, which one thread reads.
typedef struct {
  const cs_scan *scan;
  const struct cs_request *request;
  void *receiver;
  const cs_text_bound *bound;
  size_t from, to;
  pthread_t thread;
  atomic_int is_finished;
  // The first leaf of the parts that shall end before their last one.
  atomic_size_t *stop;
  // The number of leaves that all parts have read.
  atomic_size_t *done;
  enum cs_scan_state state;
  int has_rows;
  int64_t first_key, last_key;
  // Leaves; a page of a long row; a long row.
  uint8_t *chunk, *page, *row;
  size_t row_capacity;
  // The types of a row's first values and where they begin.
  uint64_t *types, *offsets;
  cs_value *values;
  unsigned char *sightings;
  // Where each needle may be in a leaf, and in a long row.
  uint64_t *marks, *row_marks;
} Part;

static uint32_t number16(const uint8_t *p) { return (uint32_t)p[0] << 8 | p[1]; }
static uint32_t number32(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

// A number in a file, and how many bytes it has; 0 if they do not fit.
typedef struct { uint64_t number; int size; } Varint;

static __attribute__((noinline)) Varint long_varint(const uint8_t *p, const uint8_t *end) {
  uint64_t found = 0;
  for (int i = 0; i < 9 && p + i < end; i++) {
    if (i == 8) return (Varint){found << 8 | p[8], 9};
    found = found << 7 | (p[i] & 0x7f);
    if (p[i] < 0x80) return (Varint){found, i + 1};
  }
  return (Varint){0, 0};
}

// Reads a number of 1 to 9 bytes before `end`.
static inline Varint varint(const uint8_t *p, const uint8_t *end) {
  if (end - p < 3) return long_varint(p, end);
  if (p[0] < 0x80) return (Varint){p[0], 1};
  uint64_t number = (uint64_t)(p[0] & 0x7f) << 7 | (p[1] & 0x7f);
  if (p[1] < 0x80) return (Varint){number, 2};
  if (p[2] >= 0x80) return long_varint(p, end);
  return (Varint){number << 7 | p[2], 3};
}

// The same for lengths of rows, which often are about 128: whether they have one byte or two cannot
// be predicted, so that both are computed.
static inline Varint length_varint(const uint8_t *p, const uint8_t *end) {
  if (end - p < 2) return long_varint(p, end);
  unsigned is_longer = p[0] >> 7, second = p[1] & -is_longer;
  if (second >= 0x80) return long_varint(p, end);
  return (Varint){(uint64_t)(p[0] & 0x7f) << 7 * is_longer | second, 1 + (int)is_longer};
}

static int read_file(sqlite3_file *file, void *bytes, size_t count, int64_t place) {
  return file->pMethods->xRead(file, bytes, (int)count, place) == SQLITE_OK;
}

// MARK: Pages

static int is_page(const cs_scan *scan, uint32_t number) {
  return number >= 1 && number <= scan->page_count
    && number != LOCKED_BYTE / scan->page_size + 1;
}

// Reads pages that follow each other, those of the log from there.
static int read_pages(const cs_scan *scan, uint32_t first, uint32_t count, uint8_t *bytes) {
  size_t size = scan->page_size;
  if (!is_page(scan, first) || count > scan->page_count - first + 1) return 0;
  if (count > 1 || !scan->frames || !scan->frames[first]) {
    sqlite3_file *file = scan->files.database;
    int code = file->pMethods->xRead(file, bytes, (int)(count * size), (first - 1) * (int64_t)size);
    // Pages that were added by the log may be behind the end of the file; SQLite's file system
    // fills them with zeros.
    if (code != SQLITE_OK && !(code == SQLITE_IOERR_SHORT_READ && scan->frames)) return 0;
  }
  if (!scan->frames) return 1;
  for (uint32_t i = 0; i < count; i++) {
    int64_t frame = scan->frames[first + i];
    if (!frame) continue;
    int64_t place = LOG_HEADER_SIZE + (frame - 1) * (int64_t)(size + CS_FRAME_HEADER_SIZE);
    if (!read_file(scan->files.log, bytes + i * size, size, place + CS_FRAME_HEADER_SIZE)) return 0;
  }
  return 1;
}

// MARK: The write-ahead log

// Adds words to the checksum of a log, which is that of a frame and of all before it.
static void add_checksum(uint32_t sum[2], const uint8_t *bytes, size_t count, int is_big) {
  for (size_t i = 0; i + 8 <= count; i += 8) {
    uint32_t words[2];
    for (int k = 0; k < 2; k++) {
      const uint8_t *p = bytes + i + 4 * k;
      words[k] = is_big ? number32(p)
        : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
    }
    sum[0] += words[0] + sum[1];
    sum[1] += words[1] + sum[0];
  }
}

static int has_checksum(const uint32_t sum[2], const uint8_t *bytes) {
  return number32(bytes) == sum[0] && number32(bytes + 4) == sum[1];
}

static int append(cs_pages *pages, uint32_t page) {
  if (pages->count == pages->capacity) {
    size_t capacity = pages->capacity ? pages->capacity * 2 : 1024;
    uint32_t *items = realloc(pages->items, capacity * sizeof *items);
    if (!items) return 0;
    pages->items = items;
    pages->capacity = capacity;
  }
  pages->items[pages->count++] = page;
  return 1;
}

// Whether a frame has the salts of the log: others are left from before it began anew.
static int has_salts(const uint8_t *frame, const uint8_t *log_header) {
  return memcmp(frame + 8, log_header + 16, 8) == 0;
}

// Whether the log still has the frames that scans have read before.
static int has_known(const struct cs_snapshot *files, const uint8_t *log_header, int64_t step) {
  const struct cs_frames *known = files->known;
  int64_t place = LOG_HEADER_SIZE + ((int64_t)known->pages.count - 1) * step;
  uint8_t header[CS_FRAME_HEADER_SIZE];
  return known->pages.count > 0 && has_salts(known->last, log_header)
    && read_file(files->log, header, sizeof header, place)
    && memcmp(header, known->last, sizeof header) == 0;
}

// Reads the frames that are not known yet, up to the end of the last transaction. Where nobody else
// uses the log, those are in it whose checksum is right, as SQLite finds them.
static int read_frames(
  const cs_scan *scan, const uint8_t *log_header, uint32_t sum[2], int64_t count, int64_t step) {
  const struct cs_snapshot *files = &scan->files;
  struct cs_frames *known = files->known;
  cs_pages *pages = &known->pages;
  if (!has_known(files, log_header, step)) {
    pages->count = 0;
  } else {
    for (int i = 0; i < 2; i++) sum[i] = number32(known->last + 16 + 4 * i);
  }
  size_t whole = pages->count, length = files->has_index ? CS_FRAME_HEADER_SIZE : (size_t)step;
  int is_big = log_header[3] & 1, is_right = 1;
  uint8_t *bytes = malloc(length);
  if (!bytes) return 0;
  while (is_right && (int64_t)pages->count < count) {
    is_right = read_file(files->log, bytes, length, LOG_HEADER_SIZE + (int64_t)pages->count * step);
    uint32_t page = number32(bytes);
    int is_frame = is_right && has_salts(bytes, log_header) && page > 0;
    if (is_frame && !files->has_index) {
      add_checksum(sum, bytes, 8, is_big);
      add_checksum(sum, bytes + CS_FRAME_HEADER_SIZE, scan->page_size, is_big);
      is_frame = has_checksum(sum, bytes + 16);
    }
    if (!is_frame) break;
    is_right = append(pages, page);
    if (!is_right || !number32(bytes + 4)) continue;
    whole = pages->count;
    memcpy(known->last, bytes, sizeof known->last);
  }
  pages->count = whole;
  free(bytes);
  return is_right;
}

// Notes which frame has the last version of each page. Where others use the log, their index says
// how many frames belong to the state. Else it is all of them.
static int map_log(cs_scan *scan) {
  struct cs_snapshot *files = &scan->files;
  sqlite3_file *log = files->log;
  if (!log) return 1;
  const cs_pages *pages = &files->known->pages;
  int64_t step = (int64_t)scan->page_size + CS_FRAME_HEADER_SIZE;
  sqlite3_int64 size = 0;
  uint8_t header[LOG_HEADER_SIZE];
  if (log->pMethods->xFileSize(log, &size) != SQLITE_OK) return 0;
  if (size <= LOG_HEADER_SIZE) return files->frames == 0 && !files->has_index;
  if (!read_file(log, header, sizeof header, 0)) return 0;
  if (number32(header + 8) != scan->page_size) return 0;
  uint32_t sum[2] = {0, 0};
  add_checksum(sum, header, 24, header[3] & 1);
  // SQLite takes a log whose header is damaged for an empty one.
  if (!has_checksum(sum, header + 24)) return 0;
  if (files->has_index && memcmp(files->salts, header + 16, sizeof files->salts) != 0) return 0;
  int64_t all = (size - LOG_HEADER_SIZE) / step;
  if (all > INT32_MAX) return 0;
  if (!read_frames(scan, header, sum, files->has_index ? files->frames : all, step)) return 0;
  size_t count = files->has_index ? files->frames : pages->count;
  if (count > pages->count) return 0;
  // The last frame of a transaction has the number of pages after it.
  if (count > 0 && count == pages->count
    && number32(files->known->last + 4) != scan->page_count) return 0;
  scan->frames = calloc((size_t)scan->page_count + 1, sizeof *scan->frames);
  if (!scan->frames) return 0;
  for (size_t i = 0; i < count; i++)
    if (pages->items[i] <= scan->page_count) scan->frames[pages->items[i]] = (uint32_t)i + 1;
  return 1;
}

// MARK: The tree

// The number of cells of a page of a kind; -1 if it is another page.
static int cell_count(const cs_scan *scan, const uint8_t *page, int kind) {
  int header = kind == LEAF ? 8 : 12;
  uint32_t count = number16(page + 3);
  if (page[0] != kind || header + 2 * count > scan->usable) return -1;
  return (int)count;
}

// Finds the leaves below a page. No page may come twice; the leaves are as deep as each other.
static int find_leaves(
  cs_scan *scan, uint32_t number, int level, int *depth, uint8_t *used, uint8_t *buffers) {
  if (!is_page(scan, number) || number == 1 || level > MOST_LEVELS) return 0;
  if (used[number / 8] >> (number % 8) & 1) return 0;
  used[number / 8] |= (uint8_t)(1 << (number % 8));
  if (*depth == level) return append(&scan->leaves, number);
  uint8_t *page = buffers + (size_t)level * scan->page_size;
  if (!read_pages(scan, number, 1, page)) return 0;
  if (*depth < 0 && page[0] == LEAF) {
    *depth = level;
    return append(&scan->leaves, number);
  }
  int count = cell_count(scan, page, INTERIOR);
  if (count < 1) return 0;
  const uint8_t *end = page + scan->usable;
  for (int i = 0; i < count; i++) {
    uint32_t place = number16(page + 12 + 2 * i);
    if (place < 12 + 2 * (uint32_t)count || place + 5 > scan->usable) return 0;
    if (!varint(page + place + 4, end).size) return 0;
    if (!find_leaves(scan, number32(page + place), level + 1, depth, used, buffers)) return 0;
  }
  return find_leaves(scan, number32(page + 8), level + 1, depth, used, buffers);
}

void cs_scanClose(cs_scan *scan) {
  if (!scan) return;
  free(scan->frames);
  free(scan->leaves.items);
  free(scan);
}

// Whether the first page says that the file is as this program knows it.
static int read_header(cs_scan *scan) {
  uint8_t *page = malloc(scan->page_size);
  int is_right = page && read_pages(scan, 1, 1, page)
    && memcmp(page, "SQLite format 3", 16) == 0;
  if (is_right) {
    uint32_t size = number16(page + 16), reserved = page[20];
    is_right = (size == 1 ? 65536 : size) == scan->page_size && page[18] <= 2 && page[19] <= 2
      && page[21] == 64 && page[22] == 32 && page[23] == 32 && number32(page + 56) == SQLITE_UTF8
      && scan->page_size - reserved >= 480;
    scan->usable = scan->page_size - reserved;
    scan->has_maps = number32(page + 52) != 0;
    scan->most_local = scan->usable - 35;
    scan->least_local = (scan->usable - 12) * 32 / 255 - 23;
  }
  free(page);
  return is_right;
}

cs_scan *cs_scanOpen(sqlite3 *connection, sqlite3_int64 root, sqlite3_int64 page_size,
  sqlite3_int64 page_count) {
  if (page_size < 512 || page_size > 65536 || page_size & (page_size - 1)) return 0;
  if (page_count < 2 || page_count > INT32_MAX || root < 2 || root > page_count) return 0;
  cs_scan *scan = calloc(1, sizeof *scan);
  if (!scan) return 0;
  scan->page_size = (uint32_t)page_size;
  scan->page_count = (uint32_t)page_count;
  int depth = -1, is_right = cs_readSnapshot(connection, &scan->files)
    && (!scan->files.pages || scan->files.pages == scan->page_count)
    && map_log(scan) && read_header(scan);
  if (is_right) {
    uint8_t *used = calloc(1, scan->page_count / 8 + 1);
    uint8_t *buffers = malloc((size_t)(MOST_LEVELS + 1) * scan->page_size);
    is_right = used && buffers && find_leaves(scan, (uint32_t)root, 0, &depth, used, buffers);
    free(used);
    free(buffers);
  }
  if (is_right) return scan;
  cs_scanClose(scan);
  return 0;
}

sqlite3_int64 cs_scanSize(const cs_scan *scan) {
  return (sqlite3_int64)scan->leaves.count * scan->page_size;
}

// MARK: Rows

// Whether a pointer map agrees that a page of a long row goes on in another one: SQLite asks it,
// about the page that follows (btree.c: getOverflowPage), instead of reading the first one.
static int agrees_with_map(Part *part, uint32_t page, uint32_t next) {
  const cs_scan *scan = part->scan;
  uint32_t step = scan->usable / 5 + 1, locked = (uint32_t)(LOCKED_BYTE / scan->page_size) + 1;
  uint32_t guess = page, map;
  do {
    guess++;
    map = (guess - 2) / step * step + 2;
    if (map == locked) map++;
  } while (guess == map || guess == locked);
  if (guess > scan->page_count) return 1;
  if (!read_pages(scan, map, 1, part->page) || guess < map) return 0;
  uint32_t place = 5 * (guess - map - 1);
  if (place + 5 > scan->usable) return 0;
  const uint8_t *entry = part->page + place;
  enum { LATER_PAGE_OF_ROW = 4, MOST = 5 };
  if (entry[0] < 1 || entry[0] > MOST) return 0;
  return entry[0] != LATER_PAGE_OF_ROW || number32(entry + 1) != page || guess == next;
}

// The first bytes of a row, all together: in its leaf, or with what follows in other pages.
static const uint8_t *row_bytes(
  Part *part, const uint8_t *local, size_t local_count, uint64_t count) {
  if (count <= local_count) return local;
  const cs_scan *scan = part->scan;
  if (count > part->row_capacity) {
    size_t marks = cs_markCount(count) * sizeof *part->row_marks;
    uint8_t *row = realloc(part->row, count + CS_ROOM_BEHIND);
    if (row) part->row = row;
    uint64_t *row_marks = realloc(part->row_marks, marks);
    if (row_marks) part->row_marks = row_marks;
    if (!row || !row_marks) return 0;
    part->row_capacity = count;
  }
  memcpy(part->row, local, local_count);
  size_t known = local_count;
  uint32_t next = number32(local + local_count);
  while (known < count) {
    size_t more = scan->usable - 4;
    if (more > count - known) more = count - known;
    if (next < 2 || !read_pages(scan, next, 1, part->page)) return 0;
    memcpy(part->row + known, part->page + 4, more);
    known += more;
    uint32_t page = next;
    next = number32(part->page);
    if (scan->has_maps && known < count && !agrees_with_map(part, page, next)) return 0;
  }
  return part->row;
}

// Whether a row may have all needles that it must have; searches it for each.
static int has_needles(Part *part, const cs_record *record, const uint8_t *page) {
  const struct cs_request *request = part->request;
  size_t step = cs_markCount(part->scan->usable);
  int is_long = record->bytes == part->row;
  const uint8_t *marked = is_long ? part->row : page;
  size_t first = (size_t)(record->bytes - marked) / CS_BLOCK_SIZE;
  size_t last = (size_t)(record->bytes - marked + record->known - 1) / CS_BLOCK_SIZE;
  for (int i = 0; i < request->needle_count; i++) {
    const cs_needle *needle = &request->needles[i];
    const uint64_t *marks = is_long ? part->row_marks : part->marks + (size_t)i * step;
    if (is_long) cs_mark(needle, marked, 0, record->known, part->row_marks);
    part->sightings[i] = cs_isMarked(marks, first, last)
      ? (unsigned char)cs_search(needle, record, marked, marks) : CS_ABSENT;
    if (needle->is_required && part->sightings[i] == CS_ABSENT) return 0;
  }
  return 1;
}

// Reads the header of a row up to the last value that is wanted, and checks as much of it as SQLite
// does for these values; returns how many there are, or -1.
static int read_types(Part *part, const uint8_t *p, const uint8_t *end, uint64_t offset,
  uint64_t total) {
  int count = 0, most = part->request->stored_count;
  uint64_t *types = part->types, *offsets = part->offsets, lengths = 0;
  while (p < end && count < most) {
    uint64_t type = *p, length;
    if (type < 0x80) {
      p++;
      length = cs_lengths[type];
      lengths |= length;
    } else {
      Varint number = long_varint(p, end);
      type = number.number;
      if (!number.size || type > UINT32_MAX || type == 10 || type == 11) return -1;
      p += number.size;
      length = cs_valueLength(type);
    }
    types[count] = type;
    offsets[count++] = offset;
    offset += length;
  }
  if (lengths & CS_NO_LENGTH) return -1;
  return offset > total || (p == end && offset != total) ? -1 : count;
}

// Whether the bound of the receiver excludes a row.
static int is_excluded(const Part *part, const cs_record *record) {
  cs_text text = cs_textOfColumn(record, &part->request->columns[part->bound->column]);
  return text.bytes && cs_excludes(part->bound, text.bytes, text.count);
}

static enum cs_scan_state visit_row(
  Part *part, const uint8_t *page, const uint8_t *local, size_t local_count, uint64_t total,
  int64_t key) {
  const struct cs_request *request = part->request;
  Varint first = varint(local, local + local_count);
  uint64_t header_size = first.number, length = (uint64_t)first.size;
  if (!length || header_size < length || header_size > total
    || header_size > LONGEST_ROW_HEADER) return CS_SCAN_MISFIT;
  cs_record record = {local, part->types, part->offsets, 0, local_count};
  if (total > local_count && !(record.bytes = row_bytes(part, local, local_count, header_size)))
    return CS_SCAN_MISFIT;
  const uint8_t *header = record.bytes;
  int count = read_types(part, header + length, header + header_size, header_size, total);
  if (count < 0) return CS_SCAN_MISFIT;
  record.count = count;
  if (total > local_count) {
    for (int i = 0; i < request->column_count; i++) {
      int index = request->columns[i].index;
      if (index < 0 || index >= count) continue;
      uint64_t end = part->offsets[index] + cs_valueLength(part->types[index]);
      if (end > record.known) record.known = end;
    }
    if (!(record.bytes = row_bytes(part, local, local_count, record.known))) return CS_SCAN_MISFIT;
  }
  for (int i = 0; count < request->stored_count && i < request->column_count; i++)
    if (request->columns[i].index >= count && request->columns[i].older == CS_DEFAULT_OTHER)
      return CS_SCAN_MISFIT;
  if (request->needle_count && !has_needles(part, &record, page)) return CS_SCAN_WHOLE;
  const cs_reading reading = {request, &record, key, part->values, part->sightings};
  if (request->test_count && !cs_holds(&reading, 0)) return CS_SCAN_WHOLE;
  if (part->bound && is_excluded(part, &record)) return CS_SCAN_WHOLE;
  for (int i = 0; i < request->value_count; i++) cs_readValue(&reading, i);
  return request->visit(part->receiver, part->values) ? CS_SCAN_WHOLE : CS_SCAN_STOPPED;
}

static enum cs_scan_state visit_leaf(Part *part, const uint8_t *page) {
  const cs_scan *scan = part->scan;
  int count = cell_count(scan, page, LEAF);
  // Only a table without rows has a leaf without rows.
  if (count < 0 || (count == 0 && scan->leaves.count > 1)) return CS_SCAN_MISFIT;
  const uint8_t *end = page + scan->usable;
  for (int i = 0; i < part->request->needle_count; i++)
    cs_mark(&part->request->needles[i], page, 8 + 2 * (size_t)count, scan->usable,
      part->marks + (size_t)i * cs_markCount(scan->usable));
  for (int i = 0; i < count; i++) {
    uint32_t place = number16(page + 8 + 2 * i);
    // Rows are farther apart than the processor looks ahead.
    if (i + 2 < count) __builtin_prefetch(page + number16(page + 12 + 2 * i));
    if (place < 8 + 2 * (uint32_t)count || place + 4 > scan->usable) return CS_SCAN_MISFIT;
    const uint8_t *p = page + place;
    Varint length = length_varint(p, end);
    uint64_t total = length.number;
    if (!length.size || length.size > 5 || total > INT32_MAX
      || total > (uint64_t)scan->page_count * scan->usable) return CS_SCAN_MISFIT;
    p += length.size;
    Varint number = varint(p, end);
    if (!number.size) return CS_SCAN_MISFIT;
    p += number.size;
    int64_t key = (int64_t)number.number;
    if (part->has_rows ? key <= part->last_key : 0) return CS_SCAN_MISFIT;
    if (!part->has_rows) part->first_key = key;
    part->last_key = key;
    part->has_rows = 1;
    uint64_t local = total;
    if (total > scan->most_local) {
      local = scan->least_local + (total - scan->least_local) % (scan->usable - 4);
      if (local > scan->most_local) local = scan->least_local;
    }
    // The number of the next page follows.
    if (local + (local < total ? 4 : 0) > (uint64_t)(end - p)) return CS_SCAN_MISFIT;
    enum cs_scan_state state = visit_row(part, page, p, local, total, key);
    if (state != CS_SCAN_WHOLE) return state;
  }
  return CS_SCAN_WHOLE;
}

// MARK: Parts

// Asks whether all parts shall go on.
static void ask(Part *part) {
  const struct cs_request *request = part->request;
  double share = (double)atomic_load(part->done) / (double)part->scan->leaves.count;
  if (request->watch && !request->watch(request->context, share)) atomic_store(part->stop, 0);
}

// Reads a part. The thread that has started the scan asks whether to go on, which no other may.
static void run_part(Part *part, int asks) {
  const cs_scan *scan = part->scan;
  const uint32_t *leaves = scan->leaves.items;
  size_t most = CHUNK_SIZE / scan->page_size;
  part->state = CS_SCAN_WHOLE;
  for (size_t i = part->from; i < part->to && part->state == CS_SCAN_WHOLE;) {
    // Leaves that lie one after the other are read at once.
    size_t next = i + 1;
    while (next < part->to && leaves[next] > leaves[next - 1]
      && leaves[next] - leaves[next - 1] <= WIDEST_GAP + 1 && leaves[next] - leaves[i] < most)
      next++;
    uint32_t count = leaves[next - 1] - leaves[i] + 1, first = leaves[i];
    if (!read_pages(scan, first, count, part->chunk)) part->state = CS_SCAN_MISFIT;
    for (size_t k = i; k < next && part->state == CS_SCAN_WHOLE; k++)
      part->state = visit_leaf(part, part->chunk + (size_t)(leaves[k] - first) * scan->page_size);
    atomic_fetch_add(part->done, next - i);
    i = next;
    if (asks) ask(part);
    if (part->state == CS_SCAN_WHOLE && i < part->to && part->from >= atomic_load(part->stop))
      part->state = CS_SCAN_CANCELLED;
  }
}

static void *run_thread(void *part) {
  run_part(part, 0);
  // Joining says so too, but not to the thread sanitizer.
  atomic_store(&((Part *)part)->is_finished, 1);
  return 0;
}

// Ends the parts from a leaf on.
static void end_parts(atomic_size_t *stop, size_t leaf) {
  if (leaf < atomic_load(stop)) atomic_store(stop, leaf);
}

// Waits for a thread, and asks meanwhile whether it shall go on.
static void join(Part *part) {
  while (1) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20000000;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
    if (pthread_timedjoin_np(part->thread, 0, &until) == 0) {
      atomic_load(&part->is_finished);
      return;
    }
    ask(part);
  }
}

// Whether threads can read one file at the same time: SQLite's file system reads at a place, and
// does not move to it first.
static int can_share(void) {
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  return system && system->iVersion >= 3
    && (system->xGetSystemCall(system, "pread") || system->xGetSystemCall(system, "pread64"));
}

static int prepare(Part *part) {
  const struct cs_request *request = part->request;
  size_t count = (size_t)request->stored_count + 1;
  part->chunk = malloc(CHUNK_SIZE + CS_ROOM_BEHIND);
  part->page = malloc(part->scan->page_size);
  part->types = malloc(count * sizeof *part->types);
  part->offsets = malloc(count * sizeof *part->offsets);
  part->values = malloc(((size_t)request->column_count + 1) * sizeof *part->values);
  part->sightings = malloc((size_t)request->needle_count + 1);
  part->marks = malloc(
    ((size_t)request->needle_count * cs_markCount(part->scan->usable) + 1) * sizeof *part->marks);
  return part->marks && part->chunk && part->page && part->types && part->offsets && part->values
    && part->sightings;
}

void cs_scanRows(
  const cs_scan *scan, const struct cs_request *request, void *const *receivers,
  const cs_text_bound *const *bounds, int count, enum cs_scan_state *states) {
  Part *parts = calloc((size_t)count, sizeof *parts);
  atomic_size_t stop = SIZE_MAX;
  atomic_size_t done = 0;
  int is_ready = parts != 0;
  for (int i = 0; i < count; i++) states[i] = CS_SCAN_MISFIT;
  for (int i = 0; is_ready && i < count; i++) {
    parts[i] = (Part){
      .scan = scan, .request = request, .receiver = receivers[i], .bound = bounds[i],
      .stop = &stop, .done = &done,
    };
    parts[i].from = scan->leaves.count * (size_t)i / (size_t)count;
    parts[i].to = scan->leaves.count * ((size_t)i + 1) / (size_t)count;
    is_ready = prepare(&parts[i]);
  }
  if (is_ready) {
    int started = 1;
    while (started < count && can_share()
      && pthread_create(&parts[started].thread, 0, run_thread, &parts[started]) == 0) started++;
    for (int i = 0; i < count; i++) {
      if (i > 0 && i < started) join(&parts[i]);
      else run_part(&parts[i], 1);
      // What a part has found may be enough: those after it need not go on.
      if (parts[i].state != CS_SCAN_WHOLE && i + 1 < count) end_parts(&stop, parts[i + 1].from);
    }
    const Part *last = 0;
    for (int i = 0; i < count; i++) {
      states[i] = parts[i].state;
      if (!parts[i].has_rows) continue;
      if (last && last->last_key >= parts[i].first_key) states[i] = CS_SCAN_MISFIT;
      last = &parts[i];
    }
  }
  for (int i = 0; parts && i < count; i++) {
    free(parts[i].chunk), free(parts[i].page), free(parts[i].row);
    free(parts[i].types), free(parts[i].offsets), free(parts[i].values);
    free(parts[i].sightings), free(parts[i].marks), free(parts[i].row_marks);
  }
  free(parts);
}
