import Foundation
import ObjectModel

/// The texts that an attribute has in the store, as far as they are found in a short time.
nonisolated struct AttributeTexts {
  /// How long objects are looked for, in seconds.
  private static let timeLimit = 0.3
  /// The most values to choose from.
  private static let mostChoices = 12
  /// The longest text to complete, in characters.
  private static let longest = 60

  let attribute: AttributeDescription
  let entity: EntityDescription
  let store: any PersistentStore

  /// The values to choose from as text, in order; empty if they are many, or each is rare.
  var choices: [String] {
    switch attribute.type {
    case .string, .undefined, .integer16, .integer32, .integer64: break
    default: return []
    }
    let isUnique = entity.uniquenessConstraints.contains([attribute.name])
    guard !isUnique, !entity.keyAttributes.contains(attribute.name) else { return [] }
    var counts: [Value: Int] = [:]
    for value in sample(limit: 500) {
      guard let value else { return [] }
      if !value.isNull { counts[value, default: 0] += 1 }
    }
    let total = counts.values.reduce(0, +)
    guard counts.count > 1, counts.count <= Self.mostChoices, total >= 2 * counts.count else {
      return []
    }
    return sorted(counts.keys.compactMap { ValueInput.text(of: $0) })
  }

  /// The different texts that begin with a prefix, without regard to case and accents, in order.
  func texts(beginningWith prefix: String) -> [String] {
    guard attribute.type == .string else { return [] }
    var predicate: ValidatedPredicate?
    if !prefix.isEmpty {
      let condition = PropertyKey(path: [attribute.name]).beginsWith(prefix, .cd)
      guard let valid = try? condition.validated(for: entity, in: store.model) else { return [] }
      predicate = valid
    }
    var texts: Set<String> = []
    for case .string(let text)? in sample(where: predicate, limit: 1000)
    where !text.isEmpty && text.count <= Self.longest && !text.contains(where: \.isNewline) {
      texts.insert(text)
    }
    return sorted(texts)
  }

  private func sorted(_ texts: some Sequence<String>) -> [String] {
    texts.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
  }

  /// The values in some objects, nil for those that are too long to be read whole; empty if reading
  /// fails or takes long.
  private func sample(where predicate: ValidatedPredicate? = nil, limit: Int) -> [Value?] {
    let plan = FetchPlan(entityName: entity.name, predicate: predicate, limit: limit)
    guard let index = entity.attributeIndex(attribute.name),
      let ids = try? store.fetch(plan, control: FetchControl(timeLimit: Self.timeLimit)).ids,
      let rows = try? store.snapshots(of: Array(ids))
    else { return [] }
    return rows.values.filter { $0.values.indices.contains(index) }.map { row in
      row.cutLengths[index] == nil ? attribute.decode(row.values[index]) : nil
    }
  }
}

extension Session {
  /// The texts of an attribute in the store that begin with a text, for completion.
  var knownTexts: (AttributeDescription, EntityDescription, String) -> [String] {
    { [store] in AttributeTexts(attribute: $0, entity: $1, store: store).texts(beginningWith: $2) }
  }
}
