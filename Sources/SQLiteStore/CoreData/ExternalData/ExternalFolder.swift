import Foundation
import ObjectModel

/// The folder of a store's external binary data: core-data-stores 4.6.
struct ExternalFolder: Hashable, Sendable {
  /// The first byte of an inline value.
  static let inlineMark: UInt8 = 1
  /// The first byte of a reference to a file.
  static let referenceMark: UInt8 = 2

  /// The folder's path; it may not exist.
  let path: String

  /// Derives the folder from the path of a store.
  init(storePath: String) {
    let store = URL(fileURLWithPath: storePath)
    path =
      store.deletingLastPathComponent()
      .appendingPathComponent(".\(store.deletingPathExtension().lastPathComponent)_SUPPORT")
      .appendingPathComponent("_EXTERNAL_DATA").path
  }

  /// The path of a file in the folder.
  func file(named name: String) -> String { path + "/" + name }

  /// The stored form of a reference to a file.
  static func reference(to name: UUID) -> Data {
    Data([referenceMark]) + Data(name.uuidString.utf8) + Data([0])
  }
}
