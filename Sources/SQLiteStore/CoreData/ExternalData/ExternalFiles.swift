import Foundation
import ObjectModel

/// Writes long values of a save to the store's folder of external data: core-data-stores 4.6.
///
/// A file is synchronized to disk before the row that refers to it is committed, and removed if the
/// save fails. Files of replaced or deleted values stay for undo, and are removed when the store is
/// closed: ``SupersededFiles``.
final class ExternalFiles {
  /// Values with more bytes are written to a file.
  ///
  /// Apple does not document the threshold; measured stores begin near 100 KB.
  static let threshold = 100 * 1024

  private let folder: ExternalFolder
  private let isDryRun: Bool
  private var written: [String] = []
  /// The names of files to which the save makes objects refer no longer.
  private(set) var superseded: Set<String> = []
  /// The names of existing files to which the save makes objects refer again.
  private(set) var restored: Set<String> = []

  /// Starts without files.
  ///
  /// - Parameters:
  ///   - folder: The store's folder of external files.
  ///   - isDryRun: Whether no file is written, and references lead nowhere.
  init(folder: ExternalFolder, isDryRun: Bool = false) {
    self.folder = folder
    self.isDryRun = isDryRun
  }

  /// The form in which a value is written to its column.
  ///
  /// - Parameters:
  ///   - value: The value in its stored form: a byte 1 and the bytes, a reference, or null.
  ///   - old: The column's value before the object was deleted, if a deletion is undone; else nil.
  /// - Returns: The value itself, or a reference to a file with it.
  /// - Throws: ``StoreError`` if the file cannot be written.
  func stored(_ value: Value, old: Value?) throws(StoreError) -> Value {
    guard case .data(let bytes) = value, bytes.first == ExternalFolder.inlineMark else {
      if let name = value.externalFileName { restored.insert(name) }
      return value
    }
    // An undone deletion gets its file back.
    if let old, let file = folder.inlined(old, limit: bytes.count + 1), file.value == bytes {
      if let name = old.externalFileName { restored.insert(name) }
      return old
    }
    guard bytes.count - 1 > Self.threshold else { return value }
    let file = UUID().uuidString
    if !isDryRun { try write(bytes.dropFirst(), to: folder.file(named: file)) }
    return .data(ExternalFolder.reference(to: file))
  }

  /// Notes files to which the save makes objects refer no longer.
  func supersede(_ names: Set<String>) { superseded.formUnion(names) }

  /// Makes the names of the written files durable; called before the commit.
  func synchronize() {
    guard !written.isEmpty else { return }
    for path in [folder.path, folder.support, folder.storeFolder] { FileCopy.synchronize(path) }
  }

  /// Removes the files of a failed save.
  func removeWritten() {
    for path in written { unlink(path.fileSystemBytes) }
    (written, restored) = ([], [])
  }

  private func write(_ bytes: Data, to path: String) throws(StoreError) {
    for path in [folder.support, folder.path] {
      guard mkdir(path.fileSystemBytes, 0o777) == 0 || errno == EEXIST else {
        var error = DatabaseFile.systemError(errno, path: path, doing: "saving")
        error.remedy = "make room on the disk, and check the permissions of the folder"
        throw error
      }
    }
    let descriptor = open(path.fileSystemBytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw DatabaseFile.systemError(errno, path: path, doing: "saving")
    }
    written.append(path)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try file.write(contentsOf: bytes)
      try file.synchronize()
    } catch {
      throw StoreError(
        .disk, doing: "saving", subject: path, detail: error.localizedDescription,
        remedy: "make room on the disk")
    }
  }
}
