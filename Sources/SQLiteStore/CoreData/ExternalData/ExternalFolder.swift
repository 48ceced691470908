import Foundation
import ObjectModel

/// The folder of a store's external binary data: core-data-stores 4.6.
struct ExternalFolder: Hashable, Sendable {
  /// The first byte of an inline value.
  static let inlineMark: UInt8 = 1
  /// The first byte of a reference to a file.
  static let referenceMark: UInt8 = 2
  private static let nameLength = 36

  /// The folder's path; it may not exist.
  let path: String

  /// Derives the folder from the path of a store.
  ///
  /// - Parameter storePath: The path of the store's file.
  init(storePath: String) {
    let store = URL(fileURLWithPath: storePath)
    path =
      store.deletingLastPathComponent()
      .appendingPathComponent(".\(store.deletingPathExtension().lastPathComponent)_SUPPORT")
      .appendingPathComponent("_EXTERNAL_DATA").path
  }

  /// The path of a file in the folder.
  func file(named name: String) -> String { path + "/" + name }

  /// The name of the file that a stored value refers to.
  ///
  /// Only a UUID is accepted, so that a reference never leads out of the folder.
  ///
  /// - Parameter stored: The column's value.
  /// - Returns: The name; nil if the value is not a reference.
  static func name(in stored: Value) -> String? {
    guard case .data(let data) = stored, data.count == nameLength + 2,
      data.first == referenceMark, data.last == 0
    else { return nil }
    let name = String(decoding: data.dropFirst().dropLast(), as: UTF8.self)
    return name.utf8.count == nameLength && UUID(uuidString: name) != nil ? name : nil
  }

  /// The stored form of a reference to a file.
  static func reference(to name: UUID) -> Data {
    Data([referenceMark]) + Data(name.uuidString.utf8) + Data([0])
  }
}
