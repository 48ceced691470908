package import Foundation

/// The directories of a user by the XDG base directory specification.
package enum UserDirectory: String {
  case cache = "XDG_CACHE_HOME"
  case config = "XDG_CONFIG_HOME"
  case data = "XDG_DATA_HOME"
  case state = "XDG_STATE_HOME"

  /// The directory that the user's environment names, otherwise the default one in the home
  /// directory that HOME names; nil if neither variable is an absolute path.
  package var path: String? {
    Self.absolute(rawValue) ?? Self.absolute("HOME").map { $0 + "/" + inHome }
  }

  /// The same directory; where ``path`` is nil, the default one in the home directory that the
  /// system has for the user.
  package var url: URL {
    path.map { URL(filePath: $0, directoryHint: .isDirectory) }
      ?? URL.homeDirectory.appending(path: inHome, directoryHint: .isDirectory)
  }

  private var inHome: String {
    switch self {
    case .cache: ".cache"
    case .config: ".config"
    case .data: ".local/share"
    case .state: ".local/state"
    }
  }

  /// The specification says to ignore relative paths.
  fileprivate static func absolute(_ variable: String) -> String? {
    getenv(variable).map { String(fileSystemPath: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}

/// The home folder of the user: that of the environment, as in a shell, or else the system's.
package enum HomeFolder {
  package static var path: String {
    UserDirectory.absolute("HOME") ?? FileManager.default.homeDirectoryForCurrentUser.path
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
