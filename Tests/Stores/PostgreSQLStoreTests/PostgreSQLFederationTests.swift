import Foundation
import ManagedObjects
import ObjectModel
import PostgreSQLStore
import TestSupport
import Testing

/// A table whose parts lie on three servers.
@Suite(.serialized, .enabled(if: TestServer.shared != nil, Comment(rawValue: TestServer.reason)))
struct PostgreSQLFederationTests {
  /// The servers, and a table `reading` of the first one with a part on each.
  private struct Scene {
    let others: [TestServer]
    let address: String
    let partAddresses: [String]
    let store: PostgreSQLStore
    let context: ManagedObjectContext

    init(keys: [String: [String]] = ["reading": ["id"]], comment: String = "") throws {
      others = [try TestServer(), try TestServer()]
      let columns = "id bigint NOT NULL, region text NOT NULL, value float8, note text"
      partAddresses = try others.enumerated().map { number, server in
        try server.makeDatabase(
          """
          CREATE TABLE part (\(columns), PRIMARY KEY (id));
          INSERT INTO part SELECT i * 3 + \(number + 1), 'r\(number + 1)', i / 2.0, 'n' || i
          FROM generate_series(0, 99) i
          """)
      }
      var script = """
        CREATE EXTENSION postgres_fdw;
        CREATE TABLE reading (\(columns)) PARTITION BY LIST (region);
        CREATE TABLE reading_0 PARTITION OF reading FOR VALUES IN ('r0');
        INSERT INTO reading SELECT i * 3, 'r0', i / 2.0, 'n' || i FROM generate_series(0, 99) i;
        """
      for (number, server) in others.enumerated() {
        let name = partAddresses[number].dropFirst("postgresql:///".count).prefix { $0 != "?" }
        script += """
          CREATE SERVER site\(number + 1) FOREIGN DATA WRAPPER postgres_fdw
            OPTIONS (host '\(server.path)', port '5432', dbname '\(name)');
          CREATE USER MAPPING FOR tester SERVER site\(number + 1) OPTIONS (user 'tester');
          CREATE FOREIGN TABLE reading_\(number + 1) PARTITION OF reading FOR VALUES IN ('r\(number + 1)')
            SERVER site\(number + 1) OPTIONS (table_name 'part');
          """
      }
      if !comment.isEmpty { script += "COMMENT ON TABLE reading IS '\(comment)';" }
      address = try #require(TestServer.shared).makeDatabase(script)
      store = try PostgreSQLStore(address: address, keys: keys)
      context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    }

    func fetch(_ format: String) throws -> [ManagedObject] {
      try context.fetch(
        FetchRequest<ManagedObject>(
          entityName: "reading", predicate: FetchPredicate(format: format),
          sortDescriptors: [FetchSortDescriptor("id")]))
    }

    /// The number of rows of each part.
    func counts() throws -> [String] {
      [try TestServer.psql("SELECT count(*) FROM reading_0", address)]
        + (try partAddresses.map { try TestServer.psql("SELECT count(*) FROM part", $0) })
    }
  }

