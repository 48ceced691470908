import Foundation
import ModelFiles
import ObjectModel
import SQLQueries
import SQLiteStore
import TestSupport

/// A Core Data store made from `Fixtures/CoreData/NAME.sql`, in a temporary folder.
final class Fixture: Sendable {
  let database: TemporaryDatabase

  /// Makes the store.
  ///
  /// - Parameters:
  ///   - name: The name of the SQL file.
  ///   - model: The name of the model that is copied beside the store; nil for none.
  init(_ name: String, model: String? = nil) throws {
    let sql = try String(
      contentsOf: Self.folder.appendingPathComponent("\(name).sql"), encoding: .utf8)
    database = try TemporaryDatabase(sql, name: "\(name).store")
    if let model { try putBeside(model) }
  }

  /// Copies a model of the fixtures beside the store.
  func putBeside(_ model: String) throws {
    try FileManager.default.copyItem(
      at: Self.folder.appendingPathComponent(model),
      to: database.folder.appendingPathComponent(model))
  }

  /// Writes a model to Z_MODELCACHE.
  func putIntoCache(_ model: ManagedObjectModel) throws {
    let hex = try ModelCacheWriter.data(of: model).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    try database.run("DELETE FROM Z_MODELCACHE; INSERT INTO Z_MODELCACHE VALUES (x'\(hex)')")
  }

  /// Writes a file to the folder of external data.
  func putExternal(_ data: Data, named name: String) throws {
    let store = URL(fileURLWithPath: database.path).deletingPathExtension().lastPathComponent
    let folder = database.folder.appendingPathComponent(".\(store)_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appendingPathComponent(name))
  }

  func open(_ options: SQLiteStore.Options = .init()) throws -> SQLiteStore {
    try database.open(options)
  }

  /// The folder of the Core Data fixtures.
  static var folder: URL {
    Repository.root.appendingPathComponent("Fixtures/CoreData")
  }

  static let garden = "Garden.xcdatamodeld"
  static var gardenModel: ManagedObjectModel {
    get throws { try ModelFile.read(path: folder.appendingPathComponent(garden).path).model }
  }
}

extension SQLiteStore {
  /// The objects as text, one a line, without null values and empty relationships.
  func picture(of entityNames: String...) throws -> String {
    var lines: [String] = []
    for name in entityNames.isEmpty ? model.entities.map(\.name) : entityNames {
      let plan = FetchPlan(entityName: name, includesSubentities: false)
      let ids = Array(try fetch(plan, control: nil).ids)
      let snapshots = try snapshots(of: ids)
      for id in ids {
        guard let snapshot = snapshots[id] else { continue }
        lines.append(try line(snapshot))
      }
    }
    return lines.joined(separator: "\n")
  }

  private func line(_ snapshot: RowSnapshot) throws -> String {
    guard let entity = model.entity(named: snapshot.id.entityName) else { return "" }
    let values = zip(entity.attributes, snapshot.values).compactMap { attribute, stored in
      attribute.decode(stored).text.map { "\(attribute.name)=\($0)" }
    }
    var links: [String] = []
    for relationship in entity.relationships {
      if let place = entity.toOneIndex(relationship.name) {
        if let id = snapshot.toOne[place] { links.append("\(relationship.name)=\(id)") }
      } else if let ids = try destinations(of: relationship.name, from: [snapshot.id])[snapshot.id]
      {
        links.append("\(relationship.name)=\(ids)")
      }
    }
    return "\(snapshot.id): " + values.sorted().joined(separator: ", ")
      + (links.isEmpty ? "" : "; " + links.sorted().joined(separator: ", "))
  }
}

extension Value {
  /// The value as text; nil for null.
  fileprivate var text: String? {
    switch self {
    case .null: nil
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text): text
    case .bool(let flag): "\(flag)"
    case .date(let date): "@\(date.timeIntervalSinceReferenceDate)"
    case .data(let data):
      "x'" + data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    }
  }
}
