import Foundation
import ManagedObjects
import ObjectModel

extension MODVD {
  /// Inserts a DVD of a person.
  static func insert(
    _ title: String, of owner: MOPerson, bought date: Date?, into context: ManagedObjectContext
  ) throws -> MODVD {
    let dvd = try MODVD.insert(into: context)
    dvd.title = title
    dvd.purchaseDate = date
    dvd.owner = owner
    return dvd
  }

  /// Inserts the DVDs of a text, with their owners: `ada|Ada Lovelace|2003-02-14|Alien` on a line.
  static func insertAll(of text: String, into context: ManagedObjectContext) throws {
    let days = Date.ISO8601FormatStyle().year().month().day()
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "|").map(String.init)
      let owner =
        try MOPerson.find(parts[0], in: context)
        ?? MOPerson.register(parts[0], name: parts[1], in: context)
      _ = try insert(parts[3], of: owner, bought: days.parse(parts[2]), into: context)
    }
  }
}
