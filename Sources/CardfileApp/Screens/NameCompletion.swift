import ObjectModel
import TerminalKit

/// The completions of the name before the cursor in a predicate.
struct NameCompletion: Hashable {
  private static let words = [
    "AND", "OR", "NOT", "BETWEEN", "IN", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES",
    "ANY", "ALL", "NONE", "TRUE", "FALSE", "NULL", "SELF",
  ]

  /// The number of characters before the cursor that the completion replaces.
  let typedCount: Int
  /// The completed name as it is written, or the common beginning of the candidates; nil if nothing
  /// can be added.
  let completion: String?
  /// The names that begin with the typed letters; empty if there is only one.
  let candidates: [String]

  /// Finds the completions.
  init(_ text: String, entity: EntityDescription, model: ManagedObjectModel) {
    let path = TypedKeyPath(before: text)
    let typed = path?.last ?? ""
    typedCount = path?.lastCount ?? 0
    var owner: EntityDescription? = path == nil ? nil : entity
    for step in path?.steps ?? [] where step.uppercased() != "SELF" {
      owner = owner?.relationship(named: step).flatMap {
        model.entity(named: $0.destinationEntityName)
      }
    }
    let isFirst = path?.steps.isEmpty ?? true
    var names = owner.map { $0.attributes.map(\.name) + $0.relationships.map(\.name) } ?? []
    if isFirst, !typed.isEmpty, path?.isQuoted == false { names += Self.words }
    let wanted = TextFolding.folded(typed)
    let matching = names.filter { TextFolding.folded($0).hasPrefix(wanted) }
    guard let first = matching.first else {
      (completion, candidates) = (nil, [])
      return
    }
    guard matching.count > 1 else {
      let isWord = isFirst && Self.words.contains(first) && owner?.property(named: first) == nil
      let written = isWord ? first : TypedPredicate.written(first, isFirst: isFirst)
      completion = first == typed && path?.isQuoted == false && written == first ? nil : written
      candidates = []
      return
    }
    let common = matching.dropFirst().reduce(first) { Self.commonPrefix($0, $1) }
    let quote = path?.isQuoted == true ? "`" : ""
    // A beginning with a blank would be read as two names.
    let isPlain = TypedPredicate.written(common, isFirst: false) == common || !quote.isEmpty
    completion = common.count > typed.count && isPlain ? quote + common : nil
    candidates = matching
  }

  private static func commonPrefix(_ a: String, _ b: String) -> String {
    String(zip(a, b).prefix { $0 == $1 }.map(\.0))
  }
}

extension EntityDescription {
  fileprivate func property(named name: String) -> String? {
    attribute(named: name)?.name ?? relationship(named: name)?.name
  }
}

/// The key path that ends at the cursor.
private struct TypedKeyPath {
  /// The names before the last one.
  var steps: [String] = []
  /// The letters of the last name.
  var last = ""
  /// The number of characters of the last name, an opening backquote included.
  var lastCount = 0
  /// Whether the last name has an opening backquote.
  var isQuoted = false

  /// Nil in the middle of a text in quotes, and after a variable or a function.
  init?(before text: String) {
    var quote: Character?
    var isEscaped = false
    var isOther = false
    for character in text {
      if let open = quote {
        if open == "`", character != "`" {
          last.append(character)
          lastCount += 1
        } else if isEscaped {
          isEscaped = false
        } else if character == "\\", open != "`" {
          isEscaped = true
        } else if character == open {
          quote = nil
          lastCount += 1
        }
      } else if character.isLetter || character.isNumber || character == "_" {
        last.append(character)
        lastCount += 1
      } else if character == "." {
        steps.append(last)
        (last, lastCount, isQuoted) = ("", 0, false)
      } else {
        (steps, last, lastCount, isQuoted) = ([], "", 0, false)
        isOther = character == "$" || character == "@" || character == ")" || character == "]"
        if character == "'" || character == "\"" || character == "`" { quote = character }
        if character == "`" { (isQuoted, lastCount) = (true, 1) }
        if character == "#" { lastCount = 1 }
      }
    }
    if let quote, quote != "`" { return nil }
    if isOther { return nil }
    // A closed name is complete.
    if isQuoted, quote == nil { return nil }
  }
}
