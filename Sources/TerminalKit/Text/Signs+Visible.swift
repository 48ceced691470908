extension Signs {
  /// Text from outside, made safe to draw.
  ///
  /// This is the one door through which data reaches a ``Canvas``. Control characters, escape
  /// sequences, line ends, bidi overrides and invisible format characters become signs
  /// (`␛`, `␊`, `‹202E›`; `^[`, `^J`, `<202E>` in ASCII), marks without a letter get a circle to
  /// stand on, and heaps of marks are thinned. Joiners stay where a script or an emoji needs them.
  ///
  /// - Parameters:
  ///   - text: Any text, however long and odd.
  ///   - columns: How much of it will be shown; text far beyond is not looked at.
  /// - Returns: Text of at least that many columns, where there is so much.
  /// - Complexity: O(*columns*), whatever the length of the text.
  public func visible(_ text: some StringProtocol, columns: Int = .max) -> String {
    let text = Substring(text)
    if let plain = plainPrefix(of: text, columns: columns) { return plain }
    var writer = VisibleTextWriter(signs: self)
    // A letter may bring eight marks; a family of four with skin tones has ten scalars in two.
    let (limit, isHuge) = max(columns, 1).multipliedReportingOverflow(by: 9)
    var left = isHuge ? Int.max : limit.addingReportingOverflow(64).partialValue
    for scalar in text.unicodeScalars {
      left -= 1
      if left < 0 { break }
      writer.write(scalar)
    }
    return isUnicode ? writer.result : asciiOnly(writer.result)
  }

  /// The beginning of the text, when it is printable ASCII as far as it is shown.
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
    var result = ""
    for character in text {
      if character.isASCII {
        result.append(character)
      } else {
        result += String(repeating: "?", count: displayWidth(of: character))
      }
    }
    return result
  }
}
