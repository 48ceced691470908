import ModelFiles
import ObjectModel
import SQLiteStore

/// A model to describe: a store's, or that of a model file.
struct DescribedModel {
  let model: ManagedObjectModel
  /// What is known of the store; nil for a model file.
  let summary: StoreSummary?
  let names: NameResolver

  /// Reads the model of a store or, where the path leads to none, of a model file.
  ///
  /// A version is one of a model file: with it no store is looked for.
  init(_ argument: StoreArgument, version: String?) throws {
    if version == nil, let opened = try Self.store(argument) {
      (model, summary, names) = (opened.store.model, opened.store.summary, opened.names)
      return
    }
    let decoded = try ModelFile.read(path: argument.store, version: version)
    writeNotes(decoded.notes)
    model = decoded.model
    summary = nil
    names = NameResolver(model: model, storeName: argument.store)
  }

  /// Opens a store; nil where the path leads to a model file.
  private static func store(_ argument: StoreArgument) throws(StoreError) -> OpenedStore? {
    do {
      return try OpenedStore(argument)
    } catch {
      // Of what is neither, the store is meant.
      switch error.reason {
      case .notAFile where (try? ModelFile.versions(path: argument.store)) != nil: return nil
      case .notADatabase where (try? ModelFile.read(path: argument.store)) != nil: return nil
      default: throw error
      }
    }
  }
}
