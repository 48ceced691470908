import ObjectModel

/// Makes sure that the file at a store's path is still the one that was opened.
struct FileGuard: Sendable {
  /// The canonical path.
  let path: String
  /// The path as a person knows it.
  let subject: String
  let identity: FileIdentity
  /// How the file looked, where it is read without locks; nil elsewhere.
  let frozenState: FileState?

  /// Throws when the file was replaced, removed, or written though it is read without locks.
  func check(doing: String) throws(StoreError) {
    guard let state = FileState(path: path) else { throw replaced(doing, "was removed") }
    guard state.identity == identity else { throw replaced(doing, "was replaced by another") }
    guard let frozenState else { return }
    let log = FileState(path: path + "-wal")
    guard state == frozenState, (log?.byteCount ?? 0) == 0 else {
      throw replaced(doing, "was written by another program")
    }
  }

  private func replaced(_ doing: String, _ what: String) -> StoreError {
    StoreError(
      .replaced, doing: doing, subject: subject, detail: "it \(what)",
      remedy: "open it again")
  }
}
