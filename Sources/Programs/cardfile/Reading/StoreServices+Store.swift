import CardfileApp
import ModelFiles
import ObjectModel
import RESTStore
import SQLiteStore
import Transfers

extension StoreServices {
  /// The features of a store; most are those of a SQLite database.
  init(_ opened: OpenedStore) {
    self.init()
    description = { data in ArchiveDescription.lines(of: data) }
    archiveTree = { data in ArchiveTree.tree(of: data) }
    unpack = { data, limit in try Inflate.unpacked(data, limit: limit) }
    decodesValues = opened.isCoreData
    makesBackup = opened.isCoreData && opened.makesBackup
    backupPath = { opened.backupPath }
    importing = (opened.store as? any BulkStore).map { Importing(into: $0) }
    if let service = opened.store as? RESTStore {
      freshness = { [weak service] in service?.freshnessParts }
      trouble = { [weak service] in service?.trouble }
      decodesValues = false
    }
    guard let store = opened.sqlite else { return }
    row = { id in try store.row(behind: id) }
    warningsBeforeSaving = { store.warningsBeforeWriting() }
    isOutdated = { store.isOutdated }
    isWaitingForLock = { store.isWaitingForLock }
    observeLockWaits = { store.observeLockWaits($0) }
    unusedFileCount = { store.unusedFileCount }
    if let modelPath = opened.modelPath, store.summary.readOnlyReason == nil, store.isCoreData {
      let makesBackup = opened.makesBackup
      migration = { try OfferedMigration(of: store, to: modelPath, makesBackup: makesBackup) }
    }
  }
}

extension OfferedMigration {
  /// Plans the migration of a store to the model that it is shown with; nil if a version of that is its own.
  init?(of shown: SQLiteStore, to modelPath: String, makesBackup: Bool) throws {
    guard let path = shown.summary.path else { return nil }
    var options = SQLiteStore.Options()
    (options.modelCandidate, options.makesBackup) = (modelPath, makesBackup)
    // With its own model.
    let store = try SQLiteStore.open(path: path, options: options)
    let versions = try ModelFile.versions(path: modelPath)
    for name in versions.names {
      let model = try ModelFile.read(path: modelPath, version: name).model
      if ModelDifference.isEmpty(from: store.model, to: model) { return nil }
    }
    // The model that is shown lacks what the store has no tables for.
    let version = versions.current ?? versions.names.last
    let model = try ModelFile.read(path: modelPath, version: version).model
    let mapping = try FoundMapping(
      beside: modelPath, version: version, from: store.model, store.storedVersionHashes(),
      to: model)
    let migration = try store.migration(to: model, mapping: mapping.model)
    self.init(
      lines: migration.lines + mapping.notes + store.warningsBeforeWriting(),
      refusals: migration.refusals
    ) {
      try store.migrate(migration)
      return store.backupPath
    }
  }
}

extension StoreServices.Importing {
  private static let previewCount = 5

  /// Imports files into a store.
  fileprivate init(into store: any BulkStore) {
    self.init { path, entity in
      let importer = try Importer(path, as: entity, into: store)
      let rows = importer.preview(Self.previewCount).map { row in
        zip(importer.previewColumns, row.values).map { "\($0) \($1)" }.joined(separator: ", ")
          + (row.problem.map { " (\($0))" } ?? "")
      }
      return [importer.formatPhrase] + importer.mapping.columns.map(\.phrase)
        + (rows.isEmpty ? [] : [""] + rows)
    } run: { path, entity, rejectsPath, control in
      let importer = try Importer(path, as: entity, into: store)
      var rejects = try rejectsPath.map { path throws(TransferError) in
        try RejectsFile(path: path, columns: importer.mapping.columns.map(\.name))
      }
      var first: Rejection?
      let result: ImportResult
      do {
        result = try importer.run(acceptsRejects: rejects != nil) { rejection in
          if first == nil { first = rejection }
          try rejects?.write(rejection)
        } progress: {
          control.report(completed: $0.records, total: $0.estimatedTotal)
        }
      } catch {
        rejects?.discard()
        guard let first, var error = error as? TransferError else { throw error }
        error.detail += ": \(first.phrase)"
        error.remedy = ""
        throw error
      }
      guard result.rejected > 0, let rejectsPath else {
        rejects?.discard()
        return result.phrase
      }
      try rejects?.commit()
      return "\(result.phrase) (in \(rejectsPath))"
    }
  }
}
