package import ObjectModel

/// What is remembered of a store between runs; it never holds objects of the store.
package nonisolated struct StoreState: Hashable, Sendable, Codable {
  /// The most texts that a history keeps.
  package static let historyLimit = 100

  /// The choices for each entity's list, by the entity's name.
  package var entities: [String: EntityPreferences]
  /// The texts of former filters by the entity's name, oldest first.
  package var filterHistory: [String: [String]]
  /// The texts of former command lines, oldest first.
  package var commandHistory: [String]
  /// The name of the entity that was visited last; nil for none.
  package var lastEntity: String?

  /// What the person said that columns are, by `entity.column`: the words of ``ColumnKind``; nil for
  /// nothing.
  package var columnKinds: [String: String]?

  /// Creates the state of a store that was never opened before.
  package init() {
    entities = [:]
    filterHistory = [:]
    commandHistory = []
  }

  /// What the person said that columns are, as far as this version knows the words.
  package var kinds: [String: ColumnKind] {
    (columnKinds ?? [:]).compactMapValues(ColumnKind.init(rawValue:))
  }

  /// Adds a text to a history: an equal one moves to the end, and the oldest ones are dropped.
  static func add(_ text: String, to history: inout [String]) {
    guard !text.isEmpty else { return }
    history.removeAll { $0 == text }
    history.append(text)
    history.removeFirst(max(history.count - historyLimit, 0))
  }
}

/// Keeps the state of a store between runs: the program in a file, tests in memory.
///
/// Neither call throws: what cannot be kept must never stop the program.
package protocol StateKeeping: AnyObject {
  /// The state as it was kept; an empty one if there is none or it cannot be read.
  func load() -> StoreState
  /// Reads the state anew, changes it and keeps it; the new one replaces the old one at once.
  func update(_ change: (inout StoreState) -> Void)
  /// What went wrong since the last call, as one sentence with a remedy; nil for nothing.
  func takeProblem() -> String?
}
