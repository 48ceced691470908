import Foundation

extension Value {
  /// Compares two values in SQLite's sort order: -1, 0 or 1.
  ///
  /// Null comes first, then numbers by value (booleans as 0 and 1, dates as seconds since 1970),
  /// then text and URLs by their UTF-8 bytes, then data and UUIDs. The order is total: integers,
  /// doubles and decimals are compared exactly, NaN is the smallest number, and a date comes after
  /// a number that equals its seconds.
  ///
  /// - Parameters:
  ///   - a: One value.
  ///   - b: The other.
  /// - Returns: -1 when `a` comes first, 1 when `b` does, 0 when neither.
  public static func compare(_ a: Value, _ b: Value) -> Int {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): return a == b ? 0 : a < b ? -1 : 1
    case (.string(let a), .string(let b)): return a.compareBytes(with: b)
    default: break
    }
    let (left, right) = (a.rank, b.rank)
    if left != right { return left < right ? -1 : 1 }
    switch left {
    case .null: return 0
    case .number: return compareNumbers(a, b)
    case .text: return (a.text ?? "").compareBytes(with: b.text ?? "")
    case .bytes: return a.withBytes { a in b.withBytes { b in ByteOrder.compare(a, b) } }
    }
  }

  /// The storage classes that are ordered among each other, in SQLite's order.
  private enum Rank: Int, Comparable {
    case null, number, text, bytes

    static func < (lhs: Rank, rhs: Rank) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  private var rank: Rank {
    switch self {
    case .null: .null
    case .integer, .double, .decimal, .bool, .date: .number
    case .string, .url: .text
    case .data, .uuid: .bytes
    }
  }

  /// Whether it is a string or a URL, which costs less than its text.
  var isText: Bool { rank == .text }

  /// The text of a string or a URL; nil for any other kind.
  package var text: String? {
    switch self {
    case .string(let text): text
    case .url(let url): url.absoluteString
    default: nil
    }
  }

  /// The number of an integer, double, decimal or boolean; nil for any other kind.
  package var number: Number? {
    switch self {
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    case .bool(let value): .integer(value ? 1 : 0)
    default: nil
    }
  }

  private static func compareNumbers(_ a: Value, _ b: Value) -> Int {
    switch (a, b) {
    case (.date(let a), .date(let b)):
      let order = Number.compare(a.timeIntervalSince1970, b.timeIntervalSince1970)
      return order != 0
        ? order
        : Number.compare(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
    case (.date(let date), _):
      let order = Number.compare(date.timeIntervalSince1970, b.number?.approximation ?? .nan)
      return order == 0 ? 1 : order
    case (_, .date): return -compareNumbers(b, a)
    default:
      guard let a = a.number, let b = b.number else { return 0 }
      return Number.compare(a, b)
    }
  }

  private func withBytes(_ body: (UnsafeRawBufferPointer) -> Int) -> Int {
    switch self {
    case .data(let data): data.withUnsafeBytes(body)
    case .uuid(let id): withUnsafeBytes(of: id.uuid, body)
    default: body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }
}

extension Value: Hashable {
  /// Whether two values have the same kind and are equal.
  ///
  /// Text is compared by its UTF-8 bytes, as in SQLite, and NaN equals NaN.
  public static func == (lhs: Value, rhs: Value) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a == b || a.isNaN && b.isNaN
    case (.decimal(let a), .decimal(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.bool(let a), .bool(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.url(let a), .url(let b)): a.absoluteString.hasSameBytes(as: b.absoluteString)
    default: false
    }
  }

  /// Hashes the value consistently with `==`.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.isNaN ? .nan : value)
    case .decimal(let value): hasher.combine(value)
    case .string, .url:
      (text ?? "").withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .bool(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    }
  }
}
