import ObjectModel

extension ModelDecoder {
  /// Reads the fetch request of a fetched property; nil, with a note, if it has none.
  mutating func fetchedRequest(
    _ object: ArchivedObject, name: String
  ) throws(ModelFileError) -> FetchRequestTemplate? {
    guard let request = object["NSFetchRequest"] else {
      notes.add("\(ModelNotes.quoted(name)) was left out: it has no fetch request")
      return nil
    }
    var template = try fetchRequest(request, name: name)
    if let entity = object["_NSFetchRequestEntityName"]?.string { template.entityName = entity }
    return template
  }

  /// Reads a fetch request.
  mutating func fetchRequest(
    _ object: ArchivedObject, name: String
  ) throws(ModelFileError) -> FetchRequestTemplate {
    let entity = object["NSEntity"]?["NSEntityName"] ?? object["NSEntityName"]
    var template = FetchRequestTemplate(entity?.string ?? "")
    if let predicate = object["NSPredicate"] {
      template.predicate = try text(
        ofPredicate: predicate, "predicate of \(ModelNotes.quoted(name))")
    }
    for descriptor in try budget.members(of: object["NSSortDescriptors"]) {
      guard let key = descriptor["NSKey"]?.string else { continue }
      template.sortDescriptors.append(
        .init(key, isAscending: descriptor["NSAscending"]?.bool ?? true))
    }
    template.fetchLimit = max(0, object["NSFetchLimit"]?.integer ?? 0)
    return template
  }

  /// Reads the fetch indexes of an entity.
  mutating func fetchIndexes(
    of object: ArchivedObject, entity: String
  ) throws(ModelFileError) -> [FetchIndexDescription] {
    var indexes: [FetchIndexDescription] = []
    for index in try budget.members(of: object["NSFetchIndexDescriptions"]) {
      let name = index["NSIndexName"]?.string ?? ""
      var description = FetchIndexDescription(name, elements: [])
      for element in try budget.members(of: index["NSIndexElements"]) {
        if let element = try indexElement(element) {
          description.elements.append(element)
        } else {
          notes.add("An element of the index \(ModelNotes.quoted(entity, name)) cannot be read")
        }
      }
      if let predicate = index["NSPartialIndexPredicate"] {
        description.partialPredicate = try text(
          ofPredicate: predicate, "predicate of index \(ModelNotes.quoted(entity, name))")
      }
      indexes.append(description)
    }
    return indexes
  }

  /// Reads an index element: a property's name, or an expression as text; nil if it has neither.
  private mutating func indexElement(
    _ object: ArchivedObject
  ) throws(ModelFileError) -> FetchIndexDescription.Element? {
    let property = object["NSIndexedProperty"]
    let kind: FetchIndexDescription.Kind =
      object["NSFetchIndexElementType"]?.integer == 1 ? .rTree : .binary
    let isAscending = object["NSAscending"]?.bool ?? true
    if let expression = property?["NSExpression"] {
      return try PredicateDecoder.text(ofExpression: expression, &budget).map {
        .init($0, isExpression: true, kind: kind, isAscending: isAscending)
      }
    }
    let name = object["NSPropertyName"] ?? property.map(underlying)?["NSPropertyName"]
    return name?.string.map { .init($0, kind: kind, isAscending: isAscending) }
  }
}
