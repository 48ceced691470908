// Tells of most texts that they come after the last one of the first rows, without folding them.

#include "CSQLite.h"
#include "page_scan.h"

#include <string.h>

int cs_isExcluded(const cs_text_bound *bound, const cs_value *value) {
  if (value->type != SQLITE_TEXT) return 0;
  // Nothing can be read behind the value.
  uint8_t bytes[sizeof(cs_short_text)] = {0};
  size_t count = (size_t)value->count;
  if (count) memcpy(bytes, value->bytes, count < sizeof bytes ? count : sizeof bytes);
  return cs_excludes(bound, bytes, count);
}

void cs_exclude(cs_text_bound *bound, const cs_value *value) {
  if (value->type != SQLITE_TEXT || value->count > CS_MOST_SHORT) return;
  uint8_t bytes[sizeof(cs_short_text)] = {0};
  if (value->count) memcpy(bytes, value->bytes, (size_t)value->count);
  cs_short_text text = cs_shortText(bytes, (uint64_t)value->count);
  cs_short_text *known = &bound->texts[cs_slot(text)];
  known[1] = known[0];
  known[0] = text;
}
