package import ObjectModel

extension ManagedObjectContext {
  /// A name to show for an object.
  ///
  /// It is that by `ObjectNaming`; for an object that joins others, their names; otherwise entity and
  /// key, as “Track 4”.
  ///
  /// - Parameter id: The object.
  /// - Returns: A short text, never empty.
  package func displayName(of id: ObjectID) -> String { displayName(of: id, followsToOne: true) }

  private func displayName(of id: ObjectID, followsToOne: Bool) -> String {
    let id = resolve(id)
    let info = info(for: id.entityName)
    if let row = readableRow(of: id) ?? undoMemory.deletedRow(of: id)?.row {
      if let name = info.naming.name(of: id, value: row.value(at:)) { return name }
      if followsToOne, let names = namesOfEnds(of: row, info) { return names }
      if let text = keyText(of: row, info) { return text }
    }
    return id.isTemporary ? "new \(id.entityName)" : id.description
  }

  /// The names of the objects that a row joins; nil if it leads to fewer than two.
  private func namesOfEnds(of row: RowSnapshot, _ info: EntityInfo) -> String? {
    let ends = info.toOne.indices.compactMap { row.destination(at: $0) }.filter(isAlive)
    guard ends.count >= 2 else { return nil }
    return ends.prefix(2).map { displayName(of: $0, followsToOne: false) }
      .joined(separator: " · ")
  }

  /// The text of the display attribute if it is a key; nil if it is not a text.
  private func keyText(of row: RowSnapshot, _ info: EntityInfo) -> String? {
    guard let name = info.entity.displayAttributeName,
      let index = info.entity.attributeIndex(name),
      case .string(let text) = info.entity.attributes[index].decode(row.value(at: index)),
      !text.isEmpty, !text.isUUID
    else { return nil }
    return text
  }
}