  @Test func `a table without a key is only read, until somebody names it`() throws {
    let scene = try Scene(keys: [:])
    let reason = scene.store.model.entity(named: "reading")?.readOnlyReason ?? ""
    #expect(reason.contains("--table-key"), "\(reason)")
    #expect(try scene.fetch("id < 30").count == 30)
    let named = try PostgreSQLStore(address: scene.address, keys: ["reading": ["id"]])
    #expect(named.model.entity(named: "reading")?.readOnlyReason == nil)
    _ = try TestServer.psql(
      "COMMENT ON TABLE reading IS 'All sites. @primaryKey region, id'", scene.address)
    let commented = try PostgreSQLStore(address: scene.address)
    #expect(commented.model.entity(named: "reading")?.keyAttributes == ["region", "id"])
    for (keys, word) in [("readings", "readings"), ("reading", "reading.day")] {
      let error = #expect(throws: StoreError.self) {
        _ = try PostgreSQLStore(address: scene.address, keys: [keys: ["day"]])
      }
      #expect(error?.subject == word)
    }
  }

  @Test func `rows of three servers are browsed, changed and deleted in one save`() throws {
    let scene = try Scene()
    let all = try scene.fetch("value < 5")
    #expect(all.map { $0["id"] } == (0..<30).map { .integer($0) })
    #expect(Set(all.map { $0.string("region") }) == ["r0", "r1", "r2"])
    for object in all[..<3] { try scene.context.delete(object) }
    for object in all[3..<6] { try object.setValue("changed", forKey: "note") }
    let new = try scene.context.insert(entityName: "reading")
    try new.setValue(1_000, forKey: "id")
    try new.setValue("r2", forKey: "region")
    try scene.context.save()
    #expect(try scene.counts() == ["99", "99", "100"])
    for (number, address) in scene.partAddresses.enumerated() {
      #expect(
        try TestServer.psql("SELECT id FROM part WHERE note = 'changed'", address)
          == "\(number + 4)")
    }
    // A row that somebody has changed at its own server since is not overwritten.
    try all[4].setValue("mine", forKey: "note")
    _ = try TestServer.psql("UPDATE part SET note = 'theirs' WHERE id = 4", scene.partAddresses[0])
    #expect(throws: (any Error).self) { try scene.context.save() }
    #expect(
      try TestServer.psql("SELECT note FROM part WHERE id = 4", scene.partAddresses[0]) == "theirs")
  }

  @Test func `a key that several rows have deletes none of them`() throws {
    let scene = try Scene(keys: ["reading": ["region"]])
    let object = try #require(try scene.fetch("region == 'r1'").first)
    try scene.context.delete(object)
    let error = #expect(throws: (any Error).self) { try scene.context.save() }
    #expect("\(String(describing: error))".contains("--table-key"))
    #expect(try scene.counts() == ["100", "100", "100"])
  }

  @Test func `a server that is gone is named, before, while and after it is read`() throws {
    let scene = try Scene()
    let all = try scene.fetch("value < 5")
    scene.others[0].crash()
    let reading = #expect(throws: (any Error).self) { try scene.fetch("value < 7") }
    #expect("\(String(describing: reading))".contains("site1"), "\(String(describing: reading))")
    // What lies on the others is still at hand.
    #expect(try scene.fetch("region == 'r2'").count == 100)
    for object in all[..<3] { try scene.context.delete(object) }
    let saving = #expect(throws: (any Error).self) { try scene.context.save() }
    #expect("\(String(describing: saving))".contains("site1"), "\(String(describing: saving))")
    #expect(scene.context.hasChanges)
    try scene.others[0].restart()
    #expect(try scene.counts() == ["100", "100", "100"])
    try scene.context.save()
    #expect(try scene.counts() == ["99", "99", "99"])
  }

  /// The wrapper commits at the other servers one after the other, before its own.
  /// A constraint, and a conflict of transactions, are reasons to save once more, but not where others have
  /// saved their part.
  @Test(arguments: ["P0001", "23514", "40001"])
  func `a server that refuses to commit is named, with what others have saved`(state: String)
    throws
  {
    let scene = try Scene()
    var halves = 0
    // One of the two servers commits after the other, which has kept its part then.
    for refusing in 0..<2 where halves == 0 {
      _ = try TestServer.psql(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'not today' USING ERRCODE = '\(state)'; END $$;
        CREATE CONSTRAINT TRIGGER refuse AFTER DELETE ON part DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION refuse();
        """, scene.partAddresses[refusing])
      for object in try scene.fetch("value < 1") { try scene.context.delete(object) }
      let error = #expect(throws: (any Error).self) { try scene.context.save() }
      let text = String(describing: error)
      let counts = try scene.counts()
      #expect(text.contains("not today"), "\(text)")
      #expect(counts[0] == "100" && counts[refusing + 1] == "100")
      let isHalf = counts.contains("98")
      if isHalf { halves += 1 }
      #expect(text.contains("objects 2 are saved nevertheless") == isHalf, "\(text) \(counts)")
      #expect(scene.context.hasChanges)
      scene.context.rollback()
      _ = try TestServer.psql("DROP TRIGGER refuse ON part", scene.partAddresses[refusing])
    }
    #expect(halves == 1)
  }
}
