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
  /// The path of the folder that contains it; it may not exist.
  let support: String
  /// The path of the store's folder.
  let storeFolder: String

  /// Derives the folder from the path of a store.
  init(storePath: String) {
    support = Self.support(of: storePath)
    path = support + "/_EXTERNAL_DATA"
    storeFolder = URL(fileURLWithPath: storePath).deletingLastPathComponent().path
  }

  /// The path of the folder for a store's data outside of its database; it may not exist.
  static func support(of storePath: String) -> String {
    let store = URL(fileURLWithPath: storePath)
    let name = ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT"
    return store.deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// The path of a file in the folder.
  func file(named name: String) -> String { path + "/" + name }

  /// The stored form of a reference to a file.
  static func reference(to name: String) -> Data {
    Data([referenceMark]) + Data(name.utf8) + Data([0])
  }
}
