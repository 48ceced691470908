import ObjectModel

/// The managed object model of the demo store.
enum DemoModel {
  static let model = ManagedObjectModel {
    Entity("Color") {
      Attribute("name", .string, isOptional: false)
      Attribute("hex", .string, isOptional: false)
      Unique("name")
    }
    Entity("Note") {
      Attribute("title", .string, isOptional: false)
      Attribute("text", .string, isOptional: false)
      Attribute("date", .date, isOptional: false)
      Attribute("color", .string)
      Attribute("fileName", .string)
      Unique("fileName")
    }
    Entity("Moment") {
      Attribute("timeStamp", .date, isOptional: false)
    }
    Entity("Person") {
      Attribute("name", .string, isOptional: false)
      Attribute("username", .string, isOptional: false)
      ToMany("dvds", "DVD", inverse: "owner", deleteRule: .cascade)
      ToMany("loans", "Loan", inverse: "borrower", deleteRule: .cascade)
      Unique("username")
    }
    Entity("DVD") {
      Attribute("title", .string, isOptional: false)
      Attribute("purchaseDate", .date)
      ToOne("owner", "Person", inverse: "dvds", isOptional: false)
      ToOne("genre", "Genre", inverse: "dvds")
      ToMany("loans", "Loan", inverse: "dvd", deleteRule: .cascade)
    }
    Entity("Genre") {
      Attribute("name", .string, isOptional: false)
      ToMany("dvds", "DVD", inverse: "genre")
      Unique("name")
    }
    Entity("Loan") {
      Attribute("lentOn", .date, isOptional: false)
      Attribute("returnedOn", .date)
      ToOne("dvd", "DVD", inverse: "loans", isOptional: false)
      ToOne("borrower", "Person", inverse: "loans", isOptional: false)
    }
  }
}
