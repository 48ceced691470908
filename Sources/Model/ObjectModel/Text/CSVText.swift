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
    appendLineEnd(to: &bytes)
  }

  /// Appends CR LF.
  package static func appendLineEnd(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "\r\n".utf8)
  }

  /// Appends a field of text, with U+FFFD for bytes that are no UTF-8.
  package static func append(_ field: String, to bytes: inout [UInt8]) {
    field.withBytes { append($0, to: &bytes) }
  }

  /// Appends stored text, with U+FFFD for bytes that are no UTF-8.
  package static func append(_ field: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    guard field.isUTF8 else { return field.withRepairedUTF8 { append($0, to: &bytes) } }
    guard field.isEmpty || field.contains(where: needsQuotes) else {
      bytes.append(contentsOf: field)
      return
    }
    let quote = UInt8(ascii: "\"")
    bytes.append(quote)
    for byte in field {
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
