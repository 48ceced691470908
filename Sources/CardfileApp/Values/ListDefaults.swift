import Foundation
import ObjectModel

/// The default order and sections of an entity's list.
nonisolated enum ListDefaults {
  /// The number of objects in a sample of an attribute's values.
  private static let sampleCount = 200
  /// The most distinct values for which each value is a section.
  private static let fewValues = 12

  /// The order of an entity: by its display attribute; empty if it has no attribute.
  static func sortDescriptors(for entity: EntityDescription) -> [FetchSortDescriptor] {
    guard let name = entity.displayAttributeName, let attribute = entity.attribute(named: name)
    else { return [] }
    return [descriptor(for: attribute, keyPath: KeyPathText.text([name]))]
  }

  /// The default sort descriptor of an attribute: localized for text, else binary.
  static func descriptor(
    for attribute: AttributeDescription, keyPath: String, ascending: Bool = true
  ) -> FetchSortDescriptor {
    FetchSortDescriptor(
      keyPath, ascending: ascending,
      comparison: attribute.type == .string ? .localized : .binary)
  }

  /// The section key for an order; nil for no sections.
  ///
  /// It is chosen from a sample of values: text by initial, or by value where there are few values;
  /// dates by month, or by year where they span many years.
  static func sectionKey(
    for sort: [FetchSortDescriptor], entity: EntityDescription, store: any PersistentStore
  ) -> SectionKey? {
    guard let first = sort.first,
      let (attribute, owner) = attribute(at: first.keyPath, from: entity, in: store.model)
    else { return nil }
    let keyPath = first.keyPath
    switch attribute.type {
    case .boolean: return SectionKey(keyPath)
    case .binaryData, .transformable, .uuid: return nil
    case .date:
      let dates = sample(attribute.name, of: owner, in: store).compactMap {
        if case .date(let date) = $0 { date } else { nil }
      }
      guard let low = dates.min(), let high = dates.max() else { return nil }
      let years = high.timeIntervalSince(low) / (365 * 86400)
      return SectionKey(keyPath, years > 6 ? .year : .month)
    case .string, .undefined, .uri:
      let values = sample(attribute.name, of: owner, in: store)
      let isText = values.contains { if case .string = $0 { true } else { false } }
      guard attribute.type != .undefined || isText else { return nil }
      return SectionKey(keyPath, hasFewValues(values) ? .value : .initial)
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      // A key's values are unique.
      guard !owner.keyAttributes.contains(attribute.name) else { return nil }
      return hasFewValues(sample(attribute.name, of: owner, in: store)) ? SectionKey(keyPath) : nil
    }
  }

  /// The attribute at the end of a key path through to-one relationships, and its entity.
  static func attribute(
    at keyPath: String, from entity: EntityDescription, in model: ManagedObjectModel
  ) -> (attribute: AttributeDescription, owner: EntityDescription)? {
    var owner = entity
    let steps = KeyPathText.components(of: keyPath) ?? []
    for step in steps.dropLast() {
      guard let relationship = owner.relationship(named: step), !relationship.isToMany,
        let next = model.entity(named: relationship.destinationEntityName)
      else { return nil }
      owner = next
    }
    return steps.last.flatMap { owner.attribute(named: $0) }.map { ($0, owner) }
  }

  private static func hasFewValues(_ values: [Value]) -> Bool {
    let kinds = Set(values).count
    return values.count >= 8 * max(kinds, 1) && kinds <= fewValues
  }

  /// Decoded values other than NULL of the first objects; empty if they cannot be read.
  private static func sample(
    _ name: String, of entity: EntityDescription, in store: any PersistentStore
  ) -> [Value] {
    let plan = FetchPlan(entityName: entity.name, limit: sampleCount)
    guard let place = entity.attributeIndex(name),
      let ids = try? store.fetch(plan, control: FetchControl(timeLimit: 1)).ids,
      let rows = try? store.snapshots(of: Array(ids))
    else { return [] }
    let attribute = entity.attributes[place]
    return rows.values.compactMap {
      // Objects of sub-entities have the inherited attributes first, at the same indexes.
      $0.values.indices.contains(place) ? attribute.decode($0.values[place]) : nil
    }
    .filter { !$0.isNull }
  }
}
