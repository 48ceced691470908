import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// Groups by relationships of databases that other programs have made.
struct RelationshipGroupingTests {
  /// Tickets for seats, whose key has two columns, and of people, whose rowid is stored as text.
  private static let database = """
    CREATE TABLE seat (
      row TEXT, number NUMERIC, name TEXT, PRIMARY KEY (row, number)) WITHOUT ROWID;
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE ticket (
      id INTEGER PRIMARY KEY, row TEXT COLLATE NOCASE, number, price INTEGER, person_id TEXT,
      FOREIGN KEY (row, number) REFERENCES seat (row, number),
      FOREIGN KEY (person_id) REFERENCES person (id));
    INSERT INTO seat VALUES ('a', 1, 'a1'), ('A', 1, 'A1'), ('a', 2, 'a2');
    INSERT INTO person VALUES (1, 'Ada'), (2, 'Bob');
    INSERT INTO ticket VALUES
      (1, 'a', 1, 10, '1'), (2, 'A', 1, 20, '2'), (3, 'a', 2, 30, '1'), (4, 'a', 1, 40, '2'),
      (5, NULL, 1, 50, NULL), (6, 'a', NULL, 60, 'x'), (7, 'a', 1.0, 70, '1'), (8, 'b', 9, 80, '7');
    """

  private func names(_ kind: String, _ context: ManagedObjectContext) throws -> [String: Int64] {
    let tickets = FetchRequest<ManagedObject>(entityName: "ticket")
    let groups = try context.fetchDictionaries(
      tickets, expressions: [.sum("price", name: "prices")], propertiesToGroupBy: [kind])
    // The same, from values that are fetched one by one.
    var expected: [Value: Int64] = [:]
    for row in try context.fetchDictionaries(tickets, propertiesToFetch: [kind, "price"]) {
      guard case .integer(let price)? = row["price"], let id = row[kind] else { continue }
      expected[id, default: 0] += price
    }
    #expect(groups.count == expected.count)
    var names: [String: Int64] = [:]
    for group in groups {
      guard case .integer(let sum)? = group["prices"], let value = group[kind] else { continue }
      #expect(expected[value] == sum)
      guard case .string(let uri) = value else {
        names["-"] = sum
        continue
      }
      let object = context.object(with: try #require(ObjectID(uriRepresentation: uri)))
      names[object["name"].isNull ? "?" : object.string("name"), default: 0] += sum
    }
    return names
  }

  @Test func `objects are grouped by an object whose key has several columns`() throws {
    let database = try TemporaryDatabase(Self.database)
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try database.open()))
    let seats = try names("seat", context)
    #expect(seats["A1"] == 20 && seats["a2"] == 30 && seats["-"] == 110)
    #expect(seats.values.reduce(0, +) == 360)
  }

  @Test func `objects are grouped by an object whose key is stored in several ways`() throws {
    let database = try TemporaryDatabase(Self.database)
    try database.run("INSERT INTO ticket VALUES (9, NULL, NULL, 90, '01')")
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: try database.open()))
    #expect(
      try names("person", context) == ["Ada": 10 + 30 + 70 + 90, "Bob": 60, "?": 80, "-": 110])
  }
}
