#ifndef CARDFILE_CSIGNALS_H
#define CARDFILE_CSIGNALS_H

#include <stddef.h>

// Signal handlers, which may call only async-signal-safe functions, and their one state.

// Saves the terminal's current modes, to restore them at exit; returns 0 or -1.
int cn_guard_keep_modes(void);

// Makes exits and crashes restore the terminal: they write the given bytes, then reset its modes.
// Before the modes of an ordinary exit, at_exit is called.
void cn_guard_arm(int note_file, const void *bytes, size_t length, int (*at_exit)(void));

// Ends that; the handlers stay until cn_guard_release.
void cn_guard_disarm(void);

// The number of the last signal.
int cn_guard_last_signal(void);

// Installs a handler that writes the signal's number to note_file, until cn_guard_release.
// If SIGTERM or SIGHUP has not ended the program after two seconds, it is ended as by a crash;
// SIGALRM must be caught for that.
void cn_guard_watch(int number);

// Installs a handler that restores the terminal and ends the program by the signal,
// unless the signal is ignored or cannot be caught.
void cn_guard_catch(int number);

// Restores the previous handler of a signal.
void cn_guard_release(int number);

// Stops the process group as Ctrl-Z does; returns when it is continued.
void cn_guard_stop(void);

// SIGTERM or SIGHUP once it was received; else 0.
int cn_guard_ending(void);

// Whether the terminal is the process group's: a shell that continues it in the background keeps it.
int cn_guard_has_terminal(void);

// Runs a program, found by PATH, in the modes that were saved, and waits until it ends. Meanwhile
// Ctrl-C and Ctrl-\ are the program's alone, and Ctrl-Z stops both. Returns its exit status, 128 plus
// the number of the signal that ended it, or 127 if it cannot be started.
int cn_guard_run(char *const *arguments);

// Sets the modes that were saved.
void cn_guard_restore_modes(void);

#endif
