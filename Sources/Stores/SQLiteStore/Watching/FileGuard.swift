import ObjectModel

/// Checks that the file at a store's path is still the one that was opened.
struct FileGuard: Sendable {
  /// The canonical path.
  let path: String
  /// The path as the person entered it, for errors.
  let subject: String
  let identity: FileIdentity

  /// Throws ``StoreError`` if the file was replaced or deleted; `doing` is the operation.
  func check(doing: String) throws(StoreError) {
    guard let current = FileIdentity(path: path) else { throw replaced(doing, "was deleted") }
    guard current == identity else { throw replaced(doing, "was replaced by another file") }
  }

  private func replaced(_ doing: String, _ what: String) -> StoreError {
    StoreError(
      .replaced, doing: doing, subject: subject, detail: "it \(what)",
      remedy: "open it again")
  }
}
