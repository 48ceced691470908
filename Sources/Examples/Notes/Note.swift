import Foundation
import ManagedObjects
import ObjectModel
import TerminalKit

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

  /// The background; nil for none.
  var color: Color? { self[Note.hex].flatMap { Color(hex: $0) } }

  /// Makes a note of today without a text.
  static func insert(title: String, into context: ManagedObjectContext) throws -> Note {
    let note = try Note.insert(into: context)
    note[Note.title] = title
    note[Note.text] = ""
    note[Note.date] = Date()
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
    note[Note.fileName] = words.joined(separator: "-") + ".txt"
    return note
  }

  /// Inserts the notes of a text, one a line: `2026-01-03 #FFE9A8 First frost|The pond froze …`.
  static func insertAll(of text: String, into context: ManagedObjectContext) throws {
    let days = Date.ISO8601FormatStyle().year().month().day()
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "|", maxSplits: 1)
      let head = parts[0].split(separator: " ", maxSplits: 2)
      let note = try insert(title: String(head[2]), into: context)
      note[Note.date] = try days.parse(String(head[0]))
      note[Note.hex] = String(head[1])
      note[Note.text] = String(parts[1])
    }
  }
}
