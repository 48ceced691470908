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

/// Parses `--sort`: key paths separated by commas, each optionally followed by `asc` or `desc`.
enum SortText {
  static func descriptors(_ text: String, for entity: EntityDescription, in names: NameResolver)
    throws(Failure) -> [FetchSortDescriptor]
  {
    let descriptors: [FetchSortDescriptor]
    do {
      descriptors = try TypedOrder.descriptors(text, for: entity, in: names.model)
    } catch {
      throw names.failure(error, in: entity, option: "--sort")
    }
    guard !descriptors.isEmpty else {
      throw Failure(.usage, "--sort is empty", try: "--sort \"name desc\"")
    }
    return descriptors
  }
}

extension TypedPredicate {
  /// Parses the predicate of `--where`.
  init(where text: String, for entity: EntityDescription, in model: ManagedObjectModel)
    throws(Failure)
  {
    do {
      try self.init(text, as: .predicate, for: entity, in: model)
    } catch {
      throw Failure(
        .usage, "--where: \(error)",
        pointer: error.caret.split(separator: "\n").map(String.init))
    }
  }
}
