import ObjectModel

/// Parses `--section`: `none`, or a key path, optionally followed by `:initial`, `:day`, `:month`
/// or `:year`.
enum SectionText {
  /// Returns the section key; nil for `none`.
  static func key(_ text: String, for entity: EntityDescription, in names: NameResolver)
    throws(Failure) -> SectionKey?
  {
    if text == "none" { return nil }
    guard let key = SectionKey(text) else {
      throw Failure(
        .usage, "--section: “\(text)” is not a section key",
        try: "KEYPATH, KEYPATH:initial, :day, :month, :year, or none")
    }
    _ = try names.attribute(at: key.keyPath, from: entity, option: "--section")
    return key
  }
}
