import ObjectModel

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
