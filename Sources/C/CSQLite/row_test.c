// Tests rows where they are, without reading more of their values than the tests need.

#include "CSQLite.h"
#include "page_scan.h"

#include <string.h>

void cs_getValue(sqlite3_value *stored, cs_value *value) {
  int type = sqlite3_value_type(stored);
  if (type == SQLITE_INTEGER) {
    sqlite3_int64 number = sqlite3_value_int64(stored);
    cs_setNumber(value, type, &number);
  } else if (type == SQLITE_FLOAT) {
    double number = sqlite3_value_double(stored);
    cs_setNumber(value, type, &number);
  } else if (type == SQLITE_NULL) {
    *value = (cs_value){0, 0, 0, type};
  } else {
    // A text is read as a blob too: it would be copied to append a NUL.
    const void *bytes = sqlite3_value_blob(stored);
    *value = (cs_value){bytes, sqlite3_value_bytes(stored), 0, type};
  }
}

static int order(int is_less, int is_greater) {
  return is_less ? CS_LESS : is_greater ? CS_GREATER : CS_EQUAL;
}

static int mirrored(int order) {
  return order == CS_LESS ? CS_GREATER : order == CS_GREATER ? CS_LESS : order;
}

// Compares exactly, as SQLite does: no double is rounded to an integer or the other way.
static int mixed_order(int64_t integer, double number) {
  if (number < -0x1p63) return CS_GREATER;
  if (number >= 0x1p63) return CS_LESS;
  int64_t whole = (int64_t)number;
  if (whole != integer) return order(integer < whole, 1);
  return order((double)integer < number, (double)integer > number);
}

static double real(const cs_value *value) {
  double number;
  memcpy(&number, &value->number, sizeof number);
  return number;
}

// Whether bytes are in one of some orders to others. The first one decides most of them.
static int are_in_order(
  const uint8_t *left, uint64_t left_count, const uint8_t *right, uint64_t right_count,
  int orders) {
  if (orders == CS_EQUAL && left_count != right_count) return 0;
  uint64_t count = left_count < right_count ? left_count : right_count;
  if (count && left[0] != right[0]) return (orders & order(left[0] < right[0], 1)) != 0;
  int found = count ? memcmp(left, right, count) : 0;
  if (found) return (orders & order(found < 0, 1)) != 0;
  return (orders & order(left_count < right_count, left_count > right_count)) != 0;
}

int cs_isInOrder(const cs_value *left, const cs_value *right, int orders) {
  if (left->type == right->type) {
    switch (left->type) {
    case SQLITE_INTEGER:
      return (orders & order(left->number < right->number, left->number > right->number)) != 0;
    case SQLITE_FLOAT:
      return (orders & order(real(left) < real(right), real(left) > real(right))) != 0;
    case SQLITE_NULL: return 0;
    default:
      return are_in_order(left->bytes, (uint64_t)left->count, right->bytes, (uint64_t)right->count,
        orders);
    }
  }
  if (left->type == SQLITE_INTEGER && right->type == SQLITE_FLOAT)
    return (orders & mixed_order(left->number, real(right))) != 0;
  if (left->type == SQLITE_FLOAT && right->type == SQLITE_INTEGER)
    return (orders & mirrored(mixed_order(right->number, real(left)))) != 0;
  return 0;
}

static int is_among(sqlite3_int64 key, const sqlite3_int64 *keys, int count) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (keys[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low < count && keys[low] == key;
}

// Whether one of the parts of a test holds, or does not hold.
static int has_part(const cs_reading *reading, int index, int holding) {
  const cs_test *tests = reading->request->tests;
  for (int part = index + 1; part < tests[index].end; part = tests[part].end)
    if (cs_holds(reading, part) == holding) return 1;
  return 0;
}

// Whether one of the columns of a search has its needle, which has not been seen in any: only texts
// with more than ASCII can still have it, once they are folded.
static int has_folded_needle(const cs_reading *reading, int index) {
  const struct cs_request *request = reading->request;
  const cs_test *tests = request->tests;
  for (int part = index + 1; part < tests[index].end; part = tests[part].end) {
    const cs_value *value = cs_readValue(reading, tests[part].column);
    const uint8_t *bytes = value->bytes;
    if (value->type == SQLITE_TEXT && cs_isForeign(bytes, bytes + value->count)
      && request->decide(request->decisions, tests[part].number, value)) return 1;
  }
  return 0;
}

// Whether a column is in an order to a literal. A text is compared where it is, without reading it
// as a value first.
static int is_compared(const cs_reading *reading, const cs_test *test) {
  const cs_value *literal = &test->literal;
  if (literal->type != SQLITE_TEXT)
    return cs_isInOrder(cs_readValue(reading, test->column), literal, test->orders);
  cs_text text = cs_textOfColumn(reading->record, &reading->request->columns[test->column]);
  return text.bytes && are_in_order(
    text.bytes, text.count, literal->bytes, (uint64_t)literal->count, test->orders);
}

int cs_holds(const cs_reading *reading, int index) {
  const struct cs_request *request = reading->request;
  const cs_test *test = &request->tests[index];
  switch (test->kind) {
  case CS_ALL: return !has_part(reading, index, 0);
  case CS_ANY: return has_part(reading, index, 1);
  case CS_NOT: return !cs_holds(reading, index + 1);
  case CS_SOUGHT:
    if (reading->sightings[test->number] != CS_UNCERTAIN)
      return reading->sightings[test->number] == CS_PRESENT;
    return has_folded_needle(reading, index);
  case CS_COMPARED: return is_compared(reading, test);
  default: break;
  }
  const cs_value *value = cs_readValue(reading, test->column), *other;
  switch (test->kind) {
  case CS_NULL: return value->type == SQLITE_NULL;
  case CS_SAME:
    other = cs_readValue(reading, test->number);
    if (value->type == SQLITE_NULL) return other->type == SQLITE_NULL;
    return cs_isInOrder(value, other, CS_EQUAL);
  case CS_AMONG:
    return value->type == SQLITE_INTEGER && is_among(value->number, test->keys, test->number);
  default: return request->decide(request->decisions, test->number, value);
  }
}
