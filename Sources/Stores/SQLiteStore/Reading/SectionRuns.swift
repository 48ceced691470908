import Foundation
import GRDBSQLite
import ObjectModel
import SQLQueries

/// Divides ordered rows into sections; names are made only for the first row of a section.
struct SectionRuns {
  private let key: SectionKey
  private let attribute: AttributeDescription
  /// Whether sections differ by the folded text, for initials, and not by the stored value.
  private let isFolded: Bool
  /// Whether the order agrees with the sections, so that it is the data that repeats a name.
  let isAgreed: Bool
  private(set) var runs: [SectionRun] = []
  private var names = SectionNames()
  private var count = 0
  private var last = Mark.none

  /// What identifies the last row's section.
  private enum Mark {
    case none
    case bytes([UInt8])
    case initial(UInt8)
    case day(Int64)
    case other(Value)
  }

  init(key: SectionKey, column: ColumnOperand, isAgreed: Bool) {
    self.key = key
    self.isAgreed = isAgreed
    attribute = column.attribute
    isFolded = Self.isFolded(key, column)
  }

  private static func isFolded(_ key: SectionKey, _ column: ColumnOperand) -> Bool {
    key.transform == .initial && column.form == .stored
  }

  /// The column to select for a section key.
  ///
  /// Initials are taken from the text that ORDER BY folds, so that no text is folded twice.
  static func column(of key: SectionKey, _ column: ColumnOperand, order: FetchSortDescriptor?)
    -> SQL
  {
    isFolded(key, column)
      ? column.folded(order.flatMap(\.initialFolding) ?? .localized) : column.beginning
  }

  /// Adds the next row.
  ///
  /// - Throws: ``StoreError`` if the row belongs to an earlier section than the last one.
  mutating func add(_ row: borrowing Statement, column: Int32) throws(StoreError) {
    defer { count += 1 }
    let type = row.type(column)
    let mark: Mark?
    if let day = day(row, column, type) {
      if case .day(day) = last { mark = nil } else { mark = .day(day) }
    } else if type == SQLITE_TEXT {
      mark = row.withBytes(column) { [last, isFolded] in Self.mark($0, isFolded, after: last) }
    } else {
      let value = row.value(column)
      if case .other(value) = last { mark = nil } else { mark = .other(value) }
    }
    if let mark {
      last = mark
      try begin(name(row.value(column)))
    } else {
      runs[runs.count - 1].count += 1
    }
  }

  /// Adds the next rows, which have one value.
  ///
  /// - Parameters:
  ///   - value: The stored value.
  ///   - folded: The folded text of the value; nil if it is not folded.
  ///   - rowCount: The number of rows; at least one.
  /// - Throws: ``StoreError`` if the rows belong to an earlier section than the last one.
  mutating func add(_ value: Value, folded: UnsafeBufferPointer<UInt8>?, count rowCount: Int)
    throws(StoreError)
  {
    try begin(name(value, folded: folded))
    runs[runs.count - 1].count += rowCount - 1
    count += rowCount
  }

  /// The day of a date, as days since 1970, for sections of dates; nil for any other section
  /// key or value.
  private func day(_ row: borrowing Statement, _ column: Int32, _ type: Int32) -> Int64? {
    guard key.transform.isOfDate else { return nil }
    let seconds: Double?
    if attribute.encoding == .isoText, type == SQLITE_TEXT {
      seconds = row.withBytes(column) { ISODate.seconds(utf8: $0) }
    } else if case .date(let date) = attribute.decode(row.value(column)) {
      seconds = date.timeIntervalSince1970
    } else {
      seconds = nil
    }
    return seconds.flatMap { Int64(exactly: ($0 / 86_400).rounded(.down)) }
  }

  /// What identifies the section of a text; nil if it is the last row's section.
  private static func mark(
    _ bytes: UnsafeBufferPointer<UInt8>, _ isFolded: Bool, after last: Mark
  ) -> Mark? {
    if isFolded, let first = bytes.first, first < 0x80 {
      let first = first &- 97 < 26 ? first : UInt8(ascii: "#")
      if case .initial(first) = last { return nil }
      return .initial(first)
    }
    if case .bytes(let other) = last, other.count == bytes.count, other.elementsEqual(bytes) {
      return nil
    }
    return .bytes(Array(bytes))
  }

  /// The name of the section of a stored value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - folded: Its folded text, for initials; nil if it is not folded.
  /// - Returns: The name.
  func name(_ value: Value, folded: UnsafeBufferPointer<UInt8>?) -> String {
    guard isFolded, let folded else { return name(value) }
    return name(.string(String(storedText: folded)))
  }

  private func name(_ value: Value) -> String {
    let decoded = attribute.decode(value)
    if isFolded, case .string(let text) = value, !attribute.isForeign(decoded) {
      return text.withBytes { TextFolding.initial(ofFolded: $0) }
    }
    return key.name(of: decoded, attribute)
  }

  private mutating func begin(_ name: String) throws(StoreError) {
    guard let section = names.next(name) else {
      runs[runs.count - 1].count += 1
      return
    }
    guard isAgreed || !section.isRepeated else {
      throw StoreError(
        .unsupported, doing: "fetching", subject: key.keyPath,
        detail: "The fetched object at index \(count) has an out of order section name '\(name)'. "
          + "Objects must be sorted by section name.",
        remedy: "sort by \"\(key.keyPath)\" first")
    }
    runs.append(SectionRun(name: section.name, count: 1))
  }
}

extension FetchSortDescriptor {
  /// The options by which the order folds text, if initials can be taken from the result.
  fileprivate var initialFolding: TextFolding.Options? {
    folding.flatMap { $0.isSuperset(of: .localized) ? $0 : nil }
  }
}
