import Foundation
import ObjectModel
import SQLQueries

/// Writes what the results of a fetch depend on as bytes, so that two different things never have
/// the same bytes.
///
/// Entity, subentities, predicate with its arguments, order and limits are in the statement that
/// fetches them. A statement with a condition that only memory can evaluate has no signature.
struct SignatureBuilder {
  /// Changes whenever the results of an unchanged statement change: the rules for order, folding,
  /// dates or the names of sections.
  private static let format: UInt64 = 1

  private var bytes: [UInt8] = []
  private var isComplete = true

  init() { add(number: Self.format) }

  /// The signature; nil if something could not be written.
  var signature: FetchSignature? { isComplete ? FetchSignature(bytes: bytes) : nil }

  mutating func add(number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ text: String) { add(Array(text.utf8)) }

  mutating func add(_ data: [UInt8]) {
    add(number: UInt64(data.count))
    bytes.append(contentsOf: data)
  }

  /// Adds a statement with its values, and how its rows become IDs and sections.
  mutating func add(_ query: FetchQuery) {
    let plan = query.plan
    add(plan.entityName)
    add(number: plan.includesSubentities ? 1 : 0)
    add(plan.sectionKey.map { "\($0)" } ?? "")
    add(number: plan.sectionKey == nil ? 0 : 1)
    add(number: plan.isFromEnd ? 1 : 0)
    for descriptor in plan.sortDescriptors {
      add(descriptor.keyPath)
      add("\(descriptor.comparison) \(descriptor.ascending)")
    }
    add(query.sql.text)
    for binding in query.sql.bindings {
      switch binding {
      case .value(let value): add(value)
      case .program: isComplete = false
      }
    }
  }

  private mutating func add(_ value: Value) {
    switch value {
    case .null: add(number: 0)
    case .integer(let number): add(kind: 1, UInt64(bitPattern: number))
    case .double(let number): add(kind: 2, number.bitPattern)
    case .string(let text):
      add(number: 3)
      add(text)
    case .data(let data):
      add(number: 4)
      add(Array(data))
    case .bool(let flag): add(kind: 5, flag ? 1 : 0)
    case .decimal(let number):
      add(number: 6)
      add(number.description)
    case .date(let date): add(kind: 7, date.timeIntervalSinceReferenceDate.bitPattern)
    case .uuid(let uuid):
      add(number: 8)
      add(uuid.uuidString)
    case .url(let url):
      add(number: 9)
      add(url.absoluteString)
    }
  }

  private mutating func add(kind: UInt64, _ number: UInt64) {
    add(number: kind)
    add(number: number)
  }
}
