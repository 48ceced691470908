#define _GNU_SOURCE  // environ
#include "CSignals.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static struct {
  volatile sig_atomic_t is_armed;
  int has_modes;
  int note_file;
  volatile sig_atomic_t ending;
  size_t length;
  char bytes[512];
  int (*at_exit)(void);
  struct termios modes;
  char is_installed[NSIG];
  struct sigaction former[NSIG];
  char stack[65536];
} guard;

// Sets the terminal's modes, in the background too.
static void cn_set_modes(int when) {
  if (!guard.has_modes) return;
  struct sigaction action, former;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_IGN;
  sigaction(SIGTTOU, &action, &former);
  tcsetattr(STDIN_FILENO, when, &guard.modes);
  sigaction(SIGTTOU, &former, NULL);
}

// Restores the terminal with async-signal-safe calls only.
static void cn_guard_rescue(void) {
  if (!guard.is_armed) return;
  guard.is_armed = 0;
  ssize_t ignored = write(STDOUT_FILENO, guard.bytes, guard.length);
  (void)ignored;
  cn_set_modes(TCSANOW);
}

static void cn_guard_crash(int number) {
  cn_guard_rescue();
  if (number == SIGALRM && guard.ending) number = guard.ending;
  // The Swift runtime's handler would wait 30 seconds for a key before it lets the program end.
  signal(number, SIG_DFL);
  raise(number);
}

static void cn_guard_note(int number) {
  int saved = errno;
  // What does not end by itself soon is ended.
  if (number == SIGTERM || number == SIGHUP) {
    guard.ending = number;
    alarm(2);
  }
  unsigned char byte = (unsigned char)number;
  ssize_t ignored = write(guard.note_file, &byte, 1);
  (void)ignored;
  errno = saved;
}

static void cn_guard_exit(void) {
  if (guard.is_armed && guard.at_exit) guard.at_exit();
  cn_guard_rescue();
}

int cn_guard_last_signal(void) { return NSIG - 1; }

int cn_guard_keep_modes(void) {
  if (tcgetattr(STDIN_FILENO, &guard.modes) != 0) return -1;
  guard.has_modes = 1;
  return 0;
}

static void cn_install(int number, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  guard.is_installed[number] = sigaction(number, &action, &guard.former[number]) == 0;
}

void cn_guard_watch(int number) { cn_install(number, cn_guard_note, SA_RESTART); }

void cn_guard_catch(int number) {
  struct sigaction current;
  if (sigaction(number, NULL, &current) != 0 || current.sa_handler == SIG_IGN) return;
  cn_install(number, cn_guard_crash, SA_ONSTACK | SA_NODEFER);
}

void cn_guard_release(int number) {
  if (guard.is_installed[number]) sigaction(number, &guard.former[number], NULL);
  guard.is_installed[number] = 0;
}

void cn_guard_arm(int note_file, const void *bytes, size_t length, int (*at_exit)(void)) {
  static int is_registered = 0;
  guard.note_file = note_file;
  guard.length = length < sizeof guard.bytes ? length : sizeof guard.bytes;
  memcpy(guard.bytes, bytes, guard.length);
  guard.at_exit = at_exit;
  // The handlers run on a separate stack, so that they work after a stack overflow.
  stack_t stack = {.ss_sp = guard.stack, .ss_size = sizeof guard.stack, .ss_flags = 0};
  sigaltstack(&stack, NULL);
  guard.is_armed = 1;
  if (!is_registered) is_registered = atexit(cn_guard_exit) == 0;
}

void cn_guard_disarm(void) {
  guard.is_armed = 0;
  if (guard.ending) alarm(0);
}

void cn_guard_stop(void) {
  struct sigaction action, noting;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &action, &noting);
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &noting, NULL);
}

int cn_guard_ending(void) { return guard.ending; }

int cn_guard_has_terminal(void) { return tcgetpgrp(STDIN_FILENO) == getpgrp(); }

void cn_guard_restore_modes(void) { cn_set_modes(TCSADRAIN); }

int cn_guard_run(char *const *arguments) {
  static const int numbers[] = {SIGINT, SIGQUIT, SIGTSTP};
  struct sigaction former[3], action;
  memset(&action, 0, sizeof action);
  cn_set_modes(TCSADRAIN);
  posix_spawnattr_t attributes;
  if (posix_spawnattr_init(&attributes) != 0) return 127;
  sigset_t standard;
  sigemptyset(&standard);
  for (int place = 0; place < 3; place++) {
    // The shell waits for the whole process group: when it is stopped, all of it must stop.
    action.sa_handler = numbers[place] == SIGTSTP ? SIG_DFL : SIG_IGN;
    sigaction(numbers[place], &action, &former[place]);
    sigaddset(&standard, numbers[place]);
  }
  posix_spawnattr_setsigdefault(&attributes, &standard);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child;
  int status = 0;
  int error = posix_spawnp(&child, arguments[0], NULL, &attributes, arguments, environ);
  if (error == 0) {
    while (waitpid(child, &status, 0) < 0) {
      if (errno != EINTR) {
        error = errno;
        break;
      }
    }
  }
  for (int place = 0; place < 3; place++) sigaction(numbers[place], &former[place], NULL);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return 127;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
