/// Writes CSV as in RFC 4180: fields separated by commas, lines ended by CR LF, quotes doubled.
///
/// NULL is written as an empty field, empty text as `""`.
package enum CSVText {
  /// Appends a line; nil stands for NULL.
  package static func appendLine(_ fields: [String?], to bytes: inout [UInt8]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if let field { append(field, to: &bytes) }
    }
    bytes.append(contentsOf: "\r\n".utf8)
  }

  private static func append(_ field: String, to bytes: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    guard field.isEmpty || field.utf8.contains(where: needsQuotes) else {
      bytes.append(contentsOf: field.utf8)
      return
    }
    bytes.append(quote)
    for byte in field.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
    default: false
    }
  }
}
