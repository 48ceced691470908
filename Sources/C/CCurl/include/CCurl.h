#ifndef CARDFILE_CCURL_H
#define CARDFILE_CCURL_H

#include <stddef.h>

// HTTP by libcurl, which is opened by its name when it is first needed: a program that asks no
// service neither needs it nor loads it, and no header of it is needed to build.

// One handle of libcurl with the connections that it keeps open; used by one thread at a time.
typedef struct cn_curl_line cn_curl_line;

// A request, and who takes its answer. The texts and the body must stay until it has ended.
typedef struct {
  const char *url;
  const char *method;
  // "Name: value" each.
  const char *const *headers;
  size_t header_count;
  // NULL for none.
  const void *body;
  size_t body_count;
  // How long a connection may take to be made.
  long connect_milliseconds;
  // Whether it may be sent again over a new connection if a kept one ends before the answer begins.
  int may_repeat;
  // Whether it goes to this machine: no proxy is asked.
  int is_loopback;
  void *context;
  // Takes a line of the answer's head, or a piece of its body; returns 0 to end it.
  int (*take_head)(void *context, const char *bytes, size_t count);
  int (*take_body)(void *context, const char *bytes, size_t count);
  // Called when something was sent or came, and each tenth of a second; with how many bytes were sent.
  // Returns 1 to end it.
  int (*must_stop)(void *context, long long sent);
} cn_curl_request;

// Creates a line; NULL if there is no libcurl, or none of version 7.66 (2019) or later.
cn_curl_line *cn_curl_open(void);

// Closes its connections too.
void cn_curl_close(cn_curl_line *line);

// Sends a request, and waits until its answer has ended. Returns libcurl's code of the failure, 0 for
// none, or -1 if must_stop ended it.
int cn_curl_perform(cn_curl_line *line, const cn_curl_request *request);

// What libcurl says of the last failure; empty for nothing.
const char *cn_curl_words(const cn_curl_line *line);

#endif
