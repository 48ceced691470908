import ObjectModel

/// Parses `--sort`: key paths separated by commas, each optionally followed by `asc` or `desc`.
enum SortText {
  static func descriptors(_ text: String, for entity: EntityDescription, in names: NameResolver)
    throws(Failure) -> [FetchSortDescriptor]
  {
    var descriptors: [FetchSortDescriptor] = []
    for part in NameList.split(text) {
      let (keyPath, ascending) = direction(part)
      let attribute = try names.attribute(at: keyPath, from: entity, option: "--sort")
      descriptors.append(
        FetchSortDescriptor(
          keyPath, ascending: ascending,
          comparison: attribute.type == .string ? .localized : .binary))
    }
    guard !descriptors.isEmpty else {
      throw Failure(.usage, "--sort is empty", try: "--sort \"name desc\"")
    }
    return descriptors
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
