package import ObjectModel

extension ManagedObjectContext {
  /// The decoded value at the end of a key path of to-one relationships and an attribute; null if
  /// a relationship on the way is nil, or a name is unknown.
  package func value(at keyPath: String, of id: ObjectID) -> Value {
    valueAndAttribute(at: KeyPathText.components(of: keyPath) ?? [], of: id).0
  }

  /// The decoded value at the end of a path of names, and its attribute; null and nil if a
  /// relationship on the way is nil, or a name is unknown.
  func valueAndAttribute(at path: [String], of id: ObjectID) -> (Value, AttributeDescription?) {
    var id = resolve(id)
    for component in path.dropLast() {
      guard let index = toOneIndex(component, of: id),
        let next = currentRow(of: id)?.destination(at: index), isAlive(next)
      else { return (.null, nil) }
      id = next
    }
    let entity = info(for: id.entityName).entity
    guard let last = path.last, let index = entity.attributeIndex(last),
      let row = currentRow(of: id)
    else { return (.null, nil) }
    let attribute = entity.attributes[index]
    var stored = row.value(at: index)
    // Of external values, which may be long files, stores compare what a row holds too.
    if row.cutLengths[index] != nil, attribute.encoding != .externalData {
      attempt { stored = try wholeValue(at: index, of: id) }
    }
    return (attribute.decode(stored), attribute)
  }
}
