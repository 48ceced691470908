// The parts of ncurses that Swift cannot import or express: macros with casts, variadic functions,
// global variables. Nothing here may have state: every object file would have its own.
#ifndef CARDFILE_CNCURSES_SHIM_H
#define CARDFILE_CNCURSES_SHIM_H
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#define NCURSES_WIDECHAR 1
#include <fcntl.h>
#include <ncurses.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

extern int wcwidth(wchar_t c);

static const attr_t CN_BOLD = A_BOLD;
static const attr_t CN_DIM = A_DIM;
static const attr_t CN_REVERSE = A_REVERSE;
static const attr_t CN_UNDERLINE = A_UNDERLINE;
static const attr_t CN_ITALIC = A_ITALIC;

// Opens the screen on standard input and output; NULL if terminfo does not know TERM, or there is
// no memory for the screen.
//
// Its size is the terminal's own, which the variables LINES and COLUMNS may contradict.
static inline SCREEN *cn_open(void) {
  use_env(FALSE);
  use_tioctl(TRUE);
  return newterm(NULL, stdout, stdin);
}

// Whether terminfo knows TERM.
static inline int cn_knows_type(void) {
  int answer = 0;
  return setupterm(NULL, 1, &answer) == OK && answer == 1;
}

static inline WINDOW *cn_screen(void) { return stdscr; }

// Returns a terminfo string capability; NULL if the terminal does not have it.
static inline const char *cn_capability(const char *name) {
  char *text = tigetstr(name);
  return text == (char *)-1 ? NULL : text;
}

// Sets one cell to a spacing character with its combining marks. Never scrolls, not even in the
// last cell of the screen.
static inline int cn_put(
    WINDOW *window, int y, int x, const wchar_t *text, attr_t attributes, int pair) {
  cchar_t cell;
  if (setcchar(&cell, text, attributes, 0, &pair) == ERR) return ERR;
  return mvwadd_wchnstr(window, y, x, &cell, 1);
}

// Reads the size of the terminal; returns 0, or -1 if the terminal does not report it.
static inline int cn_window_size(int file, int *lines, int *columns) {
  struct winsize size;
  if (ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return -1;
  *lines = size.ws_row;
  *columns = size.ws_col;
  return 0;
}

// Creates a pipe whose ends do not block and are closed in child processes; returns 0 or -1.
static inline int cn_pipe(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  for (int end = 0; end < 2; end++) {
    fcntl(ends[end], F_SETFL, O_NONBLOCK);
    fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  }
  return 0;
}

// Returns the number of bytes that can be read without waiting; 0 at the end of input, negative on
// an error.
static inline int cn_waiting_bytes(int file) {
  int count = 0;
  return ioctl(file, FIONREAD, &count) == 0 ? count : -1;
}
#endif
