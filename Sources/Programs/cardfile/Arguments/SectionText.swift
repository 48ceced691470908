import CardfileApp
import ObjectModel

/// Parses `--section`: `none`, or a key path, optionally followed by a transform, as `:initial`.
enum SectionText {
  /// The transforms as the sentences of the help list them.
  static let transforms: String = {
    let suffixes = SectionKey.Transform.suffixes
    return suffixes.dropLast().joined(separator: ", ") + " or " + suffixes.suffix(1).joined()
  }()

  /// What the help calls its value.
  static let valueName =
    "keypath[" + SectionKey.Transform.suffixes.joined(separator: "|") + "]|none"

  /// Returns the section key; nil for `none`.
  static func key(_ text: String, for entity: EntityDescription, in names: NameResolver)
    throws(Failure) -> SectionKey?
  {
    do {
      return try TypedOrder.sectionKey(text, for: entity, in: names.model)
    } catch {
      throw names.failure(error, in: entity, option: "--section")
    }
  }
}
