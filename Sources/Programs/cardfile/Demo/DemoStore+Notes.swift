import Foundation
import ManagedObjects
import ObjectModel

extension DemoStore {
  static func insertNotes(into context: ManagedObjectContext) throws {
    for line in DemoNotes.text.split(separator: "\n") {
      let (head, text) = parts(line, at: "|")
      let (date, rest) = parts(head, at: " ")
      let (color, title) = parts(rest, at: " ")
      let note = try context.insert(entityName: "Note")
      note["title"] = .string(String(title))
      note["text"] = .string(String(text))
      note["date"] = day(String(date))
      note["color"] = .string(String(color))
      note["fileName"] = .string(fileName(title))
    }
  }

  /// Inserts a moment for each of the first programs of a day, so that the list is not empty.
  static func insertMoments(into context: ManagedObjectContext) throws {
    for second in [0, 61, 3_600, 90_000] {
      let moment = try context.insert(entityName: "Moment")
      moment["timeStamp"] = .date(Date(timeIntervalSince1970: 1_767_225_600 + Double(second)))
    }
  }

  private static func parts(
    _ text: Substring, at sign: Character
  ) -> (before: Substring, after: Substring) {
    let end = text.firstIndex(of: sign) ?? text.endIndex
    return (text[..<end], text[end...].dropFirst())
  }

  /// The name of a note's file: `what-the-baker-said.txt`.
  private static func fileName(_ title: Substring) -> String {
    title.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-") + ".txt"
  }
}
