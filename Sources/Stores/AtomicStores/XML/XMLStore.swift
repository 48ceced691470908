package import Foundation
import ModelFiles
package import ObjectModel
import Synchronization

/// A Core Data XML store (`NSXMLStoreType`), read whole and written whole.
///
/// The file has the names of entities in capitals and those of properties in small letters: a model
/// tells how they are spelled and what the file does not say, such as properties that are NULL
/// everywhere. It is given, or lies beside the file. Without one it is derived from the file, which
/// can only be read then. What has not changed keeps its bytes: ``XMLWriter``.
package final class XMLStore: MigratingFileStore {
  /// How a store is opened.
  package struct Options: Sendable {
    /// Whether it is only read.
    package var isReadOnly = false
    /// The path of the model; nil for one beside the file, or a derived one.
    package var modelPath: String?
    /// Whether values are written whose type is in no file that is known.
    package var forcesTypes = false

    /// Whether the file is copied before the first save.
    package var makesBackup = false

    package init() {}
  }

  package let identifier: String
  package let model: ManagedObjectModel
  package let cache: AtomicCache
  package let file: StoreFile
  private let options: Options
  private let notes: [String]
  private let readOnlyReason: String?
  /// The file as it was read or written last.
  private let contents: Mutex<Contents>

  private struct Contents {
    var database: XMLDatabase
    var rows: InMemoryRows
    var backupPath: String?
  }

  /// Whether a file begins like an XML store.
  package static func recognizes(_ path: String) -> Bool {
    XMLDatabase.isStart(StoreFile(path: path).firstBytes(4096))
  }

  /// Creates a store without objects.
  ///
  /// It has no version hashes, which only Core Data knows: an app of another system migrates it, or
  /// takes it as it is, as its options say.
  ///
  /// - Parameters:
  ///   - path: The path of its file, which must not exist.
  ///   - model: Its model.
  /// - Returns: The store, which writes values of every type.
  /// - Throws: `StoreError` if it cannot be created.
  package static func create(path: String, model: ManagedObjectModel) throws(StoreError) -> XMLStore
  {
    let identifiers = model.details.versionIdentifiers.sorted().map {
      "\n                        <string>\(XMLText.quoted($0))</string>"
    }
    let text = """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>\(UUID().uuidString)</UUID>
              <nextObjectID>101</nextObjectID>
              <metadata>
                  <plist version="1.0">
                      <dict>
                          \(XMLDatabase.modelEntry(of: model).split(separator: "\n").joined())
                          <key>NSPersistenceFrameworkVersion</key>
                          <integer>1251</integer>
                          <key>NSStoreModelVersionIdentifiers</key>
                          <array>\(identifiers.joined())
                          </array>
                          <key>NSStoreType</key>
                          <string>XML</string>
                      </dict>
                  </plist>
              </metadata>
          </databaseInfo>
      </database>

      """
    try StoreFile(path: path).create(Array(text.utf8))
    var options = Options()
    options.forcesTypes = true
    return try XMLStore(path: path, options: options, expectedModel: model)
  }

  /// Reads the store.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - options: How it is opened.
  ///   - expectedModel: The model that it is read with; nil for that of the options.
  /// - Throws: `StoreError` if the file or the model cannot be read, is damaged, or has an entity or
  ///   property that the model does not have.
  package init(
    path: String, options: Options = Options(), expectedModel: ManagedObjectModel? = nil
  ) throws(StoreError) {
    let file = StoreFile(path: path)
    let stamp = file.stamp
    let database = try Self.database(file)
    let identifier = database.uuid ?? path
    let source = try XMLModelSource(
      database, file, identifier, options.modelPath, given: expectedModel)
    (self.file, self.options, self.identifier) = (file, options, identifier)
    (model, notes) = (source.rows.model, source.notes)
    readOnlyReason =
      if options.isReadOnly {
        "opened read-only"
      } else if source.isDerived {
        "its model is derived from the file; with --model MODEL it can be changed"
      } else if !database.isUTF8 {
        "it is not written in UTF-8"
      } else {
        file.readOnlyReason
      }
    contents = Mutex(Contents(database: database, rows: source.rows))
    cache = AtomicCache(source.rows, stamp)
  }

  /// Opens a store with the model that it was written with, if it must be migrated to have another.
  ///
  /// The file does not have its model, only version hashes, or that of the model which this program
  /// has written it with. Without those it has the other model if it can be read with it.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - options: How it is opened.
  ///   - model: The model that it is to have.
  ///   - versions: The models that it may have, those that are tried first first.
  /// - Returns: The store with its former model; nil if it has the model, or none fits.
  /// - Throws: `StoreError` if the file cannot be read.
  package static func former(
    path: String, options: Options, _ model: ManagedObjectModel,
    among versions: () -> [ManagedObjectModel]
  ) throws(StoreError) -> XMLStore? {
    let database = try database(StoreFile(path: path))
    func open(_ version: ManagedObjectModel) -> XMLStore? {
      try? XMLStore(path: path, options: options, expectedModel: version)
    }
    let isOf = database.isOf(model)
    let isUnknown = isOf == nil && database.versionHashes.isEmpty
    if isOf == true || isUnknown && open(model) != nil { return nil }
    let versions = versions()
    if let version = versions.first(where: { database.isOf($0) == true }),
      let store = open(version)
    {
      return store
    }
    if open(model) != nil { return nil }
    return versions.lazy.compactMap(open).first
  }

  /// The models that a file can have been written with: those whose hashes it has, else those that
  /// it can be read with and whose hashes are not known.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - models: The models.
  /// - Returns: Their indexes.
  /// - Throws: `StoreError` if the file cannot be read.
  package static func possibleModels(
    path: String, among models: [ManagedObjectModel]
  ) throws(StoreError) -> [Int] {
    let database = try database(StoreFile(path: path))
    let known = models.indices.filter { database.isOf(models[$0]) == true }
    if !known.isEmpty { return known }
    return models.indices.filter {
      database.isOf(models[$0]) == nil
        && (try? XMLStore(path: path, expectedModel: models[$0])) != nil
    }
  }

  package var summary: StoreSummary {
    var summary = StoreSummary(
      name: URL(fileURLWithPath: file.path).lastPathComponent, path: file.path,
      kind: "Core Data store (XML)", readOnlyReason: readOnlyReason, notes: notes)
    summary.byteCount = contents.withLock { $0.database.bytes.count }
    return summary
  }

  /// The path of the copy made before the first save; nil if none was made.
  package var backupPath: String? { contents.withLock { $0.backupPath } }

  package var sharesKeys: Bool { true }

  /// See `BulkStore.keeps(_:of:)`: an integer, or a text that can stand among others.
  package func keeps(_ key: ObjectKey, of entityName: String) -> Bool {
    switch key {
    case .integer: return true
    case .composite(let values):
      guard case .string(let text)? = values.first, values.count == 1, !text.isEmpty else {
        return false
      }
      return !text.contains(where: \.isWhitespace) && XMLText.key(of: text) == key
    case .temporary: return false
    }
  }

  package func load() throws(StoreError) -> InMemoryRows {
    let database = try Self.database(file)
    guard database.uuid ?? file.path == identifier else {
      throw StoreError(
        .replaced, doing: "reading", subject: file.path, detail: "another store is there now",
        remedy: "open the store again")
    }
    let rows = try InMemoryRows(database, model: model, storeIdentifier: identifier, file)
    contents.withLock { ($0.database, $0.rows) = (database, rows) }
    return rows
  }

  package func write(_ rows: InMemoryRows) throws(StoreError) {
    let old = contents.withLock { $0 }
    let writer = XMLWriter(old.database, old.rows, forcesTypes: options.forcesTypes)
    let bytes = try writer.bytes(of: rows)
    let database = try Self.parse(Data(bytes), file)
    if bytes != old.database.bytes {
      if options.makesBackup, old.backupPath == nil {
        let path = try file.backUp(old.database.bytes)
        contents.withLock { $0.backupPath = path }
      }
      try file.write(bytes)
    }
    contents.withLock { ($0.database, $0.rows) = (database, rows) }
  }

  package func rewrite(_ rows: InMemoryRows) throws(StoreError) {
    let old = contents.withLock { $0.database }
    let hashes = KnownVersionHashes.hashes(of: rows.model)
    let empty = try Self.parse(Data(old.emptied(for: rows.model, hashes)), file)
    let writer = XMLWriter(
      empty, InMemoryRows(model: rows.model, storeIdentifier: identifier),
      forcesTypes: options.forcesTypes,
      knownTypes: Set(old.objects.flatMap { $0.attributes.map(\.type) }))
    let bytes = try writer.bytes(of: rows)
    if options.makesBackup {
      let path = try file.backUp(old.bytes)
      contents.withLock { $0.backupPath = path }
    }
    try file.write(bytes)
  }

  /// The version hashes of the model with which the file was written; empty if it does not say.
  package var versionHashes: [String: Data] {
    contents.withLock { $0.database.versionHashes }
  }

  private static func database(_ file: StoreFile) throws(StoreError) -> XMLDatabase {
    try parse(try file.read(), file)
  }

  private static func parse(_ data: Data, _ file: StoreFile) throws(StoreError) -> XMLDatabase {
    do throws(ModelFileError) { return try XMLDatabase(data) } catch {
      throw StoreError(
        error.reason == .malformed ? .corrupt : .unsupported, doing: "opening",
        subject: file.path, detail: error.detail)
    }
  }
}
