import Foundation

/// Where stores are when only their name is given.
package enum StoreLocation {
  /// The name of the running program.
  package static var programName: String {
    let path = CommandLine.arguments.first ?? ""
    let name = URL(filePath: path).deletingPathExtension().lastPathComponent
    return name.isEmpty || name == "/" ? "application" : name
  }

  /// The folder of an application in `$XDG_DATA_HOME` or `~/.local/share`.
  package static func folder(ofApplication name: String) -> String {
    dataFolder.appending(path: name).path
  }

  /// Creates the folder of a file if it does not exist.
  static func makeFolder(of path: String) throws {
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  private static var dataFolder: URL {
    let environment = ProcessInfo.processInfo.environment
    // The XDG specification says to ignore a relative path.
    if let given = environment["XDG_DATA_HOME"], given.hasPrefix("/") {
      return URL(filePath: given)
    }
    return URL.homeDirectory.appending(path: ".local/share")
  }
}
