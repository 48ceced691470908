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
  /// The name of the store's file.
  let storeName: String

  /// Derives the folder from the path of a store.
  init(storePath: String) {
    support = Self.support(of: storePath)
    path = support + "/" + Self.name
    storeFolder = storePath.parentPath
    storeName = storePath.lastPathPart
  }

  /// The path of the folder for a store's data outside of its database; it may not exist.
  static func support(of storePath: String) -> String {
    let store = URL(fileURLWithPath: storePath)
    return store.deletingLastPathComponent()
      .appendingPathComponent(support(ofStoreNamed: store.lastPathComponent)).path
  }

  /// The name of that folder, by the name of the store's file.
  static func support(ofStoreNamed name: String) -> String {
    ".\(URL(fileURLWithPath: name).deletingPathExtension().lastPathComponent)_SUPPORT"
  }

  /// The name of the folder in the support folder.
  static let name = "_EXTERNAL_DATA"

  /// Opens the folder.
  ///
  /// - Parameter followingLinks: Whether it, and the folder that contains it, may be links: see
  ///   ``OpenFolder/folder(named:followingLink:)``.
  /// - Returns: The folder; nil if there is none.
  /// - Throws: ``FileError`` if it cannot be opened.
  func open(followingLinks: Bool) throws(FileError) -> OpenFolder? {
    try OpenFolder(path: storeFolder)
      .folder(named: support.lastPathPart, followingLink: followingLinks)?
      .folder(named: Self.name, followingLink: followingLinks)
  }

  /// The path of a file in the folder.
  func file(named name: String) -> String { path + "/" + name }

  /// The stored form of a reference to a file.
  static func reference(to name: String) -> Data {
    Data([referenceMark]) + Data(name.utf8) + Data([0])
  }
}

extension ExternalFolder {
  /// The length in bytes from which on files are not read: that of SQLite's longest value.
  static let longestFile = 1_000_000_000

  /// Reads the file that a stored value refers to: its inline form, truncated to a limit in bytes,
  /// and its full length in bytes; nil if it is not a reference, or the file is missing, not a
  /// regular file, or as long as ``longestFile``.
  func inlined(_ stored: Value, limit: Int) -> (value: Data, byteCount: Int)? {
    guard let name = stored.externalFileName else { return nil }
    let descriptor = Glibc.open(
      file(named: name).fileSystemBytes, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size < Self.longestFile
    else { return nil }
    let count = max(0, min(limit - 1, Int(status.st_size)))
    guard let bytes = try? file.read(upToCount: count) ?? Data() else { return nil }
    return (Data([Self.inlineMark]) + bytes, Int(status.st_size) + 1)
  }
}
