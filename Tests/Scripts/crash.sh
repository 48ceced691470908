#!/usr/bin/env bash
# Kills the program at random moments of a save, a migration or an import, and compares the store with the states before and
# after: it must be one of them, in a database that SQLite finds whole.
#
# Usage: crash.sh PROGRAM [NUMBER [STORE…]]    NUMBER is 500 kills by default, of all stores.
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

# Two stores that are migrated: of Core Data's tables and of plain ones.
for version in People "People 2"; do
  mkdir -p "$work/People.xcdatamodeld/$version.xcdatamodel"
  text='optional="YES" attributeType="String"'
  [ "$version" = People ] && old="$text" || old="$text elementID=\"name\""
  {
    echo '<?xml version="1.0" encoding="UTF-8"?>'
    echo '<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">'
    [ "$version" = People ] || echo "<entity name=\"Album\"><attribute name=\"title\" $text/></entity>"
    echo "<entity name=\"Person\">"
    echo "<attribute name=\"$([ "$version" = People ] && echo name || echo fullName)\" $old/>"
    echo "<attribute name=\"filling\" $text/></entity></model>"
  } > "$work/People.xcdatamodeld/$version.xcdatamodel/contents"
done
rows="WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)"
"$program" create "$work/coredata.people" --model "$work/People.xcdatamodeld" --version People \
  --layout coredata || exit 1
"$program" create "$work/plain.people" --model "$work/People.xcdatamodeld" --version People ||
  exit 1
sqlite3 "$work/coredata.people" "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZFILLING) $rows
  SELECT i, 1, 1, 'person ' || i, hex(zeroblob(100)) FROM n;
  UPDATE Z_PRIMARYKEY SET Z_MAX = 8000;" || exit 1
sqlite3 "$work/plain.people" "INSERT INTO Person (id, name, filling) $rows
  SELECT i, 'person ' || i, hex(zeroblob(100)) FROM n;" || exit 1

# The same ones for a migration by a mapping model, and for an import that inserts and updates.
for kind in mapped import; do
  for layout in coredata plain; do cp "$work/$layout.people" "$work/$layout.$kind"; done
done
mkdir -p "$work/mapping/People.xcmappingmodel"
attribute() {
  echo "<object type=\"XDDEVATTRIBUTEMAPPING\" id=\"$1\"><attribute name=\"name\" type=\"string\">$2</attribute>
    <attribute name=\"sourcekeypath\" type=\"string\">$3</attribute></object>"
}
{
  echo '<?xml version="1.0" standalone="yes"?><database>'
  echo '<object type="XDDEVMAPPINGMODEL" id="z1"><relationship name="entitymappings" type="0/0"'
  echo 'destination="XDDEVENTITYMAPPING" idrefs="z2"></relationship></object>'
  echo '<object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename" type="string">Person</attribute>'
  echo '<attribute name="destinationname" type="string">Person</attribute><relationship'
  echo 'name="attributemappings" type="0/0" destination="X" idrefs="z3 z4"></relationship></object>'
  attribute z3 fullName name
  attribute z4 filling filling
  echo '</database>'
} > "$work/mapping/People.xcmappingmodel/xcmapping.xml"
{ echo name,filling; for ((i = 7001; i <= 12000; i++)); do echo "person $i,new $i"; done; } > "$work/people.csv"

digest() { sqlite3 "$1" .dump | sha256sum; }
# Sets the command that changes a store.
prepare() {
  case $1 in
    *.people) command=(migrate "$1" --model "$work/People.xcdatamodeld" --version "People 2" --yes) ;;
    *.mapped) command=(migrate "$1" --model "$work/People.xcdatamodeld" --version "People 2" --yes
      --mapping "$work/mapping/People.xcmappingmodel") ;;
    *.import) command=(import "$1" Person "$work/people.csv" --key name --yes) ;;
    *) command=(delete "$1" "$2" --where "$3" --yes) ;;
  esac
}
# The bytes of a store, its journals and its model in a folder of their own.
fresh() { rm -rf "$work/run"; mkdir "$work/run"; cp -r "$work/$1" "$work"/*.xcdatamodeld "$work/run/"; }

declare -A before after duration
stores=(DELETE.sqlite TRUNCATE.sqlite PERSIST.sqlite WAL.sqlite garden.store coredata.people
  plain.people coredata.mapped plain.mapped coredata.import plain.import)
[ $# -lt 3 ] || stores=("${@:3}")
arguments() {
  case $1 in
    *.people | *.mapped | *.import | garden.store) echo "Person TRUEPREDICATE" ;;
    *) echo "parent id>1000" ;;
  esac
}
table() {
  case $1 in
    garden.store | coredata.*) echo ZPERSON ;;
    plain.*) echo Person ;;
    *) echo parent ;;
  esac
}
for store in "${stores[@]}"; do
  read -r entity condition <<< "$(arguments "$store")"
  fresh "$store"
  before[$store]=$(digest "$work/run/$store")
  start=${EPOCHREALTIME/[.,]/}
  prepare "$work/run/$store" "$entity" "$condition"
  "$program" "${command[@]}" > "$work/output" 2>&1 || { cat "$work/output"; exit 1; }
  duration[$store]=$((${EPOCHREALTIME/[.,]/} - start))
  after[$store]=$(digest "$work/run/$store")
done

failures=0 unchanged=0 changed=0
for ((round = 1; round <= number; round++)); do
  store=${stores[$((round % ${#stores[@]}))]}
  read -r entity condition <<< "$(arguments "$store")"
  fresh "$store"
  prepare "$work/run/$store" "$entity" "$condition"
  "$program" "${command[@]}" > "$work/output" 2>&1 &
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
  [ "$(cat "$work/count")" = "$(sqlite3 "$work/run/$store" "SELECT count(*) FROM $(table "$store")")" ] ||
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
