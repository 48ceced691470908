#!/usr/bin/env bash
# Damages databases, write-ahead logs, journals and model files at random and gives them to the
# program: it must end by itself, within seconds and within memory, with a status from 0 to 3.
#
# Usage: fuzz.sh PROGRAM [SECONDS]    SECONDS is 60 by default. What fails is kept in .build/fuzz.
set -uo pipefail
cd "$(dirname "$0")/../.."
program=$1
seconds=${2:-60}
kept=$PWD/.build/fuzz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" LC_ALL=C.UTF-8 SWIFT_BACKTRACE=enable=no
RANDOM=${FUZZ_SEED:-$$}
mkdir -p "$work/seeds"

# Seeds: a folder each, with a store named "store" or a model named "model".
rows="
  CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT UNIQUE, born DATE, photo BLOB);
  CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent (id), x REAL);
  CREATE INDEX child_parent ON child (parent);
  CREATE VIEW pairs AS SELECT p.name, c.x FROM parent p JOIN child c ON c.parent = p.id;
  CREATE VIRTUAL TABLE words USING fts5 (word);
  CREATE VIRTUAL TABLE places USING rtree (id, x0, x1);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO parent SELECT i, 'parent ' || i, '2001-01-01', zeroblob(i * 10) FROM n;
  INSERT INTO child SELECT NULL, id, id / 3.0 FROM parent;
  INSERT INTO words SELECT name FROM parent; INSERT INTO places SELECT id, id, id + 1 FROM parent;"
seed() { mkdir -p "$work/seeds/$1"; echo "$work/seeds/$1"; }
sqlite3 "$(seed plain)/store" "$rows" || exit 1
folder=$(seed log)
sqlite3 "$work/log" "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; $rows" \
  ".shell cp '$work/log' '$folder/store' && cp '$work/log-wal' '$folder/store-wal'" \
  > "$work/output" || exit 1
folder=$(seed hot)
sqlite3 "$work/hot" "$rows" "PRAGMA cache_size = 1;" "BEGIN; UPDATE parent SET photo = NULL;" \
  "INSERT INTO child SELECT NULL, 1, 0 FROM child, parent LIMIT 20000;" \
  ".shell cp '$work/hot' '$folder/store' && cp '$work/hot-journal' '$folder/store-journal'" \
  || exit 1
folder=$(seed coredata)
sqlite3 "$folder/store" < Fixtures/CoreData/garden.sql || exit 1
cp -r Fixtures/CoreData/Garden.xcdatamodeld "$folder/"
folder=$(seed cached)
"$program" create "$folder/store" --model Fixtures/CoreData/Garden.xcdatamodeld --layout coredata \
  --history || exit 1
folder=$(seed source)
cp Fixtures/CoreData/Garden.xcdatamodeld/*/contents "$work/contents"
mkdir "$folder/model.xcdatamodel" && cp "$work/contents" "$folder/model.xcdatamodel/contents"
folder=$(seed json)
"$program" describe Fixtures/CoreData/Garden.xcdatamodeld --format json > "$folder/model.json" ||
  exit 1

# Changes bytes of a file, or cuts it off.
damage() {
  local size=$(stat -c %s "$1") count=$((RANDOM % 12 + 1)) place
  [ "$size" -gt 0 ] || return
  if [ $((RANDOM % 6)) -eq 0 ]; then truncate -s $(((RANDOM * 32768 + RANDOM) % size)) "$1"; return; fi
  while [ $((count--)) -gt 0 ]; do
    # Half of the damage hits the headers.
    if [ $((RANDOM % 2)) -eq 0 ]; then place=$((RANDOM % 200)); else
      place=$((RANDOM * 32768 + RANDOM)); fi
    printf "\\x$(printf %x $((RANDOM % 256)))" |
      dd of="$1" bs=1 seek=$((place % size)) conv=notrunc status=none
  done
}

failures=0 runs=0
run() {
  local status start=${EPOCHREALTIME/[.,]/}
  runs=$((runs + 1))
  # 2 GiB of address space, 40 seconds: opening alone is limited to 30.
  (ulimit -v 2097152 -c 0; exec timeout -s KILL 40 "$program" "$@") > "$work/output" 2>&1
  status=$?
  [ $status -le 3 ] && return
  failures=$((failures + 1))
  mkdir -p "$kept/$failures" && cp -r "$work/case/." "$kept/$failures/"
  echo "cardfile $*" > "$kept/$failures/command"
  echo "status $status after $(((${EPOCHREALTIME/[.,]/} - start) / 1000)) ms: cardfile $1," \
    "see $kept/$failures" >&2
}

seeds=("$work"/seeds/*)
end=$((SECONDS + seconds))
while [ $SECONDS -lt $end ]; do
  rm -rf "$work/case" && cp -r "${seeds[$((RANDOM % ${#seeds[@]}))]}" "$work/case"
  mapfile -t files < <(find "$work/case" -type f)
  damage "${files[$((RANDOM % ${#files[@]}))]}"
  [ $((RANDOM % 3)) -eq 0 ] && damage "${files[$((RANDOM % ${#files[@]}))]}"
  if [ -e "$work/case/store" ]; then
    entity=parent
    [ -e "$work/case/Garden.xcdatamodeld" ] && entity=Person
    case $((RANDOM % 7)) in
      0) run entities "$work/case/store" ;;
      1) run check "$work/case/store" ;;
      2) run fetch "$work/case/store" $entity --relationships --format json ;;
      3) run describe "$work/case/store" ;;
      4) run history "$work/case/store" ;;
      5) run delete "$work/case/store" $entity --where TRUEPREDICATE --dry-run ;;
      6) run delete "$work/case/store" $entity --where TRUEPREDICATE --yes ;;
    esac
  else
    model=$(find "$work/case" -maxdepth 1 -name 'model*')
    case $((RANDOM % 3)) in
      0) run describe "$model" ;;
      1) run create "$work/case/new" --model "$model" --layout coredata ;;
      2) run generate "$model" --output "$work/case/classes" ;;
    esac
  fi
done
echo "$runs runs, $failures failures"
[ "$failures" -eq 0 ]
