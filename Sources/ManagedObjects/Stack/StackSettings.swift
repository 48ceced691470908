import Foundation
import ObjectModel

/// The settings that a stack is built from.
struct StackSettings {
  let applicationName: String
  var type = StoreType.sqlite
  var options = StoreOptions()
  var givenFileName: String?
  var givenPath: String?
  var momdName: String?
  var model: ManagedObjectModel?

  init(applicationName: String) { self.applicationName = applicationName }

  static var programName: String {
    let path = CommandLine.arguments.first ?? ""
    let name = URL(filePath: path).deletingPathExtension().lastPathComponent
    return name.isEmpty || name == "/" ? "application" : name
  }

  var fileName: String? {
    guard let fileExtension = type.fileExtension else { return nil }
    return givenFileName ?? "\(applicationName).\(fileExtension)"
  }

  var path: String? {
    guard let fileName else { return nil }
    return givenPath
      ?? Self.dataDirectory.appending(path: applicationName).appending(path: fileName).path
  }

  /// The path, after creating its folder.
  func makePath() throws -> String {
    guard let path else { return "" }
    let folder = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return path
  }

  private static var dataDirectory: URL {
    let environment = ProcessInfo.processInfo.environment
    // The XDG specification says to ignore a relative path.
    if let given = environment["XDG_DATA_HOME"], given.hasPrefix("/") {
      return URL(filePath: given)
    }
    return URL.homeDirectory.appending(path: ".local/share")
  }
}
