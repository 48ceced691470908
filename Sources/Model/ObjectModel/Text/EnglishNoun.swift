/// Forms plurals and singulars of English nouns, to name relationships.
///
/// It covers the regular rules and the exceptions common in table names. An unknown word may get an
/// odd spelling, which does no harm: a name only has to be the same each time.
package enum EnglishNoun {
  /// Returns the plural of a lowercase word; a plural is returned unchanged.
  package static func plural(of word: String) -> String {
    if irregular.values.contains(word) || unchanging.contains(word) { return word }
    if let plural = irregular[word] { return plural }
    if word.hasSuffix("ed") || word.hasSuffix("ing") { return word }
    if isPlural(word) { return word }
    if ["s", "x", "z", "ch", "sh"].contains(where: word.hasSuffix) { return word + "es" }
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    return word + "s"
  }

  /// Returns the singular of a lowercase word; a singular is returned unchanged.
  package static func singular(of word: String) -> String {
    if let pair = irregular.first(where: { $0.value == word }) { return pair.key }
    guard !unchanging.contains(word), isPlural(word) else { return word }
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    if ["sses", "xes", "zzes", "ches", "shes", "tuses", "nuses"].contains(where: word.hasSuffix) {
      return String(word.dropLast(2))
    }
    return String(word.dropLast())
  }

  /// Returns whether a regular word is a plural: it ends in an "s" that is not part of the stem.
  private static func isPlural(_ word: String) -> Bool {
    word.count > 2 && word.hasSuffix("s")
      && !["ss", "us", "is", "as", "os"].contains(where: word.hasSuffix)
  }

  private static let irregular = [
    "person": "people", "child": "children", "man": "men", "woman": "women", "mouse": "mice",
    "foot": "feet", "tooth": "teeth", "goose": "geese", "leaf": "leaves", "life": "lives",
    "half": "halves", "wolf": "wolves", "shelf": "shelves", "knife": "knives", "datum": "data",
    "medium": "media", "criterion": "criteria", "index": "indexes", "matrix": "matrices",
    "movie": "movies", "cookie": "cookies", "analysis": "analyses", "photo": "photos",
    "video": "videos", "alias": "aliases", "atlas": "atlases", "gas": "gases", "hero": "heroes",
    "potato": "potatoes", "case": "cases", "release": "releases", "course": "courses",
    "house": "houses", "warehouse": "warehouses", "purchase": "purchases", "expense": "expenses",
    "response": "responses", "license": "licenses", "lens": "lenses", "quiz": "quizzes",
    "reply": "replies", "logo": "logos", "memo": "memos", "repo": "repos", "axis": "axes",
  ]

  private static let unchanging: Set<String> = [
    "news", "series", "species", "sheep", "fish", "staff", "equipment", "information", "metadata",
  ]
}
