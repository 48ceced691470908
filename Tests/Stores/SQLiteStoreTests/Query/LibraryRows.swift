import GRDB
import ObjectModel
import Testing

@testable import SQLQueries
@testable import SQLiteStore

/// The library's rows in memory, for predicates that are evaluated there.
final class LibraryRows {
  let model: ManagedObjectModel
  private(set) var rows: [ObjectID: RowSnapshot] = [:]
  private(set) var destinations: [String: [ObjectID: [ObjectID]]] = [:]

  init(_ library: Library) throws {
    model = library.layout.model
    let (reader, model) = (library.reader, model)
    (rows, destinations) = try library.queue.writeWithoutTransaction { database in
      var rows: [ObjectID: RowSnapshot] = [:]
      var destinations: [String: [ObjectID: [ObjectID]]] = [:]
      for entity in model.entities {
        let ids = try reader.fetch(
          FetchPlan(entityName: entity.name, includesSubentities: false), control: nil,
          on: Connection(database)
        ).ids
        rows.merge(try reader.snapshots(of: Array(ids), on: Connection(database))) { $1 }
        for relationship in entity.relationships where relationship.isToMany {
          destinations["\(entity.name).\(relationship.name)"] = try reader.destinations(
            of: relationship.name, from: Array(ids), on: Connection(database))
        }
      }
      return (rows, destinations)
    }
  }

  func subjects(_ entityName: String) -> [LibraryRow] {
    let names = model.entityNames(inheritingFrom: entityName)
    return rows.keys.filter { names.contains($0.entityName) }.sorted { $0.key < $1.key }.map {
      LibraryRow(id: $0, all: self)
    }
  }
}

/// A row as the subject of a predicate.
struct LibraryRow: PredicateSubject {
  let id: ObjectID
  let all: LibraryRows

  var objectID: ObjectID { id }

  func operand(forKey key: String) -> PredicateOperand {
    guard let entity = all.model.entity(named: id.entityName), let row = all.rows[id] else {
      return .missing
    }
    if let place = entity.attributeIndex(key) {
      return .value(entity.attributes[place].decode(row.values[place]))
    }
    if let place = entity.toOneIndex(key) {
      guard let destination = row.toOne[place], all.rows[destination] != nil else {
        return .value(.null)
      }
      return .object(LibraryRow(id: destination, all: all))
    }
    let ids = all.destinations["\(entity.name).\(key)"]?[id] ?? []
    return .collection(ids.map { LibraryRow(id: $0, all: all) })
  }
}
