import Foundation
import ModelFiles
package import ObjectModel

/// A Core Data XML store (`NSXMLStoreType`), read whole.
///
/// It is only read. The file has the names of entities in capitals and those of properties in small
/// letters: a model tells how they are spelled and what the file does not say, such as properties
/// that are NULL everywhere. Without one, the model is derived from the file.
package final class XMLStore: AtomicStore {
  package let identifier: String
  package let model: ManagedObjectModel
  package let summary: StoreSummary
  private let rows: XMLRows

  /// Whether a file begins like an XML store.
  package static func recognizes(_ path: String) -> Bool {
    // A pipe would wait for somebody who writes to it.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    return count > 0 && XMLDatabase.isStart(Data(bytes.prefix(count)))
  }

  /// Reads the store.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - modelPath: The path of its model; nil to derive one.
  /// - Throws: `StoreError` if the file or the model cannot be read, is damaged, or has an entity or
  ///   property that the model does not have.
  package init(path: String, modelPath: String? = nil) throws(StoreError) {
    do {
      let data = try FileBytes.read(path)
      let database = try XMLDatabase(data)
      var notes: [String] = []
      if let modelPath {
        let decoded = try ModelFile.read(path: modelPath)
        (model, notes) = (decoded.model, decoded.notes)
      } else {
        model = XMLModel(of: database).model
        notes = [
          "the model is derived from the file, where names have lost their capitals: --model MODEL"
            + " gives another"
        ]
      }
      identifier = database.uuid ?? path
      rows = try XMLRows(database, model: model, storeIdentifier: identifier)
      var summary = StoreSummary(
        name: URL(fileURLWithPath: path).lastPathComponent, path: path,
        kind: "Core Data store (XML)", byteCount: data.count,
        readOnlyReason: "an XML store is only read", notes: notes)
      // What others write is not followed.
      summary.copied = Date()
      self.summary = summary
    } catch let error as ModelFileError {
      if !error.subject.isEmpty {
        throw StoreError(.other, doing: "opening", subject: path, detail: "\(error)")
      }
      throw StoreError(
        error.reason == .malformed ? .corrupt : .unsupported, doing: "opening", subject: path,
        detail: error.detail)
    } catch let error as StoreError {
      var error = error
      error.subject = path
      throw error
    } catch {
      throw StoreError(.other, doing: "opening", subject: path, detail: "\(error)")
    }
  }

  package func storedRows() -> some StoredRows { rows }
}
