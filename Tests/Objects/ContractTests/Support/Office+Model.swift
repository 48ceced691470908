import ObjectModel

extension Office {
  /// Entities with attributes, relationships and delete rules of every kind.
  static let model: ManagedObjectModel = {
    let declared = ManagedObjectModel {
      Entity("Party", isAbstract: true) {
        Attribute("name", .string, isOptional: false)
      }
      Entity("Person", extends: "Party") {
        Attribute("age", .integer64, default: 18)
        Attribute("height", .double)
        Attribute("isActive", .boolean, isOptional: false, default: true)
        Attribute("born", .date)
        Attribute("wage", .decimal)
        Attribute("photo", .binaryData)
        Attribute("token", .uuid)
        Attribute("site", .uri)
        Attribute("code", .string)
        Attribute("address", .transformable)
        Attribute("colour", .transformable, valueTransformerName: "ContractColour")
        Attribute("shape", .transformable, valueTransformerName: "Unregistered")
        ToOne("employer", "Company", inverse: "employees")
        ToMany("pets", "Pet", inverse: "owner", deleteRule: .cascade)
        ToMany("tags", "Tag", inverse: "people")
        ToMany("favourites", "Tag", inverse: "fans", isOrdered: true)
        ToMany("friends", "Person", inverse: "friends")
        ToMany("invoices", "Invoice", inverse: "customer", deleteRule: .deny)
        ToOne("passport", "Passport", inverse: "holder", deleteRule: .cascade)
        ToOne("manager", "Person", inverse: "reports")
        ToMany("reports", "Person", inverse: "manager")
        FetchedProperty(
          "colleagues", "Person",
          predicate: "employer == $FETCH_SOURCE.employer AND SELF != $FETCH_SOURCE",
          sortedBy: [.init("name", isAscending: false)])
        FetchedProperty(
          "elder", "Person", predicate: "age > $FETCH_SOURCE.age", sortedBy: [.init("age")],
          fetchLimit: 1)
        FetchedProperty(
          "badges", "Tag", predicate: "name == $FETCHED_PROPERTY.userInfo.colour",
          userInfo: ["colour": "red"])
        FetchedProperty("petsOfReports", "Pet", predicate: "owner.manager == $FETCH_SOURCE")
        FetchedProperty("likedPeople", "Person", predicate: "ANY tags IN $FETCH_SOURCE.favourites")
        FetchedProperty("broken", "Person", predicate: "nonsense == $FETCH_SOURCE.name")
        Unique("code")
        FetchTemplate(
          "older", predicate: "age > $AGE AND name IN $NAMES",
          sortedBy: [.init("name", isAscending: false)], fetchLimit: 2)
      }
      Entity("Student", extends: "Person") { Attribute("school", .string) }
      Entity("Company") {
        Attribute("name", .string)
        ToMany("employees", "Person", inverse: "employer")
        FetchTemplate("companies")
      }
      Entity("Pet") {
        Attribute("name", .string)
        ToOne("owner", "Person", inverse: "pets")
        ToMany("toys", "Toy", inverse: "pet", isOrdered: true, deleteRule: .cascade)
      }
      Entity("Toy") {
        Attribute("name", .string)
        ToOne("pet", "Pet", inverse: "toys", isOptional: false)
      }
      Entity("Tag") {
        Attribute("name", .string)
        ToMany("people", "Person", inverse: "tags")
        ToMany("fans", "Person", inverse: "favourites")
      }
      Entity("Invoice") {
        Attribute("name", .string)
        ToOne("customer", "Person", inverse: "invoices")
      }
      Entity("Passport") {
        Attribute("name", .string)
        ToOne("holder", "Person", inverse: "passport")
      }
      Entity("Player") {
        Attribute("name", .string)
        ToOne("team", "Team", inverse: "players")
      }
      Entity("Seat") {
        Attribute("name", .string)
        Attribute("row", .integer64)
        Attribute("number", .integer64)
        Unique("row", "number")
      }
      // A coupon of 1 to 100 percent, with a code of at most 8 characters.
      Entity("Coupon") {
        Attribute("name", .string, validations: ["length <= 8"])
        Attribute("percent", .integer64, validations: ["SELF >= 1", "SELF <= 100"])
      }
    }
    return ManagedObjectModel(entities: declared.entities + [team], details: declared.details)
  }()

  /// A team of one or two players.
  private static let team = EntityDescription(
    name: "Team", attributes: [AttributeDescription("name", .string)],
    relationships: [
      RelationshipDescription(
        "players", to: "Player", inverse: "team", isToMany: true, isOptional: false,
        details: RelationshipDetails(minCount: 1, maxCount: 2))
    ])
}
