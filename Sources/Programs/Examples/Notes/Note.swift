import Cardfile

/// A note with a title, a text, a day, a file name and a background colour.
final class Note: ManagedObject, EntityClass {
  static let entityName = "Note"
  static let title = AttributeKey<Note, String>("title")
  static let text = AttributeKey<Note, String>("text")
  static let date = AttributeKey<Note, Date>("date")
  static let fileName = AttributeKey<Note, String>("fileName")
  static let hex = AttributeKey<Note, String?>("hex")

  static let model = ManagedObjectModel {
    Entity("Note") {
      Attribute("title", .string, isOptional: false)
      Attribute("text", .string, isOptional: false)
      Attribute("date", .date, isOptional: false)
      Attribute("fileName", .string, isOptional: false)
      Attribute("hex", .string)
      Unique("fileName")
    }
  }

  var color: Color? { self[Note.hex].flatMap { Color(hex: $0) } }

  static func insert(
    title: String, date: Date = Date(), hex: String? = nil, text: String = "",
    into context: ManagedObjectContext
  ) throws -> Note {
    let note = try Note.insert(into: context)
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
    (note[Note.title], note[Note.text], note[Note.date]) = (title, text, date)
    (note[Note.fileName], note[Note.hex]) = (words.joined(separator: "-") + ".txt", hex)
    return note
  }
}
