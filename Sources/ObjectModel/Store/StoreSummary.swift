/// What is known of a store as a whole, for a person to see.
public struct StoreSummary: Hashable, Sendable {
  /// The name to show: the file's name, or "in memory".
  public var name: String
  /// The file; nil for a store in memory.
  public var path: String?
  /// The kind of store, as "SQLite database".
  public var kind: String
  /// The size of the file in bytes; nil when there is none.
  public var byteCount: Int?
  /// SQLite's journal mode, as "WAL"; nil when there is none.
  public var journalMode: String?
  /// Why nothing can be changed ("opened with --read-only"); nil when it can.
  public var readOnlyReason: String?
  /// Tables that stand in the store but are no entity's, with a word about each.
  public var otherTables: [OtherTable]
  /// The release of the system that wrote the store last, as "macOS 14, iOS 17"; nil when it is not known.
  public var generation: String?
  /// What a person should know of how the store was read, a sentence each: where the model came from, what is missing.
  public var notes: [String]

  /// A table that is no entity's.
  public struct OtherTable: Hashable, Sendable {
    /// The table's name.
    public var name: String
    /// What it is for, as "full-text index".
    public var purpose: String

    /// Names a table.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - purpose: What it is for.
    public init(name: String, purpose: String) {
      self.name = name
      self.purpose = purpose
    }
  }

  /// Describes a store.
  ///
  /// - Parameters:
  ///   - name: The name to show.
  ///   - path: The file.
  ///   - kind: The kind of store.
  ///   - byteCount: The size of the file in bytes.
  ///   - journalMode: SQLite's journal mode.
  ///   - readOnlyReason: Why nothing can be changed.
  ///   - otherTables: Tables that are no entity's.
  ///   - generation: The release of the system that wrote it.
  ///   - notes: What a person should know of how it was read.
  public init(
    name: String, path: String? = nil, kind: String, byteCount: Int? = nil,
    journalMode: String? = nil, readOnlyReason: String? = nil, otherTables: [OtherTable] = [],
    generation: String? = nil, notes: [String] = []
  ) {
    self.name = name
    self.path = path
    self.kind = kind
    self.byteCount = byteCount
    self.journalMode = journalMode
    self.readOnlyReason = readOnlyReason
    self.otherTables = otherTables
    self.generation = generation
    self.notes = notes
  }
}
