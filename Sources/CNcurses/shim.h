// The parts of ncurses and of signal handling that Swift cannot import or express: macros with
// casts, variadic functions, global variables, and handlers that may call only async-signal-safe
// functions.
#ifndef CARDFILE_CNCURSES_SHIM_H
#define CARDFILE_CNCURSES_SHIM_H
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#define NCURSES_WIDECHAR 1
#include <errno.h>
#include <fcntl.h>
#include <ncurses.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

extern int wcwidth(wchar_t c);

static const attr_t CN_BOLD = A_BOLD;
static const attr_t CN_DIM = A_DIM;
static const attr_t CN_REVERSE = A_REVERSE;
static const attr_t CN_UNDERLINE = A_UNDERLINE;
static const attr_t CN_ITALIC = A_ITALIC;

static const mmask_t CN_PRESSED = BUTTON1_PRESSED;
static const mmask_t CN_RELEASED = BUTTON1_RELEASED;
static const mmask_t CN_WHEEL_UP = BUTTON4_PRESSED;
static const mmask_t CN_WHEEL_DOWN = BUTTON5_PRESSED;
static const mmask_t CN_MOVED = REPORT_MOUSE_POSITION;

// Opens the screen on standard input and output; NULL if terminfo does not know TERM.
static inline SCREEN *cn_open(void) { return newterm(NULL, stdout, stdin); }

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

struct cn_guard {
  volatile sig_atomic_t is_armed;
  int note_file;
  size_t length;
  char bytes[512];
  struct termios modes;
  struct sigaction former[NSIG];
  char stack[65536];
};

// Returns the state of the signal handlers. Each object file that includes this header has a copy
// of the state, so the functions below must be called from one Swift file only, SignalGuard.swift.
static inline struct cn_guard *cn_guard(void) {
  static struct cn_guard state;
  return &state;
}

// Restores the terminal with async-signal-safe calls only.
static void cn_guard_rescue(void) {
  if (!cn_guard()->is_armed) return;
  cn_guard()->is_armed = 0;
  ssize_t ignored = write(STDOUT_FILENO, cn_guard()->bytes, cn_guard()->length);
  (void)ignored;
  tcsetattr(STDIN_FILENO, TCSANOW, &cn_guard()->modes);
}

static void cn_guard_crash(int number) {
  cn_guard_rescue();
  sigaction(number, &cn_guard()->former[number], NULL);
  raise(number);
}

static void cn_guard_note(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  ssize_t ignored = write(cn_guard()->note_file, &byte, 1);
  (void)ignored;
  errno = saved;
}

static void cn_guard_exit(void) {
  if (cn_guard()->is_armed) endwin();
  cn_guard_rescue();
}

// Saves the terminal's current modes, to restore them at exit; returns 0 or -1.
static inline int cn_guard_keep_modes(void) {
  return tcgetattr(STDIN_FILENO, &cn_guard()->modes);
}

// Installs a handler that writes the signal's number to note_file, until cn_guard_release.
static inline void cn_guard_watch(int number) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = cn_guard_note;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, &cn_guard()->former[number]);
}

// Installs a handler that restores the terminal and passes the signal on to the previous handler.
static inline void cn_guard_catch(int number) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = cn_guard_crash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  sigaction(number, &action, &cn_guard()->former[number]);
}

// Restores the previous handler of a signal.
static inline void cn_guard_release(int number) {
  sigaction(number, &cn_guard()->former[number], NULL);
}

// Makes exits and crashes restore the terminal: they write the given bytes, then reset its modes.
static inline void cn_guard_arm(int note_file, const char *bytes, size_t length) {
  static int is_registered = 0;
  cn_guard()->note_file = note_file;
  cn_guard()->length = length < sizeof cn_guard()->bytes ? length : sizeof cn_guard()->bytes;
  memcpy(cn_guard()->bytes, bytes, cn_guard()->length);
  // The handlers run on a separate stack, so that they work after a stack overflow.
  stack_t stack = {.ss_sp = cn_guard()->stack, .ss_size = sizeof cn_guard()->stack, .ss_flags = 0};
  sigaltstack(&stack, NULL);
  cn_guard()->is_armed = 1;
  if (!is_registered) is_registered = atexit(cn_guard_exit) == 0;
}

static inline void cn_guard_disarm(void) { cn_guard()->is_armed = 0; }

// Stops the process group as Ctrl-Z does; returns when it is continued.
static inline void cn_guard_stop(void) {
  struct sigaction action, noting;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &action, &noting);
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &noting, NULL);
}

static inline void cn_guard_restore_modes(void) {
  tcsetattr(STDIN_FILENO, TCSADRAIN, &cn_guard()->modes);
}
#endif
