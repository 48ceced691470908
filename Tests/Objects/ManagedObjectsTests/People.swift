import Foundation
import ManagedObjects
import ObjectModel

/// People with relationships of every kind.
let peopleModel = ManagedObjectModel(entities: [
  EntityDescription(
    name: "Person",
    attributes: [
      AttributeDescription("name", .string, isOptional: false),
      AttributeDescription("age", .integer64, defaultValue: 18),
      AttributeDescription("born", .date), AttributeDescription("note", .string),
    ],
    relationships: [
      RelationshipDescription("employer", to: "Company", inverse: "employees"),
      RelationshipDescription(
        "pets", to: "Pet", inverse: "owner", isToMany: true, deleteRule: .cascade),
      RelationshipDescription("tags", to: "Tag", inverse: "people", isToMany: true),
      RelationshipDescription(
        "favourites", to: "Tag", inverse: "fans", isToMany: true, isOrdered: true),
      RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true),
      RelationshipDescription(
        "invoices", to: "Invoice", inverse: "customer", isToMany: true, deleteRule: .deny),
      RelationshipDescription("orders", to: "Order", inverse: "customer", isToMany: true),
      RelationshipDescription(
        "passport", to: "Passport", inverse: "holder", deleteRule: .cascade),
      RelationshipDescription("manager", to: "Person", inverse: "reports"),
      RelationshipDescription("reports", to: "Person", inverse: "manager", isToMany: true),
    ]),
  EntityDescription(
    name: "Company", attributes: [AttributeDescription("name", .string)],
    relationships: [
      RelationshipDescription("employees", to: "Person", inverse: "employer", isToMany: true)
    ]),
  EntityDescription(
    name: "Pet", attributes: [AttributeDescription("name", .string)],
    relationships: [
      RelationshipDescription("owner", to: "Person", inverse: "pets"),
      RelationshipDescription(
        "toys", to: "Toy", inverse: "pet", isToMany: true, isOrdered: true, deleteRule: .cascade),
    ]),
  EntityDescription(
    name: "Toy", attributes: [AttributeDescription("name", .string)],
    relationships: [
      // Deleting a toy deletes its pet: a cycle.
      RelationshipDescription("pet", to: "Pet", inverse: "toys", deleteRule: .cascade)
    ]),
  EntityDescription(
    name: "Tag", attributes: [AttributeDescription("name", .string)],
    relationships: [
      RelationshipDescription("people", to: "Person", inverse: "tags", isToMany: true),
      RelationshipDescription("fans", to: "Person", inverse: "favourites", isToMany: true),
    ]),
  EntityDescription(
    name: "Invoice", attributes: [AttributeDescription("name", .string)],
    relationships: [RelationshipDescription("customer", to: "Person", inverse: "invoices")]),
  EntityDescription(
    name: "Order", attributes: [AttributeDescription("name", .string)],
    relationships: [RelationshipDescription("customer", to: "Person", inverse: "orders")]),
  EntityDescription(
    name: "Passport", attributes: [AttributeDescription("name", .string)],
    relationships: [RelationshipDescription("holder", to: "Person", inverse: "passport")]),
])

class Person: ManagedObject, EntityClass {
  class var entityName: String { "Person" }
  static let name = AttributeKey<Person, String>("name")
  static let age = AttributeKey<Person, Int?>("age")
  static let born = AttributeKey<Person, Date?>("born")
  static let note = AttributeKey<Person, String?>("note")
  static let employer = RelationshipKey<Person, Company?>("employer")
  static let pets = RelationshipKey<Person, Set<Pet>>("pets")
  static let favourites = RelationshipKey<Person, [Tag]>("favourites")
  static let manager = RelationshipKey<Person, Person?>("manager")
}

final class Company: ManagedObject, EntityClass {
  static let entityName = "Company"
  static let name = AttributeKey<Company, String?>("name")
  static let employees = RelationshipKey<Company, Set<Person>>("employees")
}

final class Pet: ManagedObject, EntityClass {
  static let entityName = "Pet"
  static let name = AttributeKey<Pet, String?>("name")
  static let owner = RelationshipKey<Pet, Person?>("owner")
}

final class Tag: ManagedObject, EntityClass {
  static let entityName = "Tag"
  static let name = AttributeKey<Tag, String?>("name")
}
