import Foundation
import ModelFiles
import ObjectModel
import SQLiteStore

/// A model to describe: of a store or of a model file.
struct DescribedModel {
  let model: ManagedObjectModel
  /// The store's summary; nil for a model file.
  let summary: StoreSummary?
  let names: NameResolver

  /// Reads the model of a store, or of a model file if the path is not a store.
  ///
  /// With a version the path must be a model file.
  init(_ argument: StoreArgument, version: String?, types: TypeOption) throws {
    if version == nil, let opened = try Self.store(argument, try types.kinds) {
      try types.check(in: opened)
      (model, summary, names) = (opened.store.model, opened.store.summary, opened.names)
      return
    }
    let decoded = try ModelFile.read(path: argument.store, version: version)
    writeNotes(decoded.notes)
    model = decoded.model
    summary = nil
    names = NameResolver(model: model, storeName: argument.store)
  }

  /// Opens a store; returns nil if the path is a model file.
  private static func store(_ argument: StoreArgument, _ kinds: [String: ColumnKind])
    throws(StoreError) -> OpenedStore?
  {
    do {
      return try OpenedStore(argument, kinds: kinds)
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

/// Managed object models as JSON.
enum ModelJSON {
  /// Returns a model, or only one entity of it if that is not nil, as JSON without a final line
  /// feed.
  ///
  /// - Throws: ``ModelError`` if a name cannot be written.
  static func text(of model: ManagedObjectModel, only entity: EntityDescription?) throws -> String {
    let json = try model.json()
    guard let entity,
      var object = try JSONSerialization.jsonObject(with: json) as? [String: Any],
      let entities = object["entities"] as? [[String: Any]]
    else { return String(decoding: json, as: UTF8.self) }
    object["entities"] = entities.filter { $0["name"] as? String == entity.name }
    return String(
      decoding: try JSONSerialization.data(
        withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]),
      as: UTF8.self)
  }
}
