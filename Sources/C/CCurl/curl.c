#define _GNU_SOURCE  // sigtimedwait with glibc
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// What is used of libcurl, as its documentation has it (https://curl.se/libcurl/c/, allfuncs.html and
// symbols-in-versions.html). Its ABI is stable: since libcurl.so.4 (2006) neither functions nor the
// numbers of options have changed (https://curl.se/libcurl/abi.html).
typedef void CURL, CURLM;
struct curl_slist;
// What curl_multi_info_read returns.
struct CURLMsg {
  int msg;
  CURL *easy_handle;
  union {
    void *whatever;
    int result;
  } data;
};

enum {
  CURL_GLOBAL_ALL = 3,
  CURLMSG_DONE = 1,
  CURLE_FAILED_INIT = 2,
  CURLINFO_SIZE_UPLOAD_T = 0x600000 + 7,
  CURLPROTO_HTTP_AND_HTTPS = 3,
  // Options of a long.
  CURLOPT_NOBODY = 44,
  CURLOPT_FRESH_CONNECT = 74,
  CURLOPT_HTTPGET = 80,
  CURLOPT_NOSIGNAL = 99,
  CURLOPT_CONNECTTIMEOUT_MS = 156,
  CURLOPT_PROTOCOLS = 181,
  CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
  // Options of a pointer.
  CURLOPT_WRITEDATA = 10001,
  CURLOPT_URL = 10002,
  CURLOPT_PROXY = 10004,
  CURLOPT_ERRORBUFFER = 10010,
  CURLOPT_POSTFIELDS = 10015,
  CURLOPT_HTTPHEADER = 10023,
  CURLOPT_HEADERDATA = 10029,
  CURLOPT_CUSTOMREQUEST = 10036,
  CURLOPT_ACCEPT_ENCODING = 10102,
  // Options of a function.
  CURLOPT_WRITEFUNCTION = 20011,
  CURLOPT_HEADERFUNCTION = 20079,
  // Options of a long long.
  CURLOPT_POSTFIELDSIZE_LARGE = 30120,
};

static struct {
  int is_there;
  int (*global_init)(long);
  CURL *(*easy_init)(void);
  void (*easy_reset)(CURL *);
  void (*easy_cleanup)(CURL *);
  int (*easy_setopt)(CURL *, int, ...);
  int (*easy_getinfo)(CURL *, int, ...);
  const char *(*easy_strerror)(int);
  CURLM *(*multi_init)(void);
  int (*multi_add_handle)(CURLM *, CURL *);
  int (*multi_remove_handle)(CURLM *, CURL *);
  int (*multi_perform)(CURLM *, int *);
  int (*multi_poll)(CURLM *, void *, unsigned, int, int *);
  struct CURLMsg *(*multi_info_read)(CURLM *, int *);
  int (*multi_cleanup)(CURLM *);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
} curl;

struct cn_curl_line {
  CURLM *multi;
  CURL *easy;
  const cn_curl_request *request;
  // CURL_ERROR_SIZE.
  char words[256];
};

static void cn_curl_load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  const struct {
    const char *name;
    void *function;
  } symbols[] = {
      {"curl_global_init", &curl.global_init},
      {"curl_easy_init", &curl.easy_init},
      {"curl_easy_reset", &curl.easy_reset},
      {"curl_easy_cleanup", &curl.easy_cleanup},
      {"curl_easy_setopt", &curl.easy_setopt},
      {"curl_easy_getinfo", &curl.easy_getinfo},
      {"curl_easy_strerror", &curl.easy_strerror},
      {"curl_multi_init", &curl.multi_init},
      {"curl_multi_add_handle", &curl.multi_add_handle},
      {"curl_multi_remove_handle", &curl.multi_remove_handle},
      {"curl_multi_perform", &curl.multi_perform},
      {"curl_multi_poll", &curl.multi_poll},
      {"curl_multi_info_read", &curl.multi_info_read},
      {"curl_multi_cleanup", &curl.multi_cleanup},
      {"curl_slist_append", &curl.slist_append},
      {"curl_slist_free_all", &curl.slist_free_all},
  };
  for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
    void *function = dlsym(library, symbols[index].name);
    if (!function) return;
    *(void **)symbols[index].function = function;
  }
  curl.is_there = curl.global_init(CURL_GLOBAL_ALL) == 0;
}

