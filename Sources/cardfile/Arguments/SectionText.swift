import CardfileApp
import ObjectModel

/// Parses `--section`: `none`, or a key path, optionally followed by `:initial`, `:day`, `:month`
/// or `:year`.
enum SectionText {
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
