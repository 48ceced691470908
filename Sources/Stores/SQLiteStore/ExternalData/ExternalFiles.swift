import Foundation
import ObjectModel
import Synchronization

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
  /// The open folder, and the access of the store's file: whoever may read the store may read its
  /// values.
  private var open: (folder: OpenFolder, access: FileAccess)?
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
    if !isDryRun { try write(bytes.dropFirst(), to: file) }
    return .data(ExternalFolder.reference(to: file))
  }

  /// Whether the save has neither written a file nor left one.
  var isUnused: Bool { written.isEmpty && superseded.isEmpty && restored.isEmpty }

  /// Notes files to which the save makes objects refer no longer.
  func supersede(_ names: Set<String>) { superseded.formUnion(names) }

  /// Makes the names of the written files durable; called before the commit.
  func synchronize() {
    guard !written.isEmpty else { return }
    open?.folder.synchronize()
    for path in [folder.support, folder.storeFolder] {
      (try? OpenFolder(path: path))?.synchronize()
    }
  }

  /// Removes the files of a failed save.
  func removeWritten() {
    for name in written { open?.folder.remove(name) }
    (written, restored) = ([], [])
  }

  private func write(_ bytes: Data, to name: String) throws(StoreError) {
    do throws(FileError) {
      if open == nil { open = try openFolder() }
      guard let (folder, access) = open else { return }
      let draft = try Draft(fileIn: folder)
      try draft.write(bytes)
      try draft.setAccess(access)
      try draft.commit(as: name, replacing: false)
      written.append(name)
    } catch {
      var failure = StoreError(error, doing: "saving", subject: error.path)
      failure.remedy = "make room on the disk, and check the permissions of the folder"
      throw failure
    }
  }

  /// Opens the folder, and makes it and the support folder if they do not exist.
  private func openFolder() throws(FileError) -> (OpenFolder, FileAccess) {
    var open = try OpenFolder(path: folder.storeFolder)
    guard let store = open.status(of: folder.storeName) else {
      throw FileError(errno, open.path(of: folder.storeName))
    }
    let access = FileAccess(store)
    for name in [folder.support.lastPathPart, ExternalFolder.name] {
      if let found = try open.folder(named: name) {
        open = found
      } else {
        open = try open.makeFolder(named: name, access: access.ofFolder)
      }
    }
    open.removeAbandonedDrafts()
    return (open, access)
  }
}

/// The external files that saves of one store made superfluous: those of values that they replaced
/// or whose objects they deleted.
///
/// They stay as long as an undo may need them. Files of other programs are never among them.
final class SupersededFiles: Sendable {
  private let state = Mutex<Set<String>>([])

  /// The names of the files.
  var names: Set<String> { state.withLock { $0 } }

  /// Adds the files that a committed save made superfluous, and removes those that it uses again.
  func add(_ superseded: Set<String>, without restored: Set<String>) {
    state.withLock { names in
      names.formUnion(superseded)
      names.subtract(restored)
    }
  }

  /// Forgets files.
  func remove(_ names: Set<String>) { state.withLock { $0.subtract(names) } }
}
