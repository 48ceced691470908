import Foundation
import ModelFiles
import ObjectModel
import SQLQueries

/// A model file that may belong to a store, and its version that matches best.
struct ModelCandidate {
  let path: String
  let facts: StoreFacts

  /// A version of a model.
  struct Version {
    var decoded: DecodedModel
    /// Its name if the file has several versions; else nil.
    var name: String?
    /// The entities whose version hashes differ from the store's; nil if there are no hashes to
    /// compare.
    var differing: [String]?
    /// How many entities, properties and columns of model and store have no counterpart.
    var misfits: Int
  }

  /// The version that matches best.
  ///
  /// - Throws: `ModelFileError` if no version can be read.
  func bestVersion() throws(ModelFileError) -> Version {
    let versions = try ModelFile.versions(path: path)
    if let name = versions.version(matching: facts.metadata.modelHashes) {
      return try version(name, of: versions)
    }
    var best: Version?
    var failure: ModelFileError?
    for name in versions.names.prefix(Self.mostVersions) {
      do throws(ModelFileError) {
        let next = try version(name, of: versions)
        if best.map({ next.isBetter(than: $0, isCurrent: name == versions.current) }) ?? true {
          best = next
        }
      } catch {
        failure = error
      }
    }
    if let best { return best }
    throw failure
      ?? ModelFileError(.incomplete, subject: path, detail: "there is no version of it")
  }

  /// The version whose hashes, or whose entities, properties and columns, all match the store; nil
  /// if there is none.
  func surelyRight() -> Version? {
    guard let best = try? bestVersion(), best.differing?.isEmpty ?? (best.misfits == 0) else {
      return nil
    }
    return best
  }

  private func version(_ name: String, of versions: ModelVersions) throws(ModelFileError)
    -> Version
  {
    let decoded = try ModelFile.read(
      path: path, version: versions.names.count > 1 ? name : nil)
    let builder = CoreDataLayoutBuilder(
      model: decoded.model, numbers: facts.numbers, tables: facts.tables)
    let stored = facts.metadata.modelHashes
    let differing = versions.hashes[name].flatMap { own in
      stored.isEmpty ? nil : stored.keys.filter { own[$0] != stored[$0] }.sorted()
    }
    return Version(
      decoded: decoded, name: versions.names.count > 1 ? name : nil, differing: differing,
      misfits: builder.misfits(in: facts))
  }

  private static let mostVersions = 64
}

extension ModelCandidate.Version {
  fileprivate func isBetter(than other: ModelCandidate.Version, isCurrent: Bool) -> Bool {
    let (own, others) = (
      (differing?.count ?? 0, misfits), (other.differing?.count ?? 0, other.misfits)
    )
    return own < others || (own == others && isCurrent)
  }

  /// The model with a note on its source and on differences from the store.
  ///
  /// - Parameter source: The source, a sentence without its full stop.
  /// - Returns: The model.
  func described(as source: String) -> DecodedModel {
    var decoded = decoded
    let version = name.map { ", version \($0)" } ?? ""
    let fit: String
    if let differing, !differing.isEmpty {
      fit = "; it differs from the store's own model in \(differing.sentenceList)"
    } else if differing == nil, misfits > 0 {
      let count = misfits == 1 ? "1 entity or column" : "\(misfits) entities and columns"
      fit = "; it differs from the store's own model in \(count)"
    } else {
      fit = ""
    }
    let remedy = fit.isEmpty ? "" : " “cardfile migrate” gives the store this model."
    decoded.notes.insert(source + version + fit + "." + remedy, at: 0)
    return decoded
  }
}

extension CoreDataLayoutBuilder {
  /// How many entities, properties and columns of model and store have no counterpart.
  func misfits(in facts: StoreFacts) -> Int {
    let numbers = Set(locations.values.map(\.number))
    let unknown = facts.numbers.entries.count { !numbers.contains($0.number) }
    var claimed: [String: Set<String>] = [:]
    for table in entityTables.values {
      claimed[table.name, default: []].formUnion(table.ownColumns)
      for case .foreignKey(let key) in table.toMany.values where key.isHidden {
        // A hidden column is in the destination's table; its name is in no other table.
        for name in locations.values.map(\.table.name) {
          claimed[name, default: []].formUnion(key.columns + [key.orderColumn].compactMap { $0 })
        }
      }
    }
    let unclaimed = claimed.map { name, columns in
      (facts.tables[name]?.columnNames ?? []).count { !columns.contains($0) }
    }
    return unknown + notes.count + unclaimed.reduce(0, +)
  }
}

extension EntityTable {
  /// The columns that the entity's properties use in its own table.
  fileprivate var ownColumns: [String] {
    [ActualTable.keyColumn, ActualTable.entityColumn, ActualTable.versionColumn] + columns
      + toOne.values.flatMap {
        $0.columns + [$0.entityColumn, $0.orderColumn].compactMap { $0 }
      }
  }
}
