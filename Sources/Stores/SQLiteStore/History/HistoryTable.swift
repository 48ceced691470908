import ObjectModel
import SQLQueries

/// A table of persistent history, whose keys are counted in Z_PRIMARYKEY.
enum HistoryTable: Int64, CaseIterable {
  case change = 16001
  case transaction = 16002
  case string = 16003

  /// Its number in Z_PRIMARYKEY, and the Z_ENT of its rows.
  var entityNumber: Int64 { rawValue }

  /// Its name in Z_PRIMARYKEY.
  var entityName: String {
    switch self {
    case .change: "CHANGE"
    case .transaction: "TRANSACTION"
    case .string: "TRANSACTIONSTRING"
    }
  }

  /// The table's name.
  var name: String { "A" + entityName }

  /// The counter of its keys.
  var keys: KeyAllocator.Table {
    KeyAllocator.Table(number: entityNumber, entityName: entityName, name: name)
  }

  /// The statement that inserts a row.
  func insertion(_ columns: [ColumnValue]) -> SQL {
    "INSERT INTO \(name: name) (\(names: columns.map(\.name))) VALUES (\(columns.map(\.value)))"
  }
}
