import Foundation

extension XMLScanner {
  /// Parses the attributes of the last tag; the first of two equal names wins.
  ///
  /// - Returns: The values by name, with entities resolved.
  /// - Throws: ``ModelFileError`` when an attribute is malformed.
  package func attributes() throws(ModelFileError) -> [String: String] {
    var values: [String: String] = [:]
    var rest = tagContent.drop { !Self.isBlank($0) && $0 != UInt8(ascii: "/") }
    while true {
      rest = rest.drop { Self.isBlank($0) || $0 == UInt8(ascii: "/") }
      guard !rest.isEmpty else { return values }
      let name = rest.prefix { !Self.isBlank($0) && $0 != UInt8(ascii: "=") }
      rest = rest.dropFirst(name.count).drop(while: Self.isBlank)
      guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { throw malformedAttribute() }
      rest = rest.dropFirst().drop(while: Self.isBlank)
      guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = rest.dropFirst().firstIndex(of: quote)
      else { throw malformedAttribute() }
      let text = try Self.text(of: rest[rest.startIndex + 1..<end])
      let key = String(decoding: name, as: UTF8.self)
      if values[key] == nil { values[key] = text }
      rest = rest[(end + 1)...]
    }
  }

  private func malformedAttribute() -> ModelFileError {
    ModelFileError(
      .malformed, detail: "an XML attribute that ends before byte \(offset) is malformed")
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  /// The value of an attribute; XML replaces line breaks and tabs that are not entities by spaces.
  private static func text(of bytes: ArraySlice<UInt8>) throws(ModelFileError) -> String {
    let blanked = bytes.map { isBlank($0) ? 0x20 : $0 }
    guard blanked.contains(UInt8(ascii: "&")) else {
      return String(decoding: blanked, as: UTF8.self)
    }
    guard !blanked.contains(UInt8(ascii: "<")) else {
      throw ModelFileError(.malformed, detail: "an attribute contains “<”")
    }
    var scanner = XMLScanner(Data(blanked))
    return try scanner.text()
  }
}
