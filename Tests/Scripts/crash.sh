#!/usr/bin/env bash
# Kills the program at random moments of a save, and compares the store with the states before and
# after: it must be one of them, in a database that SQLite finds whole.
#
# Usage: crash.sh PROGRAM [NUMBER]    NUMBER is 500 kills by default.
set -uo pipefail
cd "$(dirname "$0")/../.."
program=$1
number=${2:-500}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" LC_ALL=C.UTF-8

# A database in each journal mode, with a cascade and a trigger, and a Core Data store.
schema="
  CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT UNIQUE, filling TEXT);
  CREATE TABLE child (id INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL REFERENCES parent (id) ON DELETE CASCADE);
  CREATE INDEX child_parent ON child (parent);
  CREATE TABLE log (id INTEGER);
  CREATE TRIGGER parent_deleted AFTER DELETE ON parent BEGIN INSERT INTO log VALUES (old.id); END;
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
    INSERT INTO parent SELECT i, 'parent ' || i, hex(zeroblob(300)) FROM n;
  INSERT INTO child SELECT NULL, id FROM parent;"
for mode in DELETE TRUNCATE PERSIST WAL; do
  sqlite3 "$work/$mode.sqlite" "PRAGMA journal_mode = $mode; $schema" > "$work/output" || exit 1
done
sqlite3 "$work/garden.store" < Fixtures/CoreData/garden.sql || exit 1
cp -r Fixtures/CoreData/Garden.xcdatamodeld "$work/"

digest() { sqlite3 "$1" .dump | sha256sum; }
save() { "$program" delete "$1" "$2" --where "$3" --yes > "$work/output" 2>&1; }
# The bytes of a store, its journals and its model in a folder of their own.
fresh() { rm -rf "$work/run"; mkdir "$work/run"; cp -r "$work/$1" "$work"/*.xcdatamodeld "$work/run/"; }

declare -A before after duration
stores=(DELETE.sqlite TRUNCATE.sqlite PERSIST.sqlite WAL.sqlite garden.store)
arguments() { [ "$1" = garden.store ] && echo "Person TRUEPREDICATE" || echo "parent id>1000"; }
for store in "${stores[@]}"; do
  read -r entity condition <<< "$(arguments "$store")"
  fresh "$store"
  before[$store]=$(digest "$work/run/$store")
  start=${EPOCHREALTIME/[.,]/}
  save "$work/run/$store" "$entity" "$condition" || { cat "$work/output"; exit 1; }
  duration[$store]=$((${EPOCHREALTIME/[.,]/} - start))
  after[$store]=$(digest "$work/run/$store")
done

failures=0 unchanged=0 changed=0
for ((round = 1; round <= number; round++)); do
  store=${stores[$((round % ${#stores[@]}))]}
  read -r entity condition <<< "$(arguments "$store")"
  fresh "$store"
  "$program" delete "$work/run/$store" "$entity" --where "$condition" --yes > "$work/output" 2>&1 &
  child=$!
  delay=$(((RANDOM * 32768 + RANDOM) % (duration[$store] * 11 / 10 + 1)))
  sleep "$(printf '%d.%06d' $((delay / 1000000)) $((delay % 1000000)))"
  kill -KILL $child 2>/dev/null
  wait $child 2>/dev/null
  problem=""
  # First as the program reads it, then as SQLite repairs it.
  "$program" count "$work/run/$store" "$entity" > "$work/count" 2> "$work/output" ||
    problem="the program cannot read it: $(tail -1 "$work/output")"
  check=$(sqlite3 "$work/run/$store" "PRAGMA integrity_check")
  [ "$check" = ok ] || problem="integrity_check: $check"
  case $(digest "$work/run/$store") in
    "${before[$store]}") unchanged=$((unchanged + 1)) ;;
    "${after[$store]}") changed=$((changed + 1)) ;;
    *) problem="neither the state before nor after the save" ;;
  esac
  [ "$(cat "$work/count")" = "$(sqlite3 "$work/run/$store" "SELECT count(*) FROM $(
    [ "$store" = garden.store ] && echo ZPERSON || echo parent)")" ] ||
    problem="${problem:-the program counts $(cat "$work/count") of $entity, SQLite others}"
  for backup in "$work/run"/*.backup-*; do
    case $backup in
      *'*'* | *.part | *.part-journal) ;;
      *) [ "$(sqlite3 "$backup" "PRAGMA integrity_check")" = ok ] || problem="a torn backup" ;;
    esac
  done
  if [ -n "$problem" ]; then
    failures=$((failures + 1))
    echo "kill $round, $store after $delay µs: $problem" >&2
  fi
done
echo "$number kills: $unchanged before the commit, $changed after it, $failures failures"
[ "$failures" -eq 0 ]
