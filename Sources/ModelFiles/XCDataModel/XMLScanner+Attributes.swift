import Foundation

extension XMLScanner {
  /// The attributes of the last tag; of two with one name the first counts.
  ///
  /// - Returns: Their texts by name, entities resolved.
  /// - Throws: ``ModelFileError`` when they are not written as XML wants them.
  func attributes() throws(ModelFileError) -> [String: String] {
    var values: [String: String] = [:]
    var rest = inside.drop { !Self.isBlank($0) && $0 != UInt8(ascii: "/") }
    while true {
      rest = rest.drop { Self.isBlank($0) || $0 == UInt8(ascii: "/") }
      guard !rest.isEmpty else { return values }
      let name = rest.prefix { !Self.isBlank($0) && $0 != UInt8(ascii: "=") }
      rest = rest.dropFirst(name.count).drop(while: Self.isBlank)
      guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { throw misspelled() }
      rest = rest.dropFirst().drop(while: Self.isBlank)
      guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = rest.dropFirst().firstIndex(of: quote)
      else { throw misspelled() }
      let text = try Self.text(of: rest[rest.startIndex + 1..<end])
      let key = String(decoding: name, as: UTF8.self)
      if values[key] == nil { values[key] = text }
      rest = rest[(end + 1)...]
    }
  }

  private func misspelled() -> ModelFileError {
    ModelFileError(.malformed, detail: "an attribute is not written well, before byte \(place)")
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  /// The text of an attribute; line ends and tabs that are not written as entities are blanks in XML.
  private static func text(of bytes: ArraySlice<UInt8>) throws(ModelFileError) -> String {
    let blanked = bytes.map { isBlank($0) ? 0x20 : $0 }
    guard blanked.contains(UInt8(ascii: "&")) else {
      return String(decoding: blanked, as: UTF8.self)
    }
    guard !blanked.contains(UInt8(ascii: "<")) else {
      throw ModelFileError(.malformed, detail: "an attribute holds “<”")
    }
    var scanner = XMLScanner(Data(blanked))
    return try scanner.text()
  }
}
