#ifndef CARDFILE_CPOSTGRESQL_SHIM_H
#define CARDFILE_CPOSTGRESQL_SHIM_H

// Found by pkg-config (libpq.pc).
#include <libpq-fe.h>

#endif
