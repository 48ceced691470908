import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import Testing

/// Another program's changes of long values after the beginning that rows hold in memory.
struct LongValueConflictTests {
  private static let lengths = [65_537, 65_544, 200_000]
  private static let columns = ["photo", "note", "anything"]

  /// A person with long values, whose rows have been read.
  private struct Case {
    private let database: TemporaryDatabase
    let context: ManagedObjectContext
    let ann: ManagedObject
    private let length: Int

    init(_ length: Int) throws {
      self.length = length
      let text = "replace(hex(zeroblob(\(length))), '00', 'a')"
      database = try TemporaryDatabase(
        """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, photo BLOB, note TEXT, anything);
        INSERT INTO person VALUES
          (1, 'Ann', CAST(\(text) AS BLOB), \(text), CAST(\(text) AS BLOB));
        """)
      context = ManagedObjectContext(
        coordinator: PersistentStoreCoordinator(store: try database.open()))
      ann = try context.named("Ann", "person")
    }

    /// Changes the last byte of a value, as another program.
    func changeEnd(of column: String) throws {
      let isText = column == "note"
      try database.run(
        """
        UPDATE person SET \(column) =
          CAST(substr(\(column), 1, \(length - 1)) || 'z' AS \(isText ? "TEXT" : "BLOB"))
        """)
    }

    func value(_ column: String, endingIn end: String) -> Value {
      let text = String(repeating: "a", count: length - 1) + end
      return column == "note" ? .string(text) : .data(Data(text.utf8))
    }
  }

  @Test(arguments: columns, lengths)
  func `deleting an object whose long value has changed at its end is a conflict`(
    column: String, length: Int
  ) throws {
    let test = try Case(length)
    let plan = try test.context.deletionPlan(for: [test.ann.objectID])
    try test.changeEnd(of: column)
    #expect(throws: ManagedObjectError.self) { try test.context.save(deleting: plan) }
  }

  @Test(arguments: columns, lengths)
  func `changing a long value that has changed at its end is a conflict`(
    column: String, length: Int
  ) throws {
    let test = try Case(length)
    test.ann[column] = test.value(column, endingIn: "y")
    try test.changeEnd(of: column)
    #expect(throws: ManagedObjectError.self) { try test.context.save() }
    #expect(test.context.conflicts[test.ann.objectID]?.theirKeys == [column])
    try test.context.resolveConflicts(.takeTheirs, of: [test.ann.objectID])
    #expect(test.ann[column] == test.value(column, endingIn: "z"))
  }

  @Test(arguments: columns, lengths)
  func `a change of another property is merged with it`(column: String, length: Int) throws {
    let test = try Case(length)
    test.ann["name"] = "Bea"
    try test.changeEnd(of: column)
    try test.context.save()
    #expect(test.ann[column] == test.value(column, endingIn: "z") && test.ann["name"] == "Bea")
  }

  @Test(arguments: columns, lengths)
  func `a refresh names the long value that has changed`(column: String, length: Int) throws {
    let test = try Case(length)
    #expect(test.ann.isAccessible)
    #expect(try test.context.refreshFromStore() == nil)
    try test.changeEnd(of: column)
    let change = try test.context.refreshFromStore()
    #expect(change?.changedKeys[test.ann.objectID] == [column])
  }

  @Test(arguments: columns, lengths)
  func `the same change on both sides is a conflict`(column: String, length: Int) throws {
    let test = try Case(length)
    test.ann[column] = test.value(column, endingIn: "z")
    try test.changeEnd(of: column)
    #expect(throws: ManagedObjectError.self) { try test.context.save() }
    try test.context.resolveConflict(of: test.ann.objectID, keeping: [])
    #expect(test.ann[column] == test.value(column, endingIn: "z") && !test.context.hasChanges)
  }
}
