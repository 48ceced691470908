import Foundation
import ManagedObjects
import ObjectModel

extension MOPerson {
  /// The name, or the user name of a person without one.
  var shownName: String { name ?? username }

  /// Registers a person; a user name that is taken makes the save fail.
  static func register(
    _ username: String, name: String?, in context: ManagedObjectContext
  ) throws -> MOPerson {
    let person = try MOPerson.insert(into: context)
    person.username = username
    person.name = name
    return person
  }

  /// Returns the person with a user name; nil if there is none.
  static func find(_ username: String, in context: ManagedObjectContext) throws -> MOPerson? {
    try objects(where: MOPerson.username == username, in: context).first
  }
}
