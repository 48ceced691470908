import ObjectModel

/// The completions of a command line's text before the cursor.
struct CommandCompletion: Hashable {
  /// The number of characters before the cursor that the completion replaces.
  let typedCount: Int
  /// The completed word, or the common beginning of the candidates; nil if nothing can be added.
  let completion: String?
  /// The words that begin with what was typed; empty if there is only one.
  let candidates: [String]

  /// Completes a word by those that can stand there.
  ///
  /// - Parameters:
  ///   - typed: The word as typed so far.
  ///   - words: All words that can stand there.
  ///   - suffix: What follows a complete word, as a blank.
  init(_ typed: String, among words: [String], suffix: String = "") {
    typedCount = typed.count
    let wanted = TextFolding.folded(typed)
    let matching = words.filter { TextFolding.folded($0).hasPrefix(wanted) }
    guard let first = matching.first else {
      (completion, candidates) = (nil, [])
      return
    }
    guard matching.count > 1 else {
      completion = first + suffix == typed ? nil : first + suffix
      candidates = []
      return
    }
    let common = matching.dropFirst().reduce(first) { common, word in
      String(zip(common, word).prefix { $0.lowercased() == $1.lowercased() }.map(\.0))
    }
    completion = common.count > typed.count ? common : nil
    candidates = matching
  }

  init(_ found: PredicateCompletion) {
    typedCount = found.typedCount
    completion = found.completion
    candidates = found.candidates
  }
}
