import Foundation
import ObjectModel

/// Knows whether the program was started before, by a file in ``UserDirectory/state``.
enum FirstStart {
  /// Whether this is the first start; it is not the next time.
  ///
  /// False where that cannot be kept, so that nobody is told the same at every start.
  static func take(folder: URL = UserDirectory.state.folder) -> Bool {
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
