/// The JSON of a fetch request template; nil stands for the default value.
struct FetchRequestRecord: Codable {
  var entity: String
  var predicate: String?
  var sortDescriptors: [FetchRequestTemplate.SortKey]?
  var limit: Int?

  init(_ template: FetchRequestTemplate) {
    entity = template.entityName
    predicate = template.predicate
    sortDescriptors = template.sortDescriptors.nonEmpty
    limit = template.fetchLimit == 0 ? nil : template.fetchLimit
  }

  var description: FetchRequestTemplate {
    FetchRequestTemplate(
      entity, predicate: predicate, sortDescriptors: sortDescriptors ?? [], fetchLimit: limit ?? 0)
  }
}

/// The JSON of a fetched property; nil stands for default details.
struct FetchedPropertyRecord: Codable {
  var name: String
  var fetchRequest: FetchRequestRecord
  var property: PropertyRecord?

  init(_ fetched: FetchedPropertyDescription) {
    name = fetched.name
    fetchRequest = FetchRequestRecord(fetched.fetchRequest)
    property = PropertyRecord(fetched.details)
  }

  var description: FetchedPropertyDescription {
    FetchedPropertyDescription(
      name, fetchRequest: fetchRequest.description, details: PropertyRecord.details(property))
  }
}

/// The JSON of a fetch index; nil stands for the default value.
struct FetchIndexRecord: Codable {
  var name: String
  var elements: [Element]
  var partialPredicate: String?

  /// The JSON of an index element, which has either a property or an expression.
  struct Element: Codable {
    var property: String?
    var expression: String?
    var kind: FetchIndexDescription.Kind?
    var isAscending: Bool?
  }

  init(_ index: FetchIndexDescription) {
    name = index.name
    partialPredicate = index.partialPredicate
    elements = index.elements.map { element in
      Element(
        property: element.isExpression ? nil : element.property,
        expression: element.isExpression ? element.property : nil,
        kind: element.kind == .binary ? nil : element.kind,
        isAscending: element.isAscending ? nil : false)
    }
  }

  var description: FetchIndexDescription {
    FetchIndexDescription(
      name,
      elements: elements.map { element in
        FetchIndexDescription.Element(
          element.expression ?? element.property ?? "", isExpression: element.expression != nil,
          kind: element.kind ?? .binary, isAscending: element.isAscending ?? true)
      }, partialPredicate: partialPredicate)
  }
}
