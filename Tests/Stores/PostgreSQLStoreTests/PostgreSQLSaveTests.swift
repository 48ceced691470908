import Foundation
import ManagedObjects
import ObjectModel
import PostgreSQLStore
import TestSupport
import Testing

/// What is saved in a PostgreSQL server, beside what psql reads.
@Suite(.serialized, .enabled(if: TestServer.shared != nil, Comment(rawValue: TestServer.reason)))
struct PostgreSQLSaveTests {
  private static let tables = #"""
    CREATE TABLE author (id serial PRIMARY KEY, name text NOT NULL UNIQUE, age integer CHECK (age >= 0),
      born date, touched timestamptz DEFAULT now());
    CREATE TABLE book (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text,
      author_id integer REFERENCES author(id) ON DELETE CASCADE, next_id bigint REFERENCES book(id));
    CREATE TABLE tag (label text PRIMARY KEY);
    CREATE TABLE author_tag (author_id integer REFERENCES author(id) ON DELETE CASCADE,
      tag_label text REFERENCES tag(label),
      PRIMARY KEY (author_id, tag_label));
    INSERT INTO author (name, age, born) VALUES ('Ada', 36, '1815-12-10'), ('Bo', 20, NULL);
    INSERT INTO book (title, author_id) VALUES ('One', 1), ('Two', 1), ('Three', 2);
    INSERT INTO tag VALUES ('red'), ('green');
    INSERT INTO author_tag VALUES (1, 'red'), (2, 'red');
    """#

  private struct Scene {
    let address: String
    let store: PostgreSQLStore
    let context: ManagedObjectContext

    init(_ script: String = PostgreSQLSaveTests.tables) throws {
      address = try #require(TestServer.shared).makeDatabase(script)
      store = try PostgreSQLStore(address: address)
      context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    }

    func psql(_ script: String) throws -> String { try TestServer.psql(script, address) }

    func one(_ entityName: String, _ format: String) throws -> ManagedObject {
      let request = FetchRequest<ManagedObject>(
        entityName: entityName, predicate: try FetchPredicate(format: format))
      return try #require(try context.fetch(request).first)
    }
  }

  @Test func `a batch deletion is one statement where nothing refers to the objects`() throws {
    let scene = try Scene(
      """
      CREATE TABLE people (id int PRIMARY KEY, name text, age int);
      INSERT INTO people SELECT i, 'p' || i, nullif(i % 10, 0) FROM generate_series(1, 1000) i;
      CREATE TABLE places (country text, name text, PRIMARY KEY (country, name));
      INSERT INTO places VALUES ('CH', 'Bern'), ('CH', 'Basel'), ('AT', 'Wien');
      CREATE TABLE statements (entity text, rows int);
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO statements SELECT TG_TABLE_NAME, count(*) FROM gone; RETURN NULL; END $$;
      CREATE TRIGGER note AFTER DELETE ON people REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION note();
      CREATE TRIGGER note AFTER DELETE ON places REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION note();
      """)
    for (entity, condition, count) in [
      ("people", "age > 6 OR age == NULL", 400), ("places", "country == 'CH'", 2),
    ] {
      let request = FetchRequest<ManagedObject>(
        entityName: entity, predicate: try FetchPredicate(format: condition))
      let ids = try scene.context.fetch(request).map(\.objectID)
      let deleted = try scene.context.execute(BatchDeleteRequest(request)).deletedObjectIDs
      #expect(deleted.count == count && Set(deleted) == Set(ids))
    }
    #expect(
      try scene.psql("SELECT * FROM statements ORDER BY 1; SELECT count(*) FROM people")
        == "people|400\nplaces|2\n600")
  }

  @Test func `inserted, changed, linked and deleted objects`() throws {
    let scene = try Scene()
    let (context, ada) = (scene.context, try scene.one("author", "name == 'Ada'"))
    let new = try context.insert(entityName: "author")
    try new.setValue("Cy", forKey: "name")
    let first = try context.insert(entityName: "book")
    let second = try context.insert(entityName: "book")
    try first.setValue("Four", forKey: "title")
    try second.setValue("Five", forKey: "title")
    try first.setObject(new, forKey: "author")
    // The one that is referred to is inserted later.
    try first.setObject(second, forKey: "next")
    try ada.setValue(37, forKey: "age")
    try ada.remove(try scene.one("tag", "label == 'red'"), forKey: "tags")
    try ada.add(try scene.one("tag", "label == 'green'"), forKey: "tags")
    try context.save()
    #expect(!new.objectID.isTemporary && !first.objectID.isTemporary)
    #expect(
      try scene.psql(
        "SELECT name, age FROM author ORDER BY id; SELECT * FROM author_tag ORDER BY 1")
        == "Ada|37\nBo|20\nCy|\n1|green\n2|red")
    #expect(
      try scene.psql(
        "SELECT b.title, a.name, n.title FROM book b JOIN author a ON a.id = b.author_id"
          + " JOIN book n ON n.id = b.next_id") == "Four|Cy|Five")
    #expect(new["touched"] != .null)

    try context.delete(ada)
    try context.save()
    #expect(
      try scene.psql("SELECT title FROM book ORDER BY id; SELECT count(*) FROM author_tag")
        == "Three\nFive\nFour\n1")
  }

  @Test func `undo after a save brings rows back with their keys`() throws {
    let scene = try Scene()
    let (context, ada) = (scene.context, try scene.one("author", "name == 'Ada'"))
    let all =
      "SELECT * FROM author ORDER BY 1; SELECT * FROM book ORDER BY 1; SELECT * FROM author_tag ORDER BY 1, 2"
    let before = try scene.psql(all)
    try context.delete(ada)
    try context.save()
    #expect(try scene.psql("SELECT count(*) FROM author") == "1")
    _ = context.undoHistory.undo()
    try context.save()
    #expect(try scene.psql(all) == before)
  }

  @Test func `what somebody else has changed is a conflict`() throws {
    let scene = try Scene()
    let ada = try scene.one("author", "name == 'Ada'")
    try ada.setValue(40, forKey: "age")
    _ = try scene.psql("UPDATE author SET age = 50 WHERE name = 'Ada'")
    #expect(throws: (any Error).self) { try scene.context.save() }
    #expect(try scene.psql("SELECT age FROM author WHERE name = 'Ada'") == "50")
    // A book that was added since is not deleted with its author unseen.
    let bo = try scene.one("author", "name == 'Bo'")
    let plan = try scene.context.deletionPlan(for: [bo.objectID])
    _ = try scene.psql("INSERT INTO book (title, author_id) VALUES ('Six', 2)")
    #expect(throws: (any Error).self) { try scene.context.save(deleting: plan) }
    #expect(try scene.psql("SELECT count(*) FROM author") == "2")
  }

  @Test func `constraints refuse with the server's words, and the context keeps its changes`()
    throws
  {
    let scene = try Scene()
    let ada = try scene.one("author", "name == 'Ada'")
    try ada.setValue(-1, forKey: "age")
    do {
      try scene.context.save()
      Issue.record("a negative age was saved")
    } catch {
      #expect("\(error)".contains("author_age_check"))
    }
    #expect(ada["age"] == -1 && scene.context.hasChanges)
    try ada.setValue(1, forKey: "age")
    try scene.context.save()
    #expect(try scene.psql("SELECT age FROM author WHERE name = 'Ada'") == "1")
  }

  /// Two unique values exchanged: what a constraint refuses for now is tried again after the rest.
  @Test func `a unique value that another object gives up in the same save`() throws {
    let scene = try Scene()
    let (ada, bo) = (
      try scene.one("author", "name == 'Ada'"), try scene.one("author", "name == 'Bo'")
    )
    try ada.setValue("Bo", forKey: "name")
    try bo.setValue("Bob", forKey: "name")
    try scene.context.save()
    #expect(try scene.psql("SELECT name FROM author ORDER BY id") == "Bo\nBob")
  }

  @Test func `a rehearsal changes nothing, and shows the statements`() throws {
    let scene = try Scene()
    let ada = try scene.one("author", "name == 'Ada'")
    try ada.setValue("O'Ada", forKey: "name")
    let statements = try scene.context.rehearseSave(deleting: DeletionPlan()).statements
    #expect(statements == [#"UPDATE "public"."author" SET "name" = 'O''Ada' WHERE "id" = 1"#])
    #expect(try scene.psql("SELECT name FROM author WHERE id = 1") == "Ada")
  }

  /// `CARDFILE_UPDATES` sets how many.
  @Test func `two clients lose no update`() async throws {
    let scene = try Scene(
      "CREATE TABLE counter (id integer PRIMARY KEY, n bigint NOT NULL); INSERT INTO counter VALUES (1, 0)"
    )
    let count = ProcessInfo.processInfo.environment["CARDFILE_UPDATES"].flatMap(Int.init) ?? 200
    let address = scene.address
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          do {
            let store = try PostgreSQLStore(address: address)
            let id = ObjectID(
              storeIdentifier: store.identifier, entityName: "counter", key: .integer(1))
            var done = 0
            while done < count / 2 {
              guard let row = try store.rows(of: [id])[0], case .integer(let n) = row.values[1]
              else { return }
              do {
                _ = try store.save(
                  SaveRequest(updated: [
                    RowChange(id: id, version: row.version, values: ["n": .integer(n + 1)])
                  ]))
                done += 1
              } catch let error as StoreError where error.reason == .conflict {}
            }
          } catch { Issue.record(error) }
        }
      }
    }
    #expect(try scene.psql("SELECT n FROM counter") == "\(count / 2 * 2)")
  }

  /// `CARDFILE_KILLS` sets how many.
  @Test func `a connection that is cut saves all or nothing, and says which`() async throws {
    let scene = try Scene(
      "CREATE TABLE pair (id integer PRIMARY KEY, n integer NOT NULL); INSERT INTO pair VALUES (1, 0), (2, 0)"
    )
    let count = ProcessInfo.processInfo.environment["CARDFILE_KILLS"].flatMap(Int.init) ?? 20
    let ids = [1, 2].map {
      ObjectID(storeIdentifier: scene.store.identifier, entityName: "pair", key: .integer($0))
    }
    var random = SeededGenerator(seed: 7)
    var expected = 0
    var cut = 0
    for number in 1...count {
      let delay = UInt32.random(in: 0...8_000, using: &random)
      let address = scene.address
      let killer = Task.detached {
        usleep(delay)
        _ = try TestServer.psql(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cardfile' AND datname = current_database()",
          address)
      }
      do {
        let request = SaveRequest(
          updated: ids.map { RowChange(id: $0, values: ["n": .integer(Int64(number))]) })
        _ = try scene.store.save(request)
        expected = number
      } catch { cut += 1 }
      try await killer.value
      #expect(try scene.psql("SELECT min(n), max(n) FROM pair") == "\(expected)|\(expected)")
    }
    #expect(cut < count)
  }

  /// `CARDFILE_KILLS` sets how many.
  @Test func `a server that crashes during a save has saved all or nothing, and it is said which`()
    async throws
  {
    let server = try TestServer()
    let address = try server.makeDatabase(
      "CREATE TABLE pair (id integer PRIMARY KEY, n integer NOT NULL); INSERT INTO pair VALUES (1, 0), (2, 0)"
    )
    let store = try PostgreSQLStore(address: address)
    let ids = [1, 2].map {
      ObjectID(storeIdentifier: store.identifier, entityName: "pair", key: .integer($0))
    }
    let count = ProcessInfo.processInfo.environment["CARDFILE_KILLS"].flatMap(Int.init) ?? 5
    var random = SeededGenerator(seed: 11)
    var expected = 0
    for number in 1...count {
      let delay = UInt32.random(in: 0...6_000, using: &random)
      let crash = Task.detached {
        usleep(delay)
        server.crash()
        try server.restart()
      }
      do {
        _ = try store.save(
          SaveRequest(
            updated: ids.map { RowChange(id: $0, values: ["n": .integer(Int64(number))]) }))
        expected = number
      } catch {
        #expect(!error.remedy.contains("not known"), "\(error)")
      }
      try await crash.value
      #expect(
        try TestServer.psql("SELECT min(n), max(n) FROM pair", address) == "\(expected)|\(expected)"
      )
    }
  }

  @Test func `the statements that notify are printed, and work where somebody runs them`() throws {
    let scene = try Scene(
      Self.tables
        + #"CREATE VIEW old AS SELECT * FROM author; CREATE SCHEMA s; CREATE TABLE s."T x"(id int);"#
    )
    let statements = scene.store.notifyingStatements(for: scene.store.model.entities.map(\.name))
    #expect(!statements.contains("old"))
    #expect(try scene.psql("SELECT count(*) FROM pg_trigger WHERE tgname ~ 'cardfile'") == "0")
    _ = try scene.psql(statements)
    let told = try scene.psql(
      "LISTEN cardfile; UPDATE author SET age = 1; INSERT INTO s.\"T x\" VALUES (1); TRUNCATE book;"
    )
    for name in ["public.author", "s.T x", "public.book"] {
      #expect(told.contains("\"cardfile\" with payload \"\(name)\""), "\(told)")
    }
  }

  @Test func `what other sessions write is seen`() async throws {
    let scene = try Scene()
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let observation = scene.store.observeForeignChanges { continuation.yield() }
    defer { observation.cancel() }
    // The first look only learns the present state.
    try await Task.sleep(for: .seconds(1.5))
    _ = try scene.psql("UPDATE author SET age = 21 WHERE name = 'Bo'")
    var seen = false
    for await _ in stream {
      seen = true
      break
    }
    #expect(seen)
  }

  @Test func `a read that takes too long is stopped, and the connection is of use`() throws {
    let scene = try Scene(
      """
      CREATE TABLE thing (id integer PRIMARY KEY, name text);
      INSERT INTO thing SELECT i, 'n' || i FROM generate_series(1, 300000) i
      """)
    scene.store.limitReads(to: 0.01)
    let plan = FetchPlan(
      entityName: "thing", sortDescriptors: [.init("name", comparison: .localized)], limit: 10)
    #expect { try scene.store.fetch(plan, control: nil) } throws: {
      ($0 as? StoreError)?.reason == .cancelled
    }
    // Who can cancel it waits as long as he wants.
    #expect(try scene.store.fetch(plan, control: FetchControl()).ids.count == 10)
  }

  @Test func `a server that does not answer holds nobody up`() throws {
    let server = try TestServer(port: 5433)
    _ = try server.run(
      "CREATE TABLE thing (id integer PRIMARY KEY); INSERT INTO thing VALUES (1)", in: "postgres")
    let store = try PostgreSQLStore(address: server.address("postgres"))
    let plan = FetchPlan(entityName: "thing")
    #expect(try store.fetch(plan, control: nil).ids.count == 1)
    let pids = try server.run("SELECT pid FROM pg_stat_activity", in: "postgres").split(
      separator: "\n"
    ).compactMap { Int32($0) }
    for pid in [server.pid] + pids { kill(pid, SIGSTOP) }
    defer { for pid in [server.pid] + pids { kill(pid, SIGCONT) } }
    // A thread that draws.
    let drawing = FetchControl(waits: false)
    FetchControl.$current.withValue(drawing) {
      #expect { try store.fetch(plan, control: nil) } throws: {
        ($0 as? StoreError)?.reason == .locked
      }
    }
    #expect(drawing.hasMetLock)
  }
}
