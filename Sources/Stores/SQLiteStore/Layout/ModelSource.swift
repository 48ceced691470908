import Foundation
import GRDB
import ModelFiles
import ObjectModel

/// Finds the model of a store: in the file that the user names, else in Z_MODELCACHE, else in a
/// file beside the store, else from the tables.
struct ModelSource {
  let facts: StoreFacts
  /// The store's path; nil if it has none.
  let path: String?
  /// The model file that the user names; nil for none.
  let modelPath: String?
  /// A model file that may be the store's; nil for none.
  let modelCandidate: String?

  /// The model, with a note on its source.
  ///
  /// - Throws: `StoreError` if the named file cannot be read, `DatabaseError` if the store cannot.
  func model(in database: Database) throws -> DecodedModel {
    if let modelPath {
      let model: DecodedModel
      do throws(ModelFileError) {
        model = try ModelCandidate(path: modelPath, facts: facts).bestVersion().described(
          as: "The model is read from \(modelPath)")
      } catch {
        throw StoreError(error)
      }
      guard belongsToStore(model.model) else { throw foreignModel(modelPath) }
      return model
    }
    switch try cache(in: database) {
    case .model(let model): return model
    case .none(let why):
      if var near = modelThatFits() {
        near.notes.insert(why, at: 0)
        return near
      }
      let model = try ColumnModel(facts: facts).model(in: database)
      return DecodedModel(
        model: model,
        notes: [
          why,
          "Entities are those of the store, properties are named by their columns in lower case; "
            + "types and relationships follow from the tables. "
            + "A model file can be given with --model.",
        ], isDerived: true)
    }
  }

  /// Whether a model has an entity of the store, if the store has any.
  private func belongsToStore(_ model: ManagedObjectModel) -> Bool {
    !facts.numbers.entries(of: model).isEmpty || facts.numbers.entries.isEmpty
  }

  private func foreignModel(_ modelPath: String) -> StoreError {
    StoreError(
      .unsupported, doing: "opening the store", subject: path ?? "",
      detail: "\(modelPath) has none of the store's entities",
      remedy: "the model of the program that made the store, or no --model")
  }

  /// The content of Z_MODELCACHE.
  private enum Cache {
    case model(DecodedModel)
    /// No model, with the reason.
    case none(String)
  }

  private func cache(in database: Database) throws -> Cache {
    guard facts.tables["Z_MODELCACHE"]?.column("Z_CONTENT") != nil else {
      return .none("The store holds no model: it was last written before iOS 9 and OS X 10.11.")
    }
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT CASE WHEN length(c.Z_CONTENT) <= ? THEN c.Z_CONTENT END FROM main.Z_MODELCACHE AS c
        WHERE length(c.Z_CONTENT) > 0 LIMIT 1
        """, arguments: [Self.longestCache])
    guard let row else { return .none("The store's model cache is empty.") }
    guard let data = Data.fromDatabaseValue(row[0]) else {
      return .none("The store's model cache is too large.")
    }
    do {
      let model = try ModelCache.model(from: data)
      guard belongsToStore(model.model) else {
        return .none("The store's model cache belongs to another store.")
      }
      return .model(model)
    } catch {
      return .none("The store's model cache cannot be used. \(error.description)")
    }
  }

  /// The candidate, or the model file in the store's folder, that matches the store; nil if there is
  /// none.
  private func modelThatFits() -> DecodedModel? {
    if let modelCandidate,
      let version = ModelCandidate(path: modelCandidate, facts: facts).surelyRight()
    {
      return version.described(as: "The model is \(modelCandidate)")
    }
    guard let path else { return nil }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let models = names.filter { name in
      Self.modelEndings.contains { name.hasSuffix($0) } && !name.hasPrefix(".")
    }
    .sorted().prefix(Self.mostCandidates)
    let found = models.lazy.compactMap { name in
      ModelCandidate(path: folder + "/" + name, facts: facts).surelyRight().map { ($0, name) }
    }
    return found.first.map { $0.described(as: "The model is \($1), which is beside the store") }
  }

  /// In the order in which files of the same name are tried: a .momd has version hashes.
  private static let modelEndings = [".momd", ".mom", ".xcdatamodeld", ".xcdatamodel"]
  private static let mostCandidates = 16
  private static let longestCache = 64 << 20
}

extension StoreError {
  /// The error for a model file, named by the user, that cannot be used.
  init(_ error: ModelFileError) {
    let reason: Reason = error.reason == .unreadable ? .notFound : .unsupported
    self.init(
      reason, doing: "reading the model", subject: error.subject,
      detail: error.detail.isEmpty ? error.description : error.detail, remedy: error.remedy)
  }
}
