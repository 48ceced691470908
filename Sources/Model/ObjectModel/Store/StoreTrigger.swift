/// A trigger of a store that changes rows when a save writes.
public struct StoreTrigger: Hashable, Sendable {
  /// The trigger's name.
  package var name: String
  /// The tables whose rows it may change, sorted.
  package var tables: [String]

  /// Describes a trigger.
  ///
  /// - Parameters:
  ///   - name: The trigger's name.
  ///   - tables: The tables whose rows it may change.
  package init(name: String, tables: [String]) {
    self.name = name
    self.tables = tables
  }
}

/// The entities whose rows a save changes.
public struct StoreChanges: Hashable, Sendable {
  /// The entities whose objects are inserted.
  public var inserted: Set<String> = []
  /// The names of properties that are changed, by the entity whose objects are updated.
  public var updated: [String: Set<String>] = [:]
  /// The entities whose objects are deleted.
  public var deleted: Set<String> = []

  /// Creates an empty value.
  package init() {}
}

/// What triggers of a store did in a save, in addition to what it was asked to write.
public struct TriggerEffects: Hashable, Sendable {
  /// The number of rows that triggers inserted, by table.
  package var inserted: [String: Int] = [:]
  /// The number of updates by triggers, by table.
  package var updated: [String: Int] = [:]
  /// The number of rows that triggers deleted, by table.
  package var deleted: [String: Int] = [:]

  /// Creates effects of none.
  package init() {}

  /// A phrase for each kind of change and table: "3 log deleted".
  package var phrases: [String] {
    [(deleted, "deleted"), (inserted, "inserted"), (updated, "changed")].flatMap { counts, verb in
      counts.sorted { $0.key < $1.key }.map { "\(Value.grouped($0.value)) \($0.key) \(verb)" }
    }
  }
}
