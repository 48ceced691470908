import GRDB
import ObjectModel

/// The entities of a store by their numbers: what stands in Z_PRIMARYKEY (core-data-stores 4.1).
///
/// Numbers are read, never computed: they shift when an entity is added.
struct EntityNumbers {
  /// An entity of the store.
  struct Entry: Hashable {
    let number: Int64
    /// Its name, with its case; it may be the name before a renaming.
    let name: String
    /// The number of the entity it inherits from; nil for a root.
    let superNumber: Int64?
  }

  /// The entities in the order of their numbers, without those of history.
  let entries: [Entry]
  private let places: [Int64: Int]
  /// How many entities stand below a root, itself among them, by its number.
  private var familySizes: [Int64: Int] = [:]

  init(_ entries: [Entry]) {
    self.entries = entries.sorted { $0.number < $1.number }
    places = Dictionary(
      zip(self.entries.map(\.number), self.entries.indices), uniquingKeysWith: { first, _ in first }
    )
    for entry in self.entries { familySizes[root(of: entry).number, default: 0] += 1 }
  }

  /// Reads the table; a row without a number or a name is none.
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

  /// The entity of a number; nil when there is none.
  func entry(_ number: Int64) -> Entry? { places[number].map { entries[$0] } }

  /// The entity at the top of another's hierarchy.
  func root(of entry: Entry) -> Entry {
    var current = entry
    // A hierarchy is at most as deep as there are entities: a circle, which only damage makes, ends too.
    for _ in entries {
      guard let next = current.superNumber.flatMap(self.entry) else { break }
      current = next
    }
    return current
  }

  /// Whether other entities stand in an entity's table.
  func sharesTable(_ entry: Entry) -> Bool { familySizes[root(of: entry).number, default: 1] > 1 }

  /// Finds the entities of a model: by name, else by the name that they had before a renaming.
  ///
  /// - Returns: The store's entities by the names that the model gives them.
  func entries(of model: ManagedObjectModel) -> [String: Entry] {
    var free = Dictionary(entries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
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

  /// How many entities are read at most; no store comes near.
  private static let mostEntities = 4_000
}
