/// What was left out or mended while a model was read.
///
/// A damaged model could have any number of faults; the first ones are enough for a person.
package struct ModelNotes: Sendable {
  private static let limit = 20
  private var kept: [String] = []
  private var others = 0

  /// No notes yet.
  package init() {}

  /// Adds a note, a sentence without its full stop.
  package mutating func add(_ note: String) {
    if kept.count < Self.limit { kept.append(note + ".") } else { others += 1 }
  }

  /// The sentences; the last one counts what is not told.
  package var sentences: [String] {
    others == 0 ? kept : kept + ["\(others) more parts were left out or mended."]
  }

  /// Names as a note shows them: `“Person.dvds”`, cut where they are too long to be names.
  package static func quoted(_ names: String...) -> String {
    let short = names.map { name in
      let scalars = name.unicodeScalars.prefix(80)
      return scalars.endIndex == name.unicodeScalars.endIndex ? name : String(scalars) + "…"
    }
    return "“" + short.joined(separator: ".") + "”"
  }
}
