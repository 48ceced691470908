/// The layout of the section index at the right edge of a table.
///
/// If there are more titles than lines, the first and the last are kept, the others are spread
/// evenly, and a line between two titles stands for the omitted ones.
package struct IndexStrip: Hashable, Sendable {
  /// The titles that each line stands for: one title, or a range of omitted ones.
  private var lines: [Range<Int>] = []
  private var isShown: [Bool] = []

  /// Lays out the titles.
  ///
  /// - Parameters:
  ///   - count: The number of titles.
  ///   - height: The number of lines available.
  package init(count: Int, height: Int) {
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
    // Titles alternate with lines for omitted ones; the first and the last line are titles.
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

  /// The number of lines used.
  package var count: Int { lines.count }

  /// Returns the index of the title shown on a line; nil if the line is unused or stands for
  /// omitted titles.
  package func title(onLine line: Int) -> Int? {
    guard lines.indices.contains(line), isShown[line] else { return nil }
    return lines[line].lowerBound
  }

  /// Returns the index of the title selected by a click on a line; nil below the last line.
  ///
  /// On a line for omitted titles it is the one in the middle.
  package func title(hitOnLine line: Int) -> Int? {
    guard lines.indices.contains(line) else { return nil }
    return lines[line].lowerBound + lines[line].count / 2
  }

  /// Returns the line that shows a title or stands for it; nil if there is no such title.
  package func line(ofTitle title: Int) -> Int? {
    lines.firstIndex { $0.contains(title) }
  }
}
