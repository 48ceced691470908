/// Names relationships after the foreign keys and tables from which they are derived.
package enum RelationshipNaming {
  /// Returns the words for a foreign key: "artist" for `ArtistId`, "support rep" for
  /// `SupportRepId`, and the parent table's name for `id` and for a foreign key of several columns.
  package static func words(forKey columns: [String], to parent: String) -> NameWords {
    let destination = NameWords(parent).singular
    guard columns.count == 1, let column = columns.first else { return destination }
    let name = NameWords(column)
    var words = name.words
    // `artistid` is a single word: only the parent's name shows where "artist" ends.
    if words.count == 1, let only = words.first {
      let bare = NameWords(parent).words.joined()
      for end in ["id", "fk"] where [bare + end, destination.words.joined() + end].contains(only) {
        return name.replacing(destination.words)
      }
    }
    while words.count > 1, let last = words.last, keyWords.contains(last) { words.removeLast() }
    while words.count > 1, let first = words.first, keyWords.contains(first) { words.removeFirst() }
    if words.isEmpty || (words.count == 1 && keyWords.contains(words[0])) {
      return name.replacing(destination.words)
    }
    return name.replacing(words)
  }

  private static let keyWords: Set<String> = [
    "id", "ids", "fk", "fkey", "pk", "key", "uuid", "guid", "rowid", "pid", "ref",
  ]

  /// Returns an unused name for a to-one relationship.
  ///
  /// If a column has the name already (`author`), the destination's name is appended
  /// (`authorPerson`), or `Object` if the name ends with it (`artistObject`).
  package static func toOne(_ words: NameWords, to parent: String, taken: Set<String>) -> String {
    let destination = NameWords(parent).singular.words
    let addition =
      words.words.suffix(destination.count) == destination[...] ? ["object"] : destination
    return firstFree([words, words.appending(addition)], taken: taken)
  }

  /// Returns an unused name for the inverse of a foreign key's relationship, which is ambiguous if
  /// other foreign keys of the table have the same parent table.
  package static func inverse(
    from source: String, alongKey words: NameWords, isAmbiguous: Bool, isToSelf: Bool,
    isUnique: Bool, taken: Set<String>
  ) -> String {
    let plain = isUnique ? NameWords(source).singular : NameWords(source).plural
    let precise = plain.appending(["as"] + words.words)
    var candidates = isAmbiguous ? [precise] : [plain, precise]
    if isToSelf, !isUnique, let usual = usualInverse(of: words) { candidates.insert(usual, at: 0) }
    return firstFree(candidates, taken: taken)
  }

  /// Returns an unused name for a many-to-many relationship through a join table, by the words of
  /// its foreign key to the destination.
  package static func manyToMany(
    alongKey words: NameWords, to destination: String, through join: String, isToSelf: Bool,
    taken: Set<String>
  ) -> String {
    let plain = isToSelf ? words.plural : NameWords(destination).plural
    return firstFree(
      [plain, words.plural, plain.appending(["through"] + NameWords(join).words)], taken: taken)
  }

  /// Returns the usual name for the inverse within one table, such as "children" for "parent"; nil
  /// if there is none.
  private static func usualInverse(of words: NameWords) -> NameWords? {
    guard let last = words.words.last else { return nil }
    let isBare = words.words.count == 1
    switch last {
    case "parent" where isBare: return words.replacing(["children"])
    case "to" where words.words == ["reports", "to"]: return words.replacing(["reports"])
    case "manager", "boss", "supervisor", "chief":
      return isBare ? words.replacing(["reports"]) : nil
    case "to" where words.words.contains("reply"): return words.replacing(["replies"])
    default: return nil
    }
  }

  private static func firstFree(_ candidates: [NameWords], taken: Set<String>) -> String {
    let names = candidates.map(\.propertyName)
    if let free = names.first(where: { !$0.isEmpty && !taken.contains($0) }) { return free }
    let stem = names.first { !$0.isEmpty } ?? "object"
    var number = 2
    while taken.contains("\(stem)\(number)") { number += 1 }
    return "\(stem)\(number)"
  }
}
