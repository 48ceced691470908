import Foundation
import ObjectModel

/// The texts that an attribute has, to complete what is typed.
nonisolated enum KnownTexts {
  /// The number of objects that are looked at.
  private static let sampleCount = 1000
  /// The longest text to complete, in characters.
  private static let longest = 60

  /// The different texts in the first objects whose text begins with a prefix, without regard to
  /// case and accents, in order; empty where finding them takes long.
  static func texts(
    of attribute: AttributeDescription, in entity: EntityDescription, prefix: String,
    store: any PersistentStore
  ) -> [String] {
    guard attribute.type == .string else { return [] }
    var predicate: ValidatedPredicate?
    if !prefix.isEmpty {
      let condition = PropertyKey(path: [attribute.name]).beginsWith(prefix, .cd)
      guard let valid = try? condition.validated(for: entity, in: store.model) else { return [] }
      predicate = valid
    }
    var texts: Set<String> = []
    let sample = AttributeSample.values(
      of: attribute, in: entity, where: predicate, limit: sampleCount, store: store)
    for case .string(let text)? in sample
    where !text.isEmpty && text.count <= longest && !text.contains(where: \.isNewline) {
      texts.insert(text)
    }
    return texts.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
  }
}

extension Session {
  /// The texts of an attribute in the store, for completion: see ``KnownTexts``.
  var knownTexts: (AttributeDescription, EntityDescription, String) -> [String] {
    { [store] in KnownTexts.texts(of: $0, in: $1, prefix: $2, store: store) }
  }
}
