public import Foundation
public import ObjectModel

/// What only the store that is open can do for the screen, handed in by who opened it.
public nonisolated struct StoreServices: Sendable {
  /// The row of a table that an object is made of.
  public struct Row: Hashable, Sendable {
    /// A column, and what stands in it.
    public struct Column: Hashable, Sendable {
      let name: String
      let value: Value
      let cutLength: Int?

      /// Describes a column.
      ///
      /// - Parameters:
      ///   - name: Its name.
      ///   - value: The stored value.
      ///   - cutLength: The whole length of a value that is cut; nil for one that is not.
      public init(name: String, value: Value, cutLength: Int? = nil) {
        self.name = name
        self.value = value
        self.cutLength = cutLength
      }
    }

    let table: String
    let columns: [Column]

    /// Describes a row.
    ///
    /// - Parameters:
    ///   - table: The table's name.
    ///   - columns: Its columns, in the table's order.
    public init(table: String, columns: [Column]) {
      self.table = table
      self.columns = columns
    }
  }

  /// Reads the row behind an object; nil when the object is gone.
  public var row: (@Sendable (ObjectID) throws -> Row?)?
  /// Describes the bytes of a transformable value, at least one line.
  public var description: (@Sendable (Data) -> [String])?
  /// What a person should know before a save, a sentence each: who else has the store open.
  public var warningsBeforeSaving: @Sendable () -> [String] = { [] }
  /// Whether the first save copies the store before.
  public var makesBackup = false
  /// Where the copy lies that the first save made; nil before.
  public var backupPath: @Sendable () -> String? = { nil }

  /// Makes services that do nothing, to be filled in.
  public init() {}
}
