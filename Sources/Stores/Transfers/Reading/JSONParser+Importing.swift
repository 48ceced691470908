import ObjectModel

extension JSONParser {
  /// How deep lists and objects of an imported file may be nested.
  static let deepestImported = 257

  /// Reads a value, and appends its text without quotes and escapes; of a list or an object all of
  /// it.
  mutating func readField(into output: inout [UInt8]) throws(Failure) -> ImportRecord.Kind {
    switch next {
    case .text:
      try readText(into: &output)
      return .quoted
    case .object, .list:
      try readBytes(into: &output, isNumber: Number.isNumeric)
      return .structure
    case .word:
      let word = try readWord(isNumber: Number.isNumeric)
      if word == "null" { return .null }
      output += word.utf8
      return .bare
    }
  }
}
