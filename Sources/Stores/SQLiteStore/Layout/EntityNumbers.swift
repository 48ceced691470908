import GRDB
import ObjectModel

/// The entities of a store by number, as Z_PRIMARYKEY has them: core-data-stores 4.1.
///
/// Numbers are read, never computed: they shift if an entity is added.
struct EntityNumbers {
  /// An entity of the store.
  struct Entry: Hashable {
    let number: Int64
    /// Its name in original case, which may be the name before a renaming.
    let name: String
    /// The number of the superentity; nil for a root entity.
    let superNumber: Int64?
  }

  /// The entities by number, without those of persistent history.
  let entries: [Entry]
  private let indexes: [Int64: Int]
  /// How many entities share a table, by the number of the root entity.
  private var familySizes: [Int64: Int] = [:]

  init(_ entries: [Entry]) {
    self.entries = entries.sorted { $0.number < $1.number }
    indexes = Dictionary(firstOf: zip(self.entries.map(\.number), self.entries.indices))
    for entry in self.entries { familySizes[root(of: entry).number, default: 0] += 1 }
  }

  /// Reads Z_PRIMARYKEY, without rows that lack a number or a name.
  ///
  /// - Throws: `DatabaseError`.
  init(reading database: Database) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT p.Z_ENT, p.Z_NAME, p.Z_SUPER FROM main.Z_PRIMARYKEY AS p ORDER BY p.Z_ENT LIMIT ?
        """, arguments: [Self.mostEntities])
    var entries: [Entry] = []
    while let row = try rows.next() {
      guard let number = Int64.fromDatabaseValue(row[0]),
        let name = String.fromDatabaseValue(row[1]), !name.isEmpty,
        HistoryTable(rawValue: number) == nil
      else { continue }
      let above = Int64.fromDatabaseValue(row[2]) ?? 0
      entries.append(
        Entry(number: number, name: name, superNumber: above == 0 ? nil : above))
    }
    self.init(entries)
  }

  /// The entity with a number; nil if there is none.
  func entry(_ number: Int64) -> Entry? { indexes[number].map { entries[$0] } }

  /// The root entity of an entity.
  func root(of entry: Entry) -> Entry {
    var current = entry
    // At most as many steps as entities, so that a circle in a damaged store ends.
    for _ in entries {
      guard let next = current.superNumber.flatMap(self.entry) else { break }
      current = next
    }
    return current
  }

  /// Whether other entities share an entity's table.
  func sharesTable(_ entry: Entry) -> Bool { familySizes[root(of: entry).number, default: 1] > 1 }

  /// Matches the entities of a model: by name, then by renaming identifier.
  ///
  /// - Returns: The store's entities, by their names in the model.
  func entries(of model: ManagedObjectModel) -> [String: Entry] {
    var free = Dictionary(firstOf: entries.map { ($0.name, $0) })
    var found: [String: Entry] = [:]
    for entity in model.entities {
      found[entity.name] = free.removeValue(forKey: entity.name)
    }
    for entity in model.entities where found[entity.name] == nil {
      guard let oldName = entity.details.renamingIdentifier else { continue }
      found[entity.name] = free.removeValue(forKey: oldName)
    }
    return found
  }

  /// How many rows are read at most, many times more than any store has.
  private static let mostEntities = 4_000
}
