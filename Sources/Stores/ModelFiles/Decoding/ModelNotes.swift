package import ObjectModel

/// Collects notes about what was left out or repaired while a model was read.
///
/// A damaged model can have any number of faults, so only the first 20 are kept and the others
/// counted.
struct ModelNotes {
  private static let limit = 20
  private var kept: [String] = []
  private var others = 0

  /// Adds a note: a sentence without its full stop.
  mutating func add(_ note: String) {
    if kept.count < Self.limit { kept.append(note + ".") } else { others += 1 }
  }

  /// The notes as sentences; a last one counts those that were not kept.
  var sentences: [String] {
    others == 0 ? kept : kept + ["\(others) more parts were left out or repaired."]
  }

  /// Formats a path of names for a note, as `“Person.dvds”`; names are truncated to 80 Unicode
  /// scalars.
  static func quoted(_ names: String...) -> String {
    let short = names.map { name in
      let scalars = name.unicodeScalars.prefix(80)
      return scalars.endIndex == name.unicodeScalars.endIndex ? name : String(scalars) + "…"
    }
    return "“" + short.joined(separator: ".") + "”"
  }
}

/// A model read from a file or a model cache, with notes about what could not be kept.
package struct DecodedModel: Hashable, Sendable {
  /// The model, which `validate()` accepts.
  package var model: ManagedObjectModel
  /// What was left out or repaired, one sentence each; empty if nothing was.
  package var notes: [String]
  /// Whether there is no model file: the model is what tables let guess.
  package var isDerived: Bool

  /// Creates a decoded model.
  package init(model: ManagedObjectModel, notes: [String] = [], isDerived: Bool = false) {
    self.model = model
    self.notes = notes
    self.isDerived = isDerived
  }
}
