#!/usr/bin/env bash
# Kills the program at random moments of a save in a PostgreSQL server that it starts itself: the table must be as it was
# before, or as it is after the save.
#
# Usage: crash-server.sh PROGRAM [NUMBER]    NUMBER is 100 kills by default. Without a server nothing is done.
set -uo pipefail
program=$(realpath "$1")
number=${2:-100}
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
[ -x "$bin/initdb" ] || { echo "skipped: no PostgreSQL server (make setup-postgresql)"; exit 0; }
work=$(mktemp -d /tmp/cardfile-crash.XXXXXX)
as=()
if [ "$(id -u)" = 0 ]; then
  # The server refuses to run as root.
  chown nobody "$work"
  as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
fi
cd "$work" || exit 1
"${as[@]}" "$bin/initdb" -D "$work/data" -A trust -U tester -E UTF8 --locale=C.UTF-8 --no-sync > "$work.log" 2>&1 || exit 1
"${as[@]}" "$bin/postgres" -D "$work/data" -k "$work" -c listen_addresses= -c fsync=off >> "$work.log" 2>&1 &
server=$!
trap 'kill -INT $server; wait $server; rm -rf "$work" "$work.log"' EXIT
address="postgresql:///postgres?host=$work&user=tester"
ask() { "$bin/psql" -XqAt "$address" -c "$1"; }
until ask "SELECT 1" > "$work.log" 2>&1; do
  kill -0 $server 2>> "$work.log" || { echo "the server did not start: $(cat "$work.log")" >&2; exit 1; }
  sleep 0.1
done
ask "CREATE TABLE parent (id int PRIMARY KEY, name text);
  CREATE TABLE child (id int PRIMARY KEY, parent int REFERENCES parent ON DELETE CASCADE)" || exit 1
fill="TRUNCATE parent, child; INSERT INTO parent SELECT i, 'p' || i FROM generate_series(1, 2000) i;
  INSERT INTO child SELECT i, 1 + i % 2000 FROM generate_series(1, 4000) i"
counts="SELECT (SELECT count(*) FROM parent), (SELECT count(*) FROM child)"
ask "$fill" || exit 1
start=${EPOCHREALTIME/[.,]/}
"$program" delete "$address" parent --where 'id > 500' --yes > "$work.log" 2>&1 || { cat "$work.log" >&2; exit 1; }
duration=$((${EPOCHREALTIME/[.,]/} - start))
[ "$(ask "$counts")" = "500|1000" ] || { echo "the save itself is wrong: $(ask "$counts")" >&2; exit 1; }

failures=0 unchanged=0 changed=0
for ((round = 1; round <= number; round++)); do
  ask "$fill" || exit 1
  "$program" delete "$address" parent --where 'id > 500' --yes > "$work.log" 2>&1 &
  child=$!
  delay=$(((RANDOM * 32768 + RANDOM) % (duration * 11 / 10 + 1)))
  sleep "$(printf '%d.%06d' $((delay / 1000000)) $((delay % 1000000)))"
  kill -KILL $child 2>> "$work.log"
  wait $child 2>> "$work.log"
  # The server notices by itself that nobody is there any more.
  until [ "$(ask "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'cardfile'")" = 0 ]; do sleep 0.02; done
  case $(ask "$counts") in
    "2000|4000") unchanged=$((unchanged + 1)) ;;
    "500|1000") changed=$((changed + 1)) ;;
    *)
      failures=$((failures + 1))
      echo "kill $round after $delay µs: $(ask "$counts")" >&2
      ;;
  esac
done
echo "$number kills of a save in a server: $unchanged before the commit, $changed after it, $failures failures"
[ "$failures" -eq 0 ]
