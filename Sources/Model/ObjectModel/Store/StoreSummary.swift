package import Foundation

/// Facts about a store, to be shown.
public struct StoreSummary: Hashable, Sendable {
  /// The name to show: the file's name, or "in memory".
  public var name: String
  /// The file; nil for a store in memory.
  public var path: String?
  /// The kind of store, such as "SQLite database".
  public var kind: String
  /// The size of the file in bytes; nil if there is none.
  package var byteCount: Int?
  /// SQLite's journal mode, such as "WAL"; nil if there is none.
  package var journalMode: String?
  /// Why the store is read-only, such as "opened with --read-only"; nil if it is not.
  public var readOnlyReason: String?
  /// Tables that belong to no entity, with their purpose.
  package var otherTables: [OtherTable] = []
  /// When the file was copied, if a copy is read instead of the file; nil if the file is read.
  package var copied: Date?
  /// The system release that last wrote the store, such as "macOS 14, iOS 17"; nil if it is not
  /// known.
  package var generation: String?
  /// Notes about how the store was read, one sentence each: where the model was found, what is
  /// missing.
  public var notes: [String]

  /// A table that belongs to no entity.
  package struct OtherTable: Hashable, Sendable {
    /// The table's name.
    package var name: String
    /// Its purpose, such as "full-text index", or why it cannot be read.
    package var purpose: String
    /// Whether it would be an entity if it could be read.
    package var isUnreadable: Bool

    /// Creates a description of a table.
    package init(name: String, purpose: String, isUnreadable: Bool = false) {
      self.name = name
      self.purpose = purpose
      self.isUnreadable = isUnreadable
    }
  }

  /// Creates a summary.
  public init(
    name: String, path: String? = nil, kind: String, readOnlyReason: String? = nil,
    notes: [String] = []
  ) {
    self.name = name
    self.path = path
    self.kind = kind
    self.readOnlyReason = readOnlyReason
    self.notes = notes
  }
}