cn_curl_line *cn_curl_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, cn_curl_load);
  cn_curl_line *line = curl.is_there ? calloc(1, sizeof *line) : NULL;
  if (!line) return NULL;
  line->multi = curl.multi_init();
  line->easy = curl.easy_init();
  if (line->multi && line->easy) return line;
  cn_curl_close(line);
  return NULL;
}

void cn_curl_close(cn_curl_line *line) {
  if (line->easy) curl.easy_cleanup(line->easy);
  if (line->multi) curl.multi_cleanup(line->multi);
  free(line);
}

const char *cn_curl_words(const cn_curl_line *line) { return line->words; }

static size_t cn_curl_head(const char *bytes, size_t size, size_t count, void *line) {
  const cn_curl_request *request = ((cn_curl_line *)line)->request;
  return request->take_head(request->context, bytes, size * count) ? size * count : 0;
}

static size_t cn_curl_body(const char *bytes, size_t size, size_t count, void *line) {
  const cn_curl_request *request = ((cn_curl_line *)line)->request;
  return request->take_body(request->context, bytes, size * count) ? size * count : 0;
}

// What is not set here is as libcurl has it: certificates and hosts are checked, no redirect is
// followed, and proxies are those of the environment.
static void cn_curl_prepare(cn_curl_line *line, const struct curl_slist *headers) {
  const cn_curl_request *request = line->request;
  CURL *easy = line->easy;
  curl.easy_reset(easy);
  curl.easy_setopt(easy, CURLOPT_URL, request->url);
  curl.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)CURLPROTO_HTTP_AND_HTTPS);
  if (request->body) {
    curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (long long)request->body_count);
    curl.easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
  } else {
    curl.easy_setopt(easy, CURLOPT_HTTPGET, 1L);
  }
  if (!strcmp(request->method, "HEAD")) curl.easy_setopt(easy, CURLOPT_NOBODY, 1L);
  curl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
  curl.easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  // All encodings that it knows, such as gzip.
  curl.easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  if (request->is_loopback) curl.easy_setopt(easy, CURLOPT_PROXY, "");
  curl.easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
  curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  // libcurl itself sends again what a kept connection lost.
  if (!request->may_repeat) curl.easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
  curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, cn_curl_head);
  curl.easy_setopt(easy, CURLOPT_HEADERDATA, line);
  curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, cn_curl_body);
  curl.easy_setopt(easy, CURLOPT_WRITEDATA, line);
  curl.easy_setopt(easy, CURLOPT_ERRORBUFFER, line->words);
}

static int cn_curl_wait(cn_curl_line *line) {
  const cn_curl_request *request = line->request;
  int is_running = 1;
  while (curl.multi_perform(line->multi, &is_running) == 0 && is_running) {
    long long sent = 0;
    curl.easy_getinfo(line->easy, CURLINFO_SIZE_UPLOAD_T, &sent);
    if (request->must_stop(request->context, sent)) return -1;
    if (curl.multi_poll(line->multi, NULL, 0, 100, NULL) != 0) break;
  }
  int count;
  const struct CURLMsg *message = curl.multi_info_read(line->multi, &count);
  return message && message->msg == CURLMSG_DONE ? message->data.result : CURLE_FAILED_INIT;
}

int cn_curl_perform(cn_curl_line *line, const cn_curl_request *request) {
  // A library of TLS may write to a connection that has ended.
  sigset_t pipe, former, waiting;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &former);
  sigpending(&waiting);

  line->request = request;
  line->words[0] = 0;
  // Else it waits a second for the service to want a large body.
  struct curl_slist *headers = curl.slist_append(NULL, "Expect:");
  for (size_t index = 0; index < request->header_count; index++)
    headers = curl.slist_append(headers, request->headers[index]);
  cn_curl_prepare(line, headers);
  int code = CURLE_FAILED_INIT;
  if (curl.multi_add_handle(line->multi, line->easy) == 0) {
    code = cn_curl_wait(line);
    curl.multi_remove_handle(line->multi, line->easy);
  }
  curl.easy_reset(line->easy);
  curl.slist_free_all(headers);
  if (code > 0 && !line->words[0])
    snprintf(line->words, sizeof line->words, "%s", curl.easy_strerror(code));

  const struct timespec now = {0, 0};
  if (!sigismember(&waiting, SIGPIPE)) sigtimedwait(&pipe, NULL, &now);
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  return code;
}
