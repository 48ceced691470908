package import ObjectModel

/// The order and the sections of a list as they are typed, in `--sort` and `:sort` alike.
package nonisolated enum TypedOrder {
  /// Parses an order: key paths separated by commas, each optionally followed by `asc` or `desc`.
  ///
  /// - Throws: ``TypedTextError`` with the position of the wrong name.
  package static func descriptors(
    _ text: String, for entity: EntityDescription, in model: ManagedObjectModel
  ) throws(TypedTextError) -> [FetchSortDescriptor] {
    var descriptors: [FetchSortDescriptor] = []
    for part in NameList.split(text) {
      var (keyPath, ascending) = direction(part.text)
      let attribute: AttributeDescription
      keyPath = AttributePath.toTitle(keyPath, from: entity, in: model)
      do {
        attribute = try AttributePath.attribute(at: keyPath, from: entity, in: model)
      } catch {
        throw error.moved(by: part.range.lowerBound + (part.text.hasPrefix("\"") ? 1 : 0))
      }
      descriptors.append(
        FetchSortDescriptor(
          written(keyPath, in: entity), ascending: ascending,
          comparison: attribute.type == .string ? .localized : .binary))
    }
    return descriptors
  }

  /// Parses sections: `none`, or a key path, optionally followed by a transform, as `:initial`.
  ///
  /// - Returns: The section key; nil for `none`.
  /// - Throws: ``TypedTextError`` with the position of what is wrong.
  package static func sectionKey(
    _ text: String, for entity: EntityDescription, in model: ManagedObjectModel
  ) throws(TypedTextError) -> SectionKey? {
    if text == "none" { return nil }
    guard var key = SectionKey(text) else {
      throw TypedTextError(
        "“\(text)” is not a section key", at: 0..<text.count,
        expected: "KEYPATH, KEYPATH"
          + SectionKey.Transform.suffixes.joined(separator: ", ") + ", or none")
    }
    key.keyPath = AttributePath.toTitle(key.keyPath, from: entity, in: model)
    _ = try AttributePath.attribute(at: key.keyPath, from: entity, in: model)
    return key
  }

  /// The key path of a name that was typed: that of an attribute with a point in its name has
  /// backquotes.
  private static func written(_ keyPath: String, in entity: EntityDescription) -> String {
    let isElement = entity.details.composites.contains { keyPath.hasPrefix($0.name + ".") }
    guard entity.attribute(named: keyPath) != nil, !isElement else { return keyPath }
    return KeyPathText.text([keyPath])
  }

  private static func direction(_ part: String) -> (keyPath: String, ascending: Bool) {
    if let space = part.lastIndex(where: \.isWhitespace) {
      switch part[part.index(after: space)...].lowercased() {
      case "asc": return (NameList.unquoted(String(part[..<space])), true)
      case "desc": return (NameList.unquoted(String(part[..<space])), false)
      default: break
      }
    }
    return (NameList.unquoted(part), true)
  }
}
