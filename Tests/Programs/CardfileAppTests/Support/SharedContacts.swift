import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

@testable import CardfileApp

/// A store that the application has open and another program changes: Ada with two pets, two orders
/// and a toy each.
final class SharedContacts {
  let store: any PersistentStore
  /// Where the store is; nil in memory.
  private let folder: TemporaryFolder?

  static let model = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string)
      ToMany("pets", "Pet", inverse: "owner", deleteRule: .cascade)
      ToMany("orders", "Order", inverse: "customer", deleteRule: .nullify)
      ToMany("invoices", "Invoice", inverse: "customer", deleteRule: .deny)
    }
    Entity("Pet") {
      Attribute("name", .string)
      ToOne("owner", "Person", inverse: "pets")
      ToMany("toys", "Toy", inverse: "pet", deleteRule: .cascade)
    }
    Entity("Toy") {
      Attribute("name", .string)
      ToOne("pet", "Pet", inverse: "toys")
    }
    Entity("Order") {
      Attribute("name", .string)
      ToOne("customer", "Person", inverse: "orders")
    }
    Entity("Invoice") {
      Attribute("name", .string)
      ToOne("customer", "Person", inverse: "invoices")
    }
  }

  init(_ kind: TestedStore) throws {
    let folder = try TemporaryFolder()
    self.folder = kind == .memory ? nil : folder
    store = try kind.makeStore(Self.model, at: folder.path("contacts.sqlite"))
    try change { context in
      let ada = try Self.insert("Person", "Ada", in: context)
      try Self.insert("Person", "Bob", in: context)
      for name in ["Rex", "Tom"] {
        let pet = try Self.insert("Pet", name, in: context, owner: ada, forKey: "owner")
        try Self.insert("Toy", "\(name)'s ball", in: context, owner: pet, forKey: "pet")
      }
      for name in ["O1", "O2"] {
        try Self.insert("Order", name, in: context, owner: ada, forKey: "customer")
      }
    }
  }

  /// Changes the store as another program would: with a connection of its own where it is a file.
  func change(_ body: (ManagedObjectContext) throws -> Void) throws {
    let other: any PersistentStore =
      if let folder {
        try SQLiteStore.open(path: folder.path("contacts.sqlite"))
      } else { store }
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: other))
    try body(context)
    try context.save()
  }

  @discardableResult
  static func insert(
    _ entityName: String, _ name: String, in context: ManagedObjectContext,
    owner: ManagedObject? = nil, forKey key: String = ""
  ) throws -> ManagedObject {
    let object = try context.insert(entityName: entityName)
    object["name"] = .string(name)
    if let owner { try object.setObject(owner, forKey: key) }
    return object
  }

  static func object(_ name: String, _ entityName: String, in context: ManagedObjectContext) throws
    -> ManagedObject
  {
    let all = try context.fetch(FetchRequest<ManagedObject>(entityName: entityName))
    return try #require(all.first { $0["name"] == .string(name) })
  }

  /// All objects as the store has them, a line each: "Pet Rex owner Ada".
  func contents() throws -> [String] {
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    var lines: [String] = []
    for entity in Self.model.entities {
      for object in try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name)) {
        let leads = entity.toOneRelationships.compactMap { relationship in
          object.object(forKey: relationship.name).map {
            " \(relationship.name) \($0["name"].description)"
          }
        }
        lines.append("\(entity.name) \(object["name"].description)\(leads.joined())")
      }
    }
    return lines.sorted()
  }
}
