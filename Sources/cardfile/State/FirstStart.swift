import Foundation

/// Knows whether the program was started before, by a file in the folder ``UserFolder/state``.
enum FirstStart {
  /// Whether this is the first start; it is not the next time.
  ///
  /// False where that cannot be kept, so that nobody is told the same at every start.
  static func take(folder: URL = UserFolder.state.url) -> Bool {
    let file = PrivateFile(url: folder.appendingPathComponent("started"))
    do {
      guard try file.read() == nil else { return false }
      try file.write(Data())
      return true
    } catch {
      return false
    }
  }
}
