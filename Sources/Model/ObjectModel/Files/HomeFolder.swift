import Foundation

/// The home folder of the user: that of the environment, as in a shell, or else the system's.
package enum HomeFolder {
  package static var path: String {
    let named = getenv("HOME").map { String(fileSystemPath: $0) } ?? ""
    return named.hasPrefix("/") ? named : FileManager.default.homeDirectoryForCurrentUser.path
  }

  /// A typed path with the home folder in place of `~`.
  package static func expanded(_ typed: String) -> String {
    typed == "~" || typed.hasPrefix("~/") ? path + typed.dropFirst() : typed
  }

  /// A path with `~` in place of the home folder.
  package static func abbreviated(_ path: String) -> String {
    let home = self.path
    guard home != "/", path == home || path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }
}
