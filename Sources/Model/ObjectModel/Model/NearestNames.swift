/// Finds the names that a person may have meant by a misspelled one.
package enum NearestNames {
  /// Returns the nearest names, best first, at most three.
  ///
  /// Case and diacritics are ignored. A name is near if its edit distance (insertions, deletions,
  /// substitutions, transpositions) is at most a third of the length, or if it begins with the
  /// written name.
  ///
  /// - Parameters:
  ///   - name: The written name.
  ///   - candidates: The existing names.
  /// - Returns: The nearest names; empty if none is near.
  package static func suggestions(for name: String, in candidates: [String]) -> [String] {
    let wanted = folded(name)
    guard !wanted.isEmpty, wanted.count <= 100 else { return [] }
    let limit = max(1, wanted.count / 3)
    let ranked: [(distance: Int, name: String)] = candidates.compactMap { candidate in
      let letters = folded(candidate)
      if wanted.count >= 2, letters.count > wanted.count, letters.starts(with: wanted) {
        return (1, candidate)
      }
      return distance(wanted, letters, limit: limit).map { ($0, candidate) }
    }
    var seen: Set<String> = []
    return ranked.enumerated()
      .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .map(\.element.name).filter { seen.insert($0).inserted }.prefix(3).map { $0 }
  }

  /// Returns the end of an error message: `; did you mean …?`, or a full stop without suggestions.
  package static func hint(_ suggestions: [String]) -> String {
    guard let last = suggestions.last else { return "." }
    let others = suggestions.dropLast().map { "“\($0)”" }.joined(separator: ", ")
    return "; did you mean " + (others.isEmpty ? "" : others + " or ") + "“\(last)”?"
  }

  private static func folded(_ text: String) -> [UnicodeScalar] {
    Array(TextFolding.folded(text).unicodeScalars)
  }

  /// The Damerau–Levenshtein distance; nil if it is over the limit.
  private static func distance(_ a: [UnicodeScalar], _ b: [UnicodeScalar], limit: Int) -> Int? {
    guard abs(a.count - b.count) <= limit else { return nil }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      guard let least = row.min(), least <= limit else { return nil }
      (beforeLast, last) = (last, row)
    }
    return last[b.count] <= limit ? last[b.count] : nil
  }
}
