import Foundation
import ObjectModel

/// The stores that were opened before, in a file of the program's folder of the user's state.
struct RecentStores {
  /// The contents of the file.
  private struct Contents: Codable {
    /// The real paths, the latest first.
    var recent: [String]
  }

  /// The most stores that are kept.
  private static let limit = 30

  private let file: PrivateFile

  init(folder: URL = UserDirectory.state.folder) {
    file = PrivateFile(url: folder.appendingPathComponent("recent.json"))
  }

  /// The paths, the latest first; empty if the file is missing, damaged or not readable.
  var paths: [String] {
    guard let data = try? file.read(),
      let contents = try? JSONDecoder().decode(Contents.self, from: data)
    else { return [] }
    return Array(contents.recent.filter { $0.hasPrefix("/") }.prefix(Self.limit))
  }

  /// Puts a store first.
  ///
  /// What cannot be kept is forgotten: the list is a convenience.
  func add(_ path: String) {
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let recent = [path] + paths.filter { $0 != path }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
    guard
      let data = try? encoder.encode(Contents(recent: Array(recent.prefix(Self.limit))))
    else { return }
    try? file.write(data)
  }
}
