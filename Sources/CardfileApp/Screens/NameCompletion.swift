import ObjectModel
import TerminalKit

/// The completions of the name before the cursor in a predicate.
struct NameCompletion: Hashable {
  private static let words = [
    "AND", "OR", "NOT", "BETWEEN", "IN", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES",
    "ANY", "ALL", "NONE", "TRUE", "FALSE", "NULL", "SELF",
  ]

  /// The number of characters before the cursor that the completion replaces.
  let typedCount: Int
  /// The completed name, or the common beginning of the candidates; nil if nothing can be added.
  let completion: String?
  /// The names that begin with the typed letters; empty if there is only one.
  let candidates: [String]

  /// Finds the completions.
  init(_ text: String, entity: EntityDescription, model: ManagedObjectModel) {
    let word = String(
      text.reversed().prefix { $0.isLetter || $0.isNumber || "_.".contains($0) }.reversed())
    let steps = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let typed = steps.last ?? ""
    typedCount = typed.count
    var owner: EntityDescription? = entity
    for step in steps.dropLast() {
      owner = owner?.relationship(named: step).flatMap {
        model.entity(named: $0.destinationEntityName)
      }
    }
    var names = owner.map { $0.attributes.map(\.name) + $0.relationships.map(\.name) } ?? []
    if steps.count == 1, !typed.isEmpty { names += Self.words }
    let wanted = TextFolding.folded(typed)
    let matching = names.filter { TextFolding.folded($0).hasPrefix(wanted) }
    guard let first = matching.first else {
      (completion, candidates) = (nil, [])
      return
    }
    guard matching.count > 1 else {
      completion = first == typed ? nil : first
      candidates = []
      return
    }
    let common = matching.dropFirst().reduce(first) { Self.commonPrefix($0, $1) }
    completion = common.count > typed.count ? common : nil
    candidates = matching
  }

  private static func commonPrefix(_ a: String, _ b: String) -> String {
    String(zip(a, b).prefix { $0 == $1 }.map(\.0))
  }
}
