# Run `make help` for a list of the targets.

PREFIX  ?= /usr/local
DESTDIR ?=
SWIFT   ?= swift
SHELL   := bash
.SHELLFLAGS := -o pipefail -c

# Reports imports of modules that a target does not declare as dependencies; SwiftPM alone allows
# them (see README, Decisions).
CHECKED := --explicit-target-dependency-import-check error
SOURCES := Package.swift Sources Tests
# A release has Swift's libraries inside where the toolchain has them to link: it starts faster, and
# runs where there is no Swift.
STATIC   = $(shell $(SWIFT) -print-target-info | \
  sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1_static/p' | \
  xargs -I {} sh -c 'test -e "{}/linux/libFoundation.a" && echo --static-swift-stdlib')
# What needs the headers of another library of the system, where they are: PostgreSQL's servers.
TRAITS  := $(shell test -e /usr/include/postgresql/libpq-fe.h && echo --traits PostgreSQL)
RELEASE  = build -c release $(STATIC) $(TRAITS) $(CHECKED)
OPTIMIZED_TEST = $(SWIFT) test --disable-xctest $(TRAITS) $(CHECKED) -c release \
  -Xswiftc -enable-testing --scratch-path .build-keys
BIN      = $(shell $(SWIFT) build -c release --show-bin-path)
DEBUG    = $(shell $(SWIFT) build --show-bin-path)
TRIPLE   = $(shell $(SWIFT) -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
# What `make docs` reads: the library products, and the module maps of the C modules.
LIBRARIES = $(shell sed -n 's/.*\.library.name: "\([A-Za-z]*\)".*/\1/p' Package.swift)
MAPS      = -Xcc -fmodule-map-file="$(DEBUG)/CSQLite.build/module.modulemap" \
  -Xcc -fmodule-map-file="$(DEBUG)/CSignals.build/module.modulemap" \
  -Xcc -fmodule-map-file="$(DEBUG)/CCurl.build/module.modulemap" \
  -I Sources/C/CNcurses -I Sources/C/CZlib -I .build/checkouts/GRDB.swift/Sources/GRDBSQLite

.DEFAULT_GOAL := help
.PHONY: help setup setup-postgresql run test macrocheck check lint format fixtures services pictures bench tsan crash \
  fuzz keys windows pages docs \
  install uninstall clean

help: ## Show this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install the system libraries that are missing (ncursesw, SQLite and zlib, with apt).
	@missing=""; \
	test -e /usr/include/ncursesw/curses.h -o -e /usr/include/curses.h || \
	  missing="libncursesw5-dev"; \
	test -e /usr/include/sqlite3.h || missing="$$missing libsqlite3-dev"; \
	test -e /usr/include/zlib.h || missing="$$missing zlib1g-dev"; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then \
	  echo "Cardfile needs the headers of ncursesw, SQLite 3 and zlib." >&2; \
	  echo "Install them with your package manager." >&2; exit 1; fi; \
	sudo=""; if [ "$$(id -u)" -ne 0 ]; then sudo="sudo"; fi; \
	echo "Installing with apt-get:" $$missing; \
	$$sudo apt-get update -qq && \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$missing

setup-postgresql: setup ## Install PostgreSQL's client library, and a server for the tests (with apt).
	@test -e /usr/include/postgresql/libpq-fe.h -a -n "$$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" || { \
	  sudo=""; if [ "$$(id -u)" -ne 0 ]; then sudo="sudo"; fi; \
	  $$sudo apt-get update -qq && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y \
	    --no-install-recommends libpq-dev postgresql; }

run: setup ## Build the program and open the demo store.
	@$(SWIFT) $(RELEASE) --product cardfile
	@"$(BIN)/cardfile" demo

test: setup ## Build and run all tests.
	$(SWIFT) build --build-tests --disable-xctest $(TRAITS) $(CHECKED)
	@Tests/Scripts/test.sh "$(DEBUG)"
	@cat .build/tests/*.log | grep -o 'skipped: "needs a PostgreSQL server[^"]*' | sort -u || true
	@skipped=$$(cat .build/tests/*.log | grep -c 'Test .* skipped: "needs the real stores'); \
	if [ "$$skipped" -ne 0 ]; then \
	  echo "Skipped $$skipped tests: they need the real stores of CARDFILE_SHARED" \
	    "(see CONTRIBUTING.md)."; fi

macrocheck: setup ## Test the macro @Managed, with swift-syntax.
	$(SWIFT) test --disable-xctest --package-path Tests/Objects/Macros --scratch-path .build-macros

check: setup lint docs test pages ## Check the style, build the documentation and run all tests.

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

format: ## Format the sources.
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

fixtures: ## Create the stores of Fixtures/ in .build/fixtures, for inspection.
	@command -v sqlite3 >/dev/null || { echo "make fixtures needs the sqlite3 program." >&2; exit 1; }
	@rm -rf .build/fixtures && mkdir -p .build/fixtures
	@for sql in Fixtures/CoreData/*.sql; do \
	  sqlite3 ".build/fixtures/$$(basename "$$sql" .sql).store" < "$$sql" || exit 1; done
	@cp -r Fixtures/CoreData/*.xcdatamodeld .build/fixtures/
	@ls .build/fixtures

services: ## Install the servers that the tests of services use in .build/services (Python's pip).
	@mkdir -p .build/services
	@for server in odatapy datasette datasette1; do \
	  test -d .build/services/$$server && continue; \
	  case $$server in datasette1) package="--pre datasette";; *) package=$$server;; esac; \
	  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore \
	    --target .build/services/.$$server $$package && \
	    mv .build/services/.$$server .build/services/$$server || exit 1; \
	done

pictures: setup ## Draw the pictures and write the tables of the README from the program.
	CARDFILE_RECORD=1 $(SWIFT) test --disable-xctest $(TRAITS) $(CHECKED) --filter 'PictureTests|Readme'

bench: setup ## Measure against raw SQLite; pass options as ARGS="--rows 100000 --json sections".
	$(SWIFT) $(RELEASE) --product cardfile-bench
	"$(BIN)/cardfile-bench" $(ARGS)

tsan: setup ## Run all tests with the thread sanitizer.
	@mkdir -p .build-tsan
	clang -fsanitize=thread -O1 -c Tests/ThreadSanitizer/mutex.c -o .build-tsan/mutex.o
	$(SWIFT) test --disable-xctest $(CHECKED) --sanitize=thread --scratch-path .build-tsan \
	  -Xlinker "$(CURDIR)/.build-tsan/mutex.o"

crash: setup ## Kill the program during saves and check the stores; ARGS=5000 for more kills.
	@command -v sqlite3 >/dev/null || { echo "make crash needs the sqlite3 program." >&2; exit 1; }
	$(SWIFT) $(RELEASE) --product cardfile
	Tests/Scripts/crash.sh "$(BIN)/cardfile" $(ARGS)
	Tests/Scripts/crash-server.sh "$(BIN)/cardfile" $(ARGS)

fuzz: setup ## Give the program damaged files for a minute; ARGS=3600 for an hour.
	@command -v sqlite3 >/dev/null || { echo "make fuzz needs the sqlite3 program." >&2; exit 1; }
	$(SWIFT) $(RELEASE) --product cardfile
	Tests/Scripts/fuzz.sh "$(BIN)/cardfile" $(ARGS)

keys: setup ## Press random keys in 10,000 sessions on random databases; ARGS=N for N sessions.
	CARDFILE_SESSIONS=$(or $(ARGS),10000) $(OPTIMIZED_TEST) --filter RandomSessionTests

windows: setup ## Compare 2,000 sessions of lists by windows with whole ones; ARGS=N for N sessions.
	CARDFILE_WINDOWS=$(or $(ARGS),2000) $(OPTIMIZED_TEST) --filter WindowedSessionTests

pages: setup ## Read 300 random tables, sound and damaged, by their pages; ARGS=N for N tables.
	@mkdir -p .build-pages
	clang -g -O1 -fuse-ld=lld -fsanitize=address,undefined -fno-sanitize-recover=all \
	  -Wall -Wextra -Werror -ISources/C/CSQLite/include Sources/C/CSQLite/*.c Tests/Scripts/pages.c \
	  -lsqlite3 -lpthread -o .build-pages/pages
	.build-pages/pages .build-pages $(or $(ARGS),300)
	.build-pages/pages .build-pages writer $(or $(ARGS),300)

docs: setup ## Build articles and API of all libraries into site/; an unresolved link is an error.
	$(SWIFT) build $(TRAITS) $(CHECKED)
	@rm -rf site .build/symbolgraphs && mkdir -p .build/symbolgraphs
	@for module in $(LIBRARIES); do \
	  swift-symbolgraph-extract -module-name $$module -target $(TRIPLE) \
	    -I "$(DEBUG)/Modules" $(MAPS) -minimum-access-level public -skip-synthesized-members \
	    -output-dir .build/symbolgraphs || exit 1; \
	done
	docc convert Sources/Cardfile.docc --warnings-as-errors \
	  --additional-symbol-graph-dir .build/symbolgraphs --output-path site \
	  --fallback-display-name Cardfile --fallback-bundle-identifier cardfile

install: setup ## Install program, manual page and completions in PREFIX (default /usr/local).
	$(SWIFT) $(RELEASE) --product cardfile
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" \
	  "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	install -m 755 -s "$(BIN)/cardfile" "$(DESTDIR)$(PREFIX)/bin/cardfile"
	"$(BIN)/cardfile" manual > "$(DESTDIR)$(PREFIX)/share/man/man1/cardfile.1"
	"$(BIN)/cardfile" --generate-completion-script bash > \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/cardfile"
	"$(BIN)/cardfile" --generate-completion-script zsh > \
	  "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_cardfile"
	"$(BIN)/cardfile" --generate-completion-script fish > \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/cardfile.fish"

uninstall: ## Remove the files that install copied to PREFIX.
	rm -f "$(DESTDIR)$(PREFIX)/bin/cardfile" "$(DESTDIR)$(PREFIX)/share/man/man1/cardfile.1" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/cardfile" \
	  "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_cardfile" \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/cardfile.fish"

clean: ## Remove all build products.
	rm -rf .build .build-keys .build-pages .build-tsan site
