import Foundation
import Synchronization

/// Matches the patterns of LIKE and MATCHES.
package enum Pattern {
  /// Whether a whole text matches a LIKE pattern: `*` is any text, `?` one Unicode scalar, `\`
  /// escapes the next character.
  static func like(_ value: Value, _ pattern: Value, _ options: FetchPredicate.Options) -> Bool {
    guard let text = value.text, let pattern = pattern.text else { return false }
    return pattern.withBytes { pattern in
      TextFolding.withFolded(pattern, options.folding) { pattern in
        text.withBytes { like($0, foldedPattern: pattern, options.folding) }
      }
    }
  }

  /// Whether a text matches a LIKE pattern that is already folded; the text is folded here.
  ///
  /// - Complexity: O(*n* · *m*) in the lengths of text and pattern.
  package static func like(
    _ utf8: UnsafeBufferPointer<UInt8>, foldedPattern: UnsafeBufferPointer<UInt8>,
    _ options: TextFolding.Options
  ) -> Bool {
    TextFolding.withFolded(utf8, options) { like($0, foldedPattern) }
  }

  /// Matches greedily and backtracks only to the last `*`: the part before it has matched as early
  /// as possible, so trying later matches of it cannot help.
  private static func like(
    _ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var (textIndex, patternIndex) = (0, 0)
    var star: (textIndex: Int, patternIndex: Int)?
    while textIndex < text.count {
      if patternIndex < pattern.count, pattern[patternIndex] == UInt8(ascii: "*") {
        patternIndex += 1
        star = (textIndex, patternIndex)
        continue
      }
      if patternIndex < pattern.count, pattern[patternIndex] == UInt8(ascii: "?") {
        textIndex += UTF8Reader.scalar(in: text, at: textIndex).length
        patternIndex += 1
        continue
      }
      let isEscape = patternIndex + 1 < pattern.count && pattern[patternIndex] == UInt8(ascii: "\\")
      let wanted = isEscape ? patternIndex + 1 : patternIndex
      if wanted < pattern.count, pattern[wanted] == text[textIndex] {
        textIndex += 1
        patternIndex = wanted + 1
        continue
      }
      guard let last = star else { return false }
      textIndex = last.textIndex + UTF8Reader.scalar(in: text, at: last.textIndex).length
      patternIndex = last.patternIndex
      star = (textIndex, patternIndex)
    }
    while patternIndex < pattern.count, pattern[patternIndex] == UInt8(ascii: "*") {
      patternIndex += 1
    }
    return patternIndex == pattern.count
  }

  /// The longest time that one text is matched against a regular expression; tests shorten it.
  @TaskLocal package static var timeLimit = Duration.seconds(2)

  /// Whether a whole text matches a regular expression.
  ///
  /// - Throws: ``FetchPredicateError`` if the expression is invalid, needs more memory than the
  ///   regular expression engine allows, or takes longer than ``timeLimit``.
  static func matches(
    _ value: Value, _ pattern: Value, _ options: FetchPredicate.Options
  ) throws -> Bool {
    guard let text = value.text, let pattern = pattern.text else { return false }
    func failure(_ message: String, _ expected: String = "") -> FetchPredicateError {
      FetchPredicateError(message, in: pattern, at: 0..<pattern.count, expected: expected)
    }
    guard let expression = expression(pattern, options) else {
      throw failure("“\(pattern)” is not a regular expression")
    }
    let subject = options.contains(.d) ? TextFolding.fold(text, .diacritics) : text
    let whole = NSRange(location: 0, length: subject.utf16.count)
    let (start, timeLimit) = (ContinuousClock.now, timeLimit)
    var answer: Bool?
    var isTooLong = false
    expression.enumerateMatches(in: subject, options: .reportProgress, range: whole) {
      result, _, stop in
      if let result {
        answer = result.range(at: expression.numberOfCaptureGroups).location == NSNotFound
      } else if ContinuousClock.now - start > timeLimit {
        isTooLong = true
      }
      if answer != nil || isTooLong { stop.pointee = true }
    }
    if let answer { return answer }
    let advice = "an expression without nested or ambiguous repetitions"
    let size = "a text of \(Value.grouped(subject.count)) characters"
    throw failure(
      isTooLong
        ? "MATCHES “\(pattern)” takes longer than \(timeLimit) on \(size)"
        : "MATCHES “\(pattern)” gave up on \(size)", advice)
  }

  /// Whether a text is a valid regular expression.
  static func isExpression(_ pattern: String) -> Bool { expression(pattern, []) != nil }

  private struct Key: Hashable {
    let pattern: Value
    let options: FetchPredicate.Options
  }

  private static let cache = Mutex<[Key: NSRegularExpression?]>([:])

  private static func expression(
    _ pattern: String, _ options: FetchPredicate.Options
  ) -> NSRegularExpression? {
    let key = Key(pattern: .string(pattern), options: options)
    if let known = cache.withLock({ $0[key] }) { return known }
    let made = make(pattern, options)
    cache.withLock { cache in
      if cache.count >= 64 { cache.removeAll() }
      cache[key] = .some(made)
    }
    return made
  }

  /// Compiles a pattern anchored at both ends, or else an empty last group: at the start of every
  /// text one of them matches.
  ///
  /// So the engine answers "no" by that group. Without it a text that does not match could not be
  /// told from one on which the engine gave up: it says so when it runs out of memory, but not when
  /// it has done more steps than it allows itself, whether inside a lookahead or in one of several
  /// alternatives. The second try ends a comment, the third a quotation.
  private static func make(
    _ pattern: String, _ options: FetchPredicate.Options
  ) -> NSRegularExpression? {
    let folded = options.contains(.d) ? TextFolding.fold(pattern, .diacritics) : pattern
    let letters: NSRegularExpression.Options = options.contains(.c) ? .caseInsensitive : []
    // An empty expression is valid, but the engine refuses it.
    guard folded.isEmpty || (try? NSRegularExpression(pattern: folded, options: letters)) != nil
    else { return nil }
    for end in ["", "\n", "\\E"] {
      let anchored = "\\A(?:(?:" + folded + end + ")\\z|())"
      if let expression = try? NSRegularExpression(pattern: anchored, options: letters) {
        return expression
      }
    }
    return nil
  }
}
