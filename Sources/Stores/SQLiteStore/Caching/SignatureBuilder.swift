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
  private static let format: Int64 = 1

  private var values = EncodedRows()
  private var isComplete = true

  init() { add(.integer(Self.format)) }

  /// The signature; nil if something could not be written.
  var signature: FetchSignature? {
    isComplete ? FetchSignature(bytes: Array(values.data)) : nil
  }

  /// Adds a value and its kind, which tells those that are not stored as they are from others.
  mutating func add(_ value: Value) {
    let (kind, stored): (Int64, Value) =
      switch value {
      case .null, .integer, .double, .string, .data: (0, value)
      case .bool(let flag): (1, .integer(flag ? 1 : 0))
      case .decimal(let number): (2, .string(number.description))
      case .date(let date): (3, .double(date.timeIntervalSinceReferenceDate))
      case .uuid(let uuid): (4, .string(uuid.uuidString))
      case .url(let url): (5, .string(url.absoluteString))
      }
    values.append(.integer(kind))
    values.append(stored)
  }

  /// Adds a statement with its values, and how its rows become IDs and sections.
  mutating func add(_ query: FetchQuery) {
    let plan = query.plan
    add(.string(plan.entityName))
    add(.bool(plan.includesSubentities))
    add(plan.sectionKey.map { .string("\($0)") } ?? .null)
    add(.bool(plan.isFromEnd))
    add(.integer(Int64(plan.sortDescriptors.count)))
    for descriptor in plan.sortDescriptors {
      add(.string(descriptor.keyPath))
      add(.string("\(descriptor.comparison) \(descriptor.ascending)"))
    }
    add(.string(query.sql.text))
    for binding in query.sql.bindings {
      switch binding {
      case .value(let value): add(value)
      case .program: isComplete = false
      }
    }
  }
}
