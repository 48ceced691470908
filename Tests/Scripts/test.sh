#!/usr/bin/env bash
# Runs all tests, which are built in a folder: test.sh FOLDER. Each module has a process of its own,
# as many at once as there are processors: all in one take a third longer, and those of screens wait
# for the main thread of their process.
set -uo pipefail
export program="$1/cardfilePackageTests.xctest" logs=.build/tests
rm -rf "$logs" && mkdir -p "$logs" || exit 1

# A job in the background would ignore the signals that tests send to programs that they start.
run() {
  env --default-signal=INT,QUIT "$program" --testing-library swift-testing --filter "^$1\\." 2>&1 |
    tee "$logs/$1.log"
}
export -f run

# The names of the modules, those with most tests first: they take longest.
modules=$("$program" --testing-library swift-testing --list-tests | cut -d. -f1 | sort | uniq -c |
  sort -rn | awk '{ print $2 }')
# That of servers waits for them most of its time: it begins first.
modules=$(grep PostgreSQL <<< "$modules"; grep -v PostgreSQL <<< "$modules")
test -n "$modules" || { echo "$program has no tests." >&2; exit 1; }
if ! xargs -P "$(nproc)" -I {} bash -o pipefail -c 'run {}' <<< "$modules"; then
  echo 'What failed, once more:'
  grep -a -A 12 'recorded an issue\|^error:\|Fatal error' "$logs"/*.log
  exit 1
fi
# A process that ended before its last test would have no such line.
grep -ah 'Test run with .* passed' "$logs"/*.log | awk -v modules="$(wc -w <<< "$modules")" '
  { tests += $5 }
  END { print tests " tests of " NR " modules passed."; exit NR != modules }'
