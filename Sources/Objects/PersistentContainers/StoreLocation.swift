import Foundation
import ObjectModel

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
    UserDirectory.data.url.appending(path: name).path
  }

  /// Creates the folder of a file if it does not exist.
  static func makeFolder(of path: String) throws {
    _ = try OpenFolder(making: URL(filePath: path).deletingLastPathComponent().path, mode: 0o777)
  }
}
