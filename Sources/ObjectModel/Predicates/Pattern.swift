import Foundation
import Synchronization

/// The patterns of LIKE and MATCHES.
package enum Pattern {
  /// Whether a text is like a pattern, as a whole: `*` is any text, `?` any one code point, `\` takes the next as it is.
  static func like(_ value: Value, _ pattern: Value, _ options: FetchPredicate.Options) -> Bool {
    guard let text = value.text, let pattern = pattern.text else { return false }
    return pattern.withBytes { pattern in
      TextFolding.withFolded(pattern, options.folding) { pattern in
        text.withBytes { like($0, foldedPattern: pattern, options.folding) }
      }
    }
  }

  /// Whether a text, folded, is like a pattern that is folded already.
  ///
  /// - Complexity: At most the product of the lengths.
  package static func like(
    _ utf8: UnsafeBufferPointer<UInt8>, foldedPattern: UnsafeBufferPointer<UInt8>,
    _ options: TextFolding.Options
  ) -> Bool {
    TextFolding.withFolded(utf8, options) { like($0, foldedPattern) }
  }

  /// Goes back only to the last star: what stands before it has found its first place, which is as good as any.
  private static func like(
    _ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var (place, mark) = (0, 0)
    var star: (place: Int, mark: Int)?
    while place < text.count {
      if mark < pattern.count, pattern[mark] == UInt8(ascii: "*") {
        mark += 1
        star = (place, mark)
        continue
      }
      if mark < pattern.count, pattern[mark] == UInt8(ascii: "?") {
        place += UTF8Reader.scalar(in: text, at: place).length
        mark += 1
        continue
      }
      let isEscape = mark + 1 < pattern.count && pattern[mark] == UInt8(ascii: "\\")
      let wanted = isEscape ? mark + 1 : mark
      if wanted < pattern.count, pattern[wanted] == text[place] {
        place += 1
        mark = wanted + 1
        continue
      }
      guard let last = star else { return false }
      place = last.place + UTF8Reader.scalar(in: text, at: last.place).length
      mark = last.mark
      star = (place, mark)
    }
    while mark < pattern.count, pattern[mark] == UInt8(ascii: "*") { mark += 1 }
    return mark == pattern.count
  }

  /// Whether a text matches a regular expression, as a whole; false when the expression is none.
  static func matches(_ value: Value, _ pattern: Value, _ options: FetchPredicate.Options) -> Bool {
    guard let text = value.text, let pattern = pattern.text,
      let expression = expression(pattern, options)
    else { return false }
    let subject = options.contains(.d) ? TextFolding.fold(text, .diacritics) : text
    let whole = NSRange(location: 0, length: subject.utf16.count)
    return expression.firstMatch(in: subject, range: whole) != nil
  }

  /// Whether a text is a regular expression.
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

  /// Anchors the pattern at both ends; a line break ends a comment that the pattern may end in.
  private static func make(
    _ pattern: String, _ options: FetchPredicate.Options
  ) -> NSRegularExpression? {
    let folded = options.contains(.d) ? TextFolding.fold(pattern, .diacritics) : pattern
    let letters: NSRegularExpression.Options = options.contains(.c) ? .caseInsensitive : []
    guard (try? NSRegularExpression(pattern: folded, options: letters)) != nil else { return nil }
    for end in [")\\z", "\n)\\z"] {
      let anchored = "\\A(?:" + folded + end
      if let expression = try? NSRegularExpression(pattern: anchored, options: letters) {
        return expression
      }
    }
    return nil
  }
}
