import ObjectModel
import Testing

@testable import FetchedResults

/// A list request, and the key paths whose changes its rows show.
struct Scenario: Sendable, CustomTestStringConvertible {
  var order: [FetchSortDescriptor]
  var predicate: FetchPredicate?
  var sections: SectionKey?
  var limit = 0
  /// Key paths whose changes must be reported as updates.
  var shown = ["name", "age", "note"]

  var testDescription: String {
    let keys = order.map { "\($0.keyPath)\($0.ascending ? "" : " desc")" }
    return
      "\(keys) \(predicate.map { "\($0.node)" } ?? "") \(sections.map { "\($0)" } ?? "") \(limit)"
  }

  static let all: [Scenario] = [
    Scenario(order: [FetchSortDescriptor("name")]),
    Scenario(order: [FetchSortDescriptor("name", ascending: false, comparison: .localized)]),
    Scenario(
      order: [FetchSortDescriptor("name", comparison: .localized)],
      sections: SectionKey("name", .initial)),
    Scenario(
      order: [FetchSortDescriptor("age", ascending: false), FetchSortDescriptor("name")],
      predicate: .key("age", .greater, 2), sections: SectionKey("age")),
    Scenario(
      order: [FetchSortDescriptor("city.name"), FetchSortDescriptor("age")],
      sections: SectionKey("city.name"), shown: ["name", "age", "city.name"]),
    Scenario(
      order: [FetchSortDescriptor("name", comparison: .caseInsensitive)],
      predicate: .key("city.size", .greater, 2), shown: ["name", "age"]),
    Scenario(
      order: [FetchSortDescriptor("age"), FetchSortDescriptor("name")],
      sections: SectionKey("age"), limit: 7),
    Scenario(order: [FetchSortDescriptor("age")], predicate: .key("age", .equal, 3)),
  ]
}
