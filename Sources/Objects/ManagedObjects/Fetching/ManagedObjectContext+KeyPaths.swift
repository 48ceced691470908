package import ObjectModel

extension ManagedObjectContext {
  /// The decoded value at the end of a key path of to-one relationships and an attribute; null if
  /// a relationship on the way is nil, or a name is unknown.
  package func value(at keyPath: String, of id: ObjectID) -> Value {
    valueAndAttribute(at: KeyPathText.components(of: keyPath) ?? [], of: id).0
  }

  /// The decoded value at the end of a path of names, and its attribute, for comparing; null and nil
  /// if a relationship on the way is nil, or a name is unknown.
  func valueAndAttribute(at path: [String], of id: ObjectID) -> (Value, AttributeDescription?) {
    guard let (index, row) = end(of: path, from: id) else { return (.null, nil) }
    let attribute = info(for: row.id.entityName).entity.attributes[index]
    var stored = row.value(at: index)
    // Of external values, which may be long files, stores compare what a row holds too.
    if row.cutLengths[index] != nil, attribute.encoding != .externalData {
      attempt { stored = try wholeValue(at: index, of: row.id) }
    }
    return (attribute.decode(stored), attribute)
  }

  /// The decoded value at the end of a path of names, never truncated; null if a relationship on the
  /// way is nil.
  ///
  /// - Throws: ``ManagedObjectError`` if a long value cannot be read.
  func wholeValue(at path: [String], of id: ObjectID) throws -> Value {
    guard let (index, row) = end(of: path, from: id) else { return .null }
    let attribute = info(for: row.id.entityName).entity.attributes[index]
    return attribute.decode(try wholeValue(at: index, of: row.id, in: row))
  }

  /// The stored value at the end of a path of names, never truncated; null if a relationship on the
  /// way is nil.
  ///
  /// - Throws: ``ManagedObjectError`` if a long value cannot be read.
  func wholeStoredValue(at path: [String], of id: ObjectID) throws -> Value {
    guard let (index, row) = end(of: path, from: id) else { return .null }
    return try wholeValue(at: index, of: row.id, in: row)
  }

  /// The URI of the object that a path of to-one relationships leads to; null if one of them is
  /// nil.
  func destinationURI(at path: [String], of id: ObjectID) -> Value {
    var end = resolve(id)
    for (offset, name) in path.enumerated() {
      guard offset == 0 || isAlive(end), let index = toOneIndex(name, of: end),
        let next = currentRow(of: end)?.destination(at: index)
      else { return .null }
      end = resolve(next)
    }
    return .string(end.uriRepresentation)
  }

  /// The row that a path of names ends in, and the index of the attribute.
  private func end(of path: [String], from id: ObjectID) -> (index: Int, row: RowSnapshot)? {
    var id = resolve(id)
    for component in path.dropLast() {
      guard let index = toOneIndex(component, of: id),
        let next = currentRow(of: id)?.destination(at: index), isAlive(next)
      else { return nil }
      id = next
    }
    guard let last = path.last, let index = info(for: id.entityName).entity.attributeIndex(last),
      let row = currentRow(of: id)
    else { return nil }
    return (index, row)
  }
}
