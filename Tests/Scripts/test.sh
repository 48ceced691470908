#!/usr/bin/env bash
# Runs all tests, which are built in a folder: test.sh FOLDER. Those of screens wait for the main
# thread of their process, so that others run in a second process at the same time.
set -uo pipefail
program="$1/cardfilePackageTests.xctest"
logs=.build
screens='^(CardfileAppTests|TerminalApplicationsTests|ListProvidersTests)\.'

# A job in the background would ignore the signals that tests send to programs that they start.
run() {
  local log="$logs/test-$1.log"
  shift
  env --default-signal=INT,QUIT "$program" --testing-library swift-testing "$@" 2>&1 | tee "$log"
}

run screens --filter "$screens" &
first=$!
run others --skip "$screens"
others=$?
wait "$first"
screens=$?
if [ "$screens" -ne 0 ] || [ "$others" -ne 0 ]; then
  echo 'What failed, once more:'
  grep -h -A 12 'recorded an issue\|^error:\|Fatal error' "$logs"/test-{screens,others}.log
  exit 1
fi
