/// Text without case and accents, so that a letter from a keyboard finds its relatives.
///
/// `É`, `Ł` and `ø` become `e`, `l` and `o`.
public func foldedForMatching(_ text: some StringProtocol) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    if scalar.isASCII {
      result += scalar.properties.lowercaseMapping
    } else if !scalar.isMark {
      result += baseLetter(of: scalar)
    }
  }
  return result
}

/// The letter that an accented letter is made of, in lower case.
///
/// The standard library has no decomposition, but the name says it: LATIN SMALL LETTER L WITH
/// STROKE.
private func baseLetter(of scalar: Unicode.Scalar) -> String {
  let small = scalar.properties.lowercaseMapping
  guard let name = scalar.properties.name, name.hasPrefix("LATIN ") else { return small }
  let words = name.split(separator: " ", maxSplits: 5)
  guard words.count >= 5, words[2] == "LETTER", words[4] == "WITH", words[3].count == 1 else {
    return small
  }
  return words[3].lowercased()
}
