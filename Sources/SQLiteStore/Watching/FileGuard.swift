import ObjectModel

/// Makes sure that the file at a store's path is still the one that was opened.
struct FileGuard: Sendable {
  /// The canonical path.
  let path: String
  /// The path as a person knows it.
  let subject: String
  let identity: FileIdentity

  /// Throws when the file was replaced or removed.
  func check(doing: String) throws(StoreError) {
    guard let present = FileIdentity(path: path) else { throw replaced(doing, "was removed") }
    guard present == identity else { throw replaced(doing, "was replaced by another") }
  }

  private func replaced(_ doing: String, _ what: String) -> StoreError {
    StoreError(
      .replaced, doing: doing, subject: subject, detail: "it \(what)",
      remedy: "open it again")
  }
}
