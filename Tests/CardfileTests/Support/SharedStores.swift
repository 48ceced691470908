import Foundation

/// The real stores that lie beside the project where it is developed; tests on them are skipped elsewhere.
enum SharedStores {
  static let chinook = file("stores/plain/chinook.sqlite")

  private static func file(_ name: String) -> URL? {
    let shared =
      ProcessInfo.processInfo.environment["CARDFILE_SHARED"].map { URL(fileURLWithPath: $0) }
      ?? URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../shared")
      .standardizedFileURL
    let url = shared.appendingPathComponent(name)
    return FileManager.default.isReadableFile(atPath: url.path) ? url : nil
  }
}
