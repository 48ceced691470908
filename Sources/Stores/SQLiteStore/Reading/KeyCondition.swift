import ObjectModel
import SQLQueries

/// A part of a table, by its integer key.
enum KeyCondition {
  case upTo(Int64)
  case above(Int64)
  case among([Int64])

  /// The condition; nil for a key of several columns.
  func sql(_ columns: [SQL]) -> SQL? {
    guard columns.count == 1, let key = columns.first else { return nil }
    return switch self {
    case .upTo(let last): "\(key) <= \(last)"
    case .above(let last): "\(key) > \(last)"
    case .among(let keys): "\(key) IN (\(keys.map(Value.integer)))"
    }
  }
}
