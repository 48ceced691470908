public import Foundation
public import ObjectModel

/// Features that only some kinds of stores have, set by the code that opened the store.
public nonisolated struct StoreServices: Sendable {
  /// The table row behind an object.
  public struct Row: Hashable, Sendable {
    /// A column and its value.
    public struct Column: Hashable, Sendable {
      let name: String
      let value: Value
      let cutLength: Int?

      /// Describes a column.
      public init(name: String, value: Value, cutLength: Int? = nil) {
        self.name = name
        self.value = value
        self.cutLength = cutLength
      }
    }

    let table: String
    let columns: [Column]

    /// Describes a row.
    public init(table: String, columns: [Column]) {
      self.table = table
      self.columns = columns
    }
  }

  /// Reads the row behind an object; it returns nil if the row was deleted.
  public var row: (@Sendable (ObjectID) throws -> Row?)?
  /// Describes the bytes of a transformable value in one or more lines.
  public var description: (@Sendable (Data) -> [String])?
  /// Warnings to show before a save, one sentence each: which other programs have the store open.
  public var warningsBeforeSaving: @Sendable () -> [String] = { [] }
  /// Whether the store is backed up before the first save.
  public var makesBackup = false
  /// The path of the backup; nil before the first save.
  public var backupPath: @Sendable () -> String? = { nil }

  /// Makes services without any feature, to be set one by one.
  public init() {}
}
