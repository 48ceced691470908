// Tells of most texts that they come after the last one of the first rows, without folding them.

#include "CSQLite.h"
#include "page_scan.h"

#include <string.h>

// The first bytes of a value, with zeros behind fewer: nothing can be read behind the value itself.
typedef struct { uint8_t bytes[sizeof(cs_short_text)]; } Start;

static Start start_of(const cs_value *value) {
  Start start = {{0}};
  size_t count = (size_t)value->count, most = sizeof start.bytes;
  if (count) memcpy(start.bytes, value->bytes, count < most ? count : most);
  return start;
}

int cs_isExcluded(const cs_text_bound *bound, const cs_value *value) {
  if (value->type != SQLITE_TEXT) return 0;
  Start start = start_of(value);
  return cs_excludes(bound, start.bytes, (uint64_t)value->count);
}

void cs_exclude(cs_text_bound *bound, const cs_value *value) {
  if (value->type != SQLITE_TEXT || value->count > CS_MOST_SHORT) return;
  Start start = start_of(value);
  cs_short_text text = cs_shortText(start.bytes, (uint64_t)value->count);
  cs_short_text *known = &bound->texts[cs_slot(text)];
  known[1] = known[0];
  known[0] = text;
}
