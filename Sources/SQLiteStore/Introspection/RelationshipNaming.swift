/// Names relationships after the columns and tables they are made of.
enum RelationshipNaming {
  /// The words for where a foreign key leads: its column without `Id`, or its destination where that says nothing.
  ///
  /// - Parameters:
  ///   - columns: The columns of the foreign key.
  ///   - parent: The table it leads to.
  /// - Returns: `ArtistId` gives artist, `SupportRepId` support rep, `id` the parent's name.
  static func words(forKey columns: [String], to parent: String) -> NameWords {
    let destination = NameWords(parent).singular
    guard columns.count == 1, let column = columns.first else { return destination }
    let name = NameWords(column)
    var words = name.words
    // `artistid` is one word to us: only the destination's name tells where it ends.
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

  /// A name for a to-one relationship, different from those taken.
  ///
  /// A column that is itself named like an object (`author`) keeps its name; the relationship gets the destination's
  /// name after it (`authorPerson`), or `Object` where that is what the column says already (`artistObject`).
  static func toOne(_ words: NameWords, to parent: String, taken: Set<String>) -> String {
    let destination = NameWords(parent).singular.words
    let addition =
      words.words.suffix(destination.count) == destination[...] ? ["object"] : destination
    return firstFree([words, words.appending(addition)], taken: taken)
  }

  /// A name for the way back along a foreign key, different from those taken.
  ///
  /// - Parameters:
  ///   - source: The table that has the foreign key.
  ///   - words: The words of the foreign key.
  ///   - isAmbiguous: Whether other foreign keys of the same table lead to the same destination.
  ///   - isToSelf: Whether the foreign key leads back to its own table.
  ///   - isUnique: Whether at most one object refers to another.
  ///   - taken: Names that cannot be used.
  /// - Returns: The name.
  static func inverse(
    from source: String, alongKey words: NameWords, isAmbiguous: Bool, isToSelf: Bool,
    isUnique: Bool, taken: Set<String>
  ) -> String {
    let plain = isUnique ? NameWords(source).singular : NameWords(source).plural
    let precise = plain.appending(["as"] + words.words)
    var candidates = isAmbiguous ? [precise] : [plain, precise]
    if isToSelf, !isUnique, let known = wayBack(from: words) { candidates.insert(known, at: 0) }
    return firstFree(candidates, taken: taken)
  }

  /// A name for a relationship through a table of pairs, different from those taken.
  ///
  /// - Parameters:
  ///   - words: The words of the foreign key that leads on to the destination.
  ///   - destination: The destination's table.
  ///   - join: The table of pairs.
  ///   - isToSelf: Whether both foreign keys lead to the same table.
  ///   - taken: Names that cannot be used.
  /// - Returns: The name.
  static func manyToMany(
    alongKey words: NameWords, to destination: String, through join: String, isToSelf: Bool,
    taken: Set<String>
  ) -> String {
    let plain = isToSelf ? words.plural : NameWords(destination).plural
    return firstFree(
      [plain, words.plural, plain.appending(["through"] + NameWords(join).words)], taken: taken)
  }

  /// What people call those at the other end of a foreign key within one table.
  private static func wayBack(from words: NameWords) -> NameWords? {
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
