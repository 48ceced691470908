import Cardfile

extension MOPerson {
  var shownName: String { name ?? username }

  static func register(
    _ username: String, name: String, in context: ManagedObjectContext
  ) throws -> MOPerson {
    let person = try MOPerson.insert(into: context)
    (person.username, person.name) = (username, name.isEmpty ? nil : name)
    return person
  }

  static func find(_ username: String, in context: ManagedObjectContext) throws -> MOPerson? {
    try objects(where: MOPerson.username == username, in: context).first
  }
}
