import Cardfile

/// A crayon: a name and a colour.
final class Crayon: ManagedObject, EntityClass {
  static let entityName = "Crayon"
  static let name = AttributeKey<Crayon, String>("name")
  static let hex = AttributeKey<Crayon, String>("hex")

  static let model = ManagedObjectModel {
    Entity("Crayon") {
      Attribute("name", .string, isOptional: false)
      Attribute("hex", .string, isOptional: false)
      Unique("name")
    }
  }

  /// The colour on the screen; nil if `hex` is not a colour.
  var color: Color? { Color(hex: self[Crayon.hex]) }

  /// Inserts the crayons of a text: on each line a name and `#RRGGBB`.
  static func insert(_ text: String, into context: ManagedObjectContext) throws {
    for line in text.split(separator: "\n") {
      guard let sign = line.lastIndex(of: "#") else { continue }
      let crayon = try Crayon.insert(into: context)
      crayon[Crayon.name] = line[..<sign].trimmingCharacters(in: .whitespaces)
      crayon[Crayon.hex] = String(line[sign...])
    }
  }
}
