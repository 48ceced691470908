package import ObjectModel

extension ManagedObjectContext {
  /// A name to show for an object.
  ///
  /// It is that by `ObjectNaming`; for an object that joins others, their names; otherwise entity and
  /// key, as “Track 4”.
  ///
  /// - Parameter id: The object.
  /// - Returns: A text of a line at most, never empty: a longer one is cut, so that sentences with it
  ///   can be read.
  package func displayName(of id: ObjectID) -> String { displayName(of: id, followsToOne: true) }

  private func displayName(of id: ObjectID, followsToOne: Bool) -> String {
    let id = resolve(id)
    let info = info(for: id.entityName)
    if let row = readableRow(of: id) ?? undoMemory.deletedRow(of: id)?.row {
      if let name = info.naming.name(of: id, value: row.value(at:)) { return Self.cut(name) }
      if followsToOne, let names = namesOfEnds(of: row, info) { return names }
      if let text = keyText(of: row, info) { return text }
    }
    return id.isTemporary ? "new \(id.entityName)" : id.description
  }

  /// The most characters of a name.
  private static let longestName = 100

  private static func cut(_ name: String) -> String {
    guard name.utf8.count > longestName,
      let end = name.index(
        name.startIndex, offsetBy: longestName, limitedBy: name.endIndex), end < name.endIndex
    else { return name }
    return name[..<end].dropLast() + "…"
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
