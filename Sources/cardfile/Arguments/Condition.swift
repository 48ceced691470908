import ObjectModel

/// Reads `--where`.
enum Condition {
  static func predicate(_ text: String, for entity: EntityDescription, in model: ManagedObjectModel)
    throws(Failure) -> FetchPredicate
  {
    do {
      return try FetchPredicate(format: text).validated(for: entity, in: model)
    } catch {
      throw Failure(
        .usage, "--where: \(error)",
        pointer: error.caret.split(separator: "\n").map(String.init))
    }
  }
}
