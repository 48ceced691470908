import Foundation
import ObjectModel
import SQLQueries

extension StoreChecker {
  /// Checks the external data of an entity: core-data-stores 4.6.
  mutating func checkFiles(of entity: EntityDescription) throws(StoreError) {
    guard let table = layout.tables[entity.name],
      let key = keyColumns(of: table, alias: "t").first
    else { return }
    let folder = ExternalFolder(storePath: path)
    for (attribute, column) in ownAttributes(of: entity) where attribute.encoding == .externalData {
      let value = SQL.column(column, of: "t")
      // The first byte is enough for inline values.
      let statement = try prepare(
        """
        SELECT \(key), CASE WHEN length(\(value)) = 38 THEN \(value) \
        ELSE substr(\(value), 1, 1) END FROM \(name: table.name) t\
        \(where: [isMember(of: entity.name, alias: "t"), "\(value) IS NOT NULL"])
        """)
      var missing = Offenders()
      var odd = Offenders()
      while try statement.step() {
        let stored = statement.value(1)
        if let name = stored.externalFileName {
          usedFiles.insert(name)
          if FileIdentity(path: folder.file(named: name)) == nil {
            missing.add(statement.value(0).description)
          }
        } else if stored.leadingByte != ExternalFolder.inlineMark {
          odd.add(statement.value(0).description)
        }
      }
      report(
        .error, .externalForm, table: table.name, odd,
        "have a \(attribute.name) that is neither inline bytes nor a reference to a file")
      let isFolderThere = FileIdentity(path: folder.path) != nil
      report(
        isFolderThere ? .error : .warning, .missingFile, table: table.name, missing,
        "have their \(attribute.name) in a file that is missing in \(folder.path)",
        remedy: "copy the folder from the store's origin")
    }
  }

  /// Finds files to which no value refers, after ``checkFiles(of:)`` for all entities.
  mutating func checkUnusedFiles() {
    let folder = ExternalFolder(storePath: path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let unused = names.filter { !usedFiles.contains($0) }.sorted()
    guard !unused.isEmpty else { return }
    let files = unused.count == 1 ? "1 file" : "\(unused.count) files"
    report(
      .note, .unusedFile, keys: Array(unused.prefix(CheckFinding.keyLimit)), count: unused.count,
      "\(files) in \(folder.path) not used by any object",
      remedy: "an app removes them in time")
  }
}

extension Value {
  /// The first byte of binary data; nil for other values.
  fileprivate var leadingByte: UInt8? {
    if case .data(let data) = self { data.first } else { nil }
  }
}
