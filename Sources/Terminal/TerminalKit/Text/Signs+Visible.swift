extension Signs {
  /// Returns untrusted text in a form that is safe to send to the terminal.
  ///
  /// All text drawn into a ``Canvas`` passes through here. Control characters, escape sequences,
  /// line breaks, bidi overrides and invisible format characters are replaced with visible symbols
  /// (`␛`, `␊`, `‹202E›`; `^[`, `^J`, `<202E>` in ASCII). A combining mark without a base character
  /// gets a dotted circle, and marks beyond the eighth on one character are dropped. Joiners are
  /// kept where a script or an emoji needs them.
  ///
  /// - Parameters:
  ///   - text: Any text of any length.
  ///   - columns: The number of columns that will be shown; text far beyond them is not read.
  /// - Returns: Text at least that many columns wide, if there is enough of it.
  /// - Complexity: O(*columns*), whatever the length of the text.
  package func visible(_ text: some StringProtocol, columns: Int = .max) -> String {
    let text = Substring(text)
    if let plain = plainPrefix(of: text, columns: columns) { return plain }
    var writer = VisibleTextWriter(signs: self)
    // Bound the scalars read for each column: a letter may have eight marks, and a two-column
    // family emoji may have ten scalars.
    let (limit, isHuge) = max(columns, 1).multipliedReportingOverflow(by: 9)
    var left = isHuge ? Int.max : limit.addingReportingOverflow(64).partialValue
    for scalar in text.unicodeScalars {
      left -= 1
      if left < 0 { break }
      writer.write(scalar)
    }
    return isUnicode ? writer.result : asciiOnly(writer.result)
  }

  /// Returns the visible prefix of the text if it is all printable ASCII, otherwise nil.
  private func plainPrefix(of text: Substring, columns: Int) -> String? {
    var count = 0
    for byte in text.utf8 {
      if byte < 0x20 || byte > 0x7E { return nil }
      count += 1
      if count > columns { break }
    }
    return String(Substring(text.utf8.prefix(count)))
  }

  private func asciiOnly(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if character.isASCII {
        result.append(character)
      } else {
        result +=
          Self.asciiForms[character] ?? String(repeating: "?", count: displayWidth(of: character))
      }
    }
  }
}

extension Signs {
  /// A text of the application, its signs replaced by ASCII on an ASCII terminal.
  package func own(_ text: String) -> String {
    guard !isUnicode else { return text }
    return text.reduce(into: "") { $0 += Self.asciiForms[$1] ?? String($1) }
  }

  /// The ASCII form of each sign that the application draws; a test finds one that has none.
  private static let asciiForms: [Character: String] = {
    let pairs = zip(unicode.all, ascii.all).filter { $0.0.count == 1 }.map {
      (Character($0.0), $0.1)
    }
    let others: [Character: String] = [
      "…": "...", "—": "-", "–": "-", "−": "-", "›": ">", "‹": "<", "·": "-", "●": "*", "×": "x",
      "“": "\"", "”": "\"", "„": "\"", "‟": "\"", "«": "\"", "»": "\"", "‘": "'", "’": "'",
      "‚": "'",
      "‛": "'", "←": "<", "▾": "v", "≠": "!=", "≤": "<=", "≥": ">=", "◌": "o", "␡": "DEL",
      "␤": "^J", "⋯": "...", "≈": "~",
    ]
    let frames = unicode.spinner.map { (Character($0), "*") }
    return Dictionary(pairs + frames, uniquingKeysWith: { first, _ in first })
      .merging(others) { $1 }
  }()

  /// The signs, in the same order in both sets.
  private var all: [String] {
    [
      cursor, selected, horizontal, vertical, ellipsis, ascending, descending, null, toOne, toMany,
      enter, live, path, skipped, disclosure, detail, checkmark, separator, focusLeft, focusRight,
      moreAbove, moreBelow, moreLeft, moreRight, bar,
    ] + corners
  }
}
