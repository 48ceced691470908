#ifndef CARDFILE_CZLIB_SHIM_H
#define CARDFILE_CZLIB_SHIM_H

#include <zlib.h>

// Macros in zlib.h, which Swift does not see.
static inline int cz_inflateInit2(z_stream *stream, int windowBits) {
  return inflateInit2(stream, windowBits);
}

static inline int cz_deflateInit2(z_stream *stream, int level, int windowBits) {
  return deflateInit2(stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}

#endif
