import Foundation
import ObjectModel

/// Puts long values of a save into files of their own: core-data-stores 4.6.
///
/// A file is on the disk before the row that refers to it is committed, and goes again when the save fails. Files of
/// values that were replaced or deleted stay: an undone change needs them, and Core Data tidies up by itself.
final class ExternalFiles {
  /// Values with more bytes get a file.
  ///
  /// Apple names no number; stores that people have measured begin near 100 KB.
  static let threshold = 100 * 1024

  private let folder: ExternalFolder
  private let isDryRun: Bool
  private var written: [String] = []

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
  ///   - old: What stood in the column before, of an object put back; nil otherwise.
  /// - Returns: The value itself, or a reference to a file that now holds it.
  /// - Throws: ``StoreError`` when the file cannot be written.
  func stored(_ value: Value, old: Value?) throws(StoreError) -> Value {
    guard case .data(let bytes) = value, bytes.first == ExternalFolder.inlineMark else {
      return value
    }
    // The object comes back with the file that it had.
    if let old, let file = folder.inlined(old, limit: bytes.count + 1), file.value == bytes {
      return old
    }
    guard bytes.count - 1 > Self.threshold else { return value }
    let file = UUID()
    if !isDryRun { try write(bytes.dropFirst(), to: folder.file(named: file.uuidString)) }
    return .data(ExternalFolder.reference(to: file))
  }

  /// Takes away what a failed save has written.
  func removeWritten() {
    for path in written { unlink(path) }
    written = []
  }

  private func write(_ bytes: Data, to path: String) throws(StoreError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: true)
    } catch {
      throw StoreError(
        .disk, doing: "saving", subject: folder.path, detail: error.localizedDescription,
        remedy: "make room on the disk, and check the permissions of the folder")
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
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
