/// The strip of section titles at the right edge of a table.
///
/// When there are more titles than lines it is thinned: the first and the last stay, those between
/// are spread evenly, and a sign stands where titles are skipped.
public struct IndexStrip: Hashable, Sendable {
  /// The titles that each line of the strip stands for; the first of them is shown or skipped.
  private var lines: [Range<Int>] = []
  private var isShown: [Bool] = []

  /// Arranges titles.
  ///
  /// - Parameters:
  ///   - count: How many titles there are.
  ///   - height: How many lines there are.
  public init(count: Int, height: Int) {
    guard count > 0, height > 0 else { return }
    guard count > height else {
      lines = (0..<count).map { $0..<$0 + 1 }
      isShown = Array(repeating: true, count: count)
      return
    }
    guard height > 2 else {
      append(0..<count, isShown: true)
      return
    }
    // Titles and skip signs take turns, and both ends are titles.
    let shown = (height + 1) / 2
    var last = -1
    for step in 0..<shown {
      let title = step * (count - 1) / (shown - 1)
      if title > last + 1, last >= 0 { append((last + 1)..<title, isShown: false) }
      append(title..<title + 1, isShown: true)
      last = title
    }
  }

  private mutating func append(_ titles: Range<Int>, isShown shown: Bool) {
    lines.append(titles)
    isShown.append(shown)
  }

  /// How many lines are used.
  public var count: Int { lines.count }

  /// The title that a line shows; nil for a skip sign or a line that is not used.
  public func title(onLine line: Int) -> Int? {
    guard lines.indices.contains(line), isShown[line] else { return nil }
    return lines[line].lowerBound
  }

  /// The title that a click on a line means, also on a skip sign; nil below the strip.
  public func title(hitOnLine line: Int) -> Int? {
    guard lines.indices.contains(line) else { return nil }
    return lines[line].lowerBound + lines[line].count / 2
  }

  /// The line that stands for a title; nil when there is no such title.
  public func line(ofTitle title: Int) -> Int? {
    lines.firstIndex { $0.contains(title) }
  }
}
