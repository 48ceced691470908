import Foundation
import ModelFiles
import ObjectModel

/// The texts of an XML store as values, and values as texts.
struct XMLText {
  /// Whether `<`, `>` and `&` are written as `\u3c00`: a UTF-16 unit with its bytes swapped, as old
  /// frameworks do.
  let isEscaped: Bool

  /// - Parameter framework: The version of the framework that wrote the file.
  init(framework: PropertyListValue?) {
    isEscaped = if case .integer(let version)? = framework { version < 400 } else { false }
  }

  /// The identifier of an object in the file.
  static func name(of id: ObjectID) -> String {
    switch id.key {
    case .integer(let number): return "z\(number)"
    default:
      if case .string(let text)? = id.keyValues.first { return text }
      return id.uriRepresentation
    }
  }

  /// The key of an object with an identifier: the number of `z107`.
  static func key(of identifier: String) -> ObjectKey {
    let number = identifier.hasPrefix("z") ? Int64(identifier.dropFirst()) : nil
    // `z007` is another object than `z7`.
    guard let number, "z\(number)" == identifier else { return .composite([.string(identifier)]) }
    return .integer(number)
  }

  /// Reads a value.
  ///
  /// - Returns: The value as a row has it.
  /// - Throws: ``StoreError`` if the text is no value of its type.
  func value(of written: XMLDatabase.Attribute, as attribute: AttributeDescription)
    throws(StoreError) -> Value
  {
    // What is written as text may be a UUID or a URI.
    let type = AttributeType(xmlName: written.type) ?? attribute.type
    for type in type == .string ? [type, attribute.type] : [type] {
      if let value = value(written.text, as: type), let stored = try? attribute.encode(value) {
        return stored
      }
    }
    throw StoreError(
      .corrupt, doing: "opening",
      detail: "“\(written.text.prefix(40))” of \(attribute.name) is no \(written.type)")
  }

  private func value(_ text: String, as type: AttributeType) -> Value? {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return switch type {
    case .string, .undefined: .string(unescaped(text))
    case .integer16, .integer32, .integer64: Int64(trimmed).map { .integer($0) }
    case .boolean: Int64(trimmed).map { .bool($0 != 0) }
    case .float: Float(trimmed).map { .double(Double($0)) }
    case .double: Double(trimmed).map { .double($0) }
    case .decimal: Decimal(string: trimmed).map { .decimal($0) }
    case .date: Double(trimmed).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .binaryData, .transformable:
      Data(base64Encoded: trimmed, options: .ignoreUnknownCharacters).map { .data($0) }
    case .uuid: UUID(uuidString: trimmed).map { .uuid($0) }
    case .uri: URL(string: trimmed).map { .url($0) }
    }
  }

  /// Writes a value, as ``escaped(_:of:)`` takes it.
  ///
  /// - Throws: ``StoreError`` if the value has no text.
  func text(of stored: Value, _ attribute: AttributeDescription, in entity: EntityDescription)
    throws(StoreError) -> String
  {
    let decoded = attribute.decode(stored)
    switch decoded {
    case .string(let text): return try writable(text, of: "\(entity.name).\(attribute.name)")
    case .integer(let number): return "\(number)"
    case .bool(let isTrue): return isTrue ? "1" : "0"
    case .double(let number):
      let text = attribute.type == .float ? "\(Float(number))" : "\(number)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    case .decimal(let number): return "\(number)"
    case .date(let date):
      return String(format: "%.20f", date.timeIntervalSinceReferenceDate)
    case .data(let data):
      // Core Data breaks the line once.
      let text = data.base64EncodedString()
      return text.count > 76 ? "\(text.prefix(76))\n\(text.dropFirst(76))\n" : text + "\n"
    case .uuid(let uuid): return uuid.uuidString
    case .url(let url): return url.absoluteString
    case .null: return ""
    }
  }

  private func unescaped(_ text: String) -> String {
    guard isEscaped, text.contains("\\u") else { return text }
    return Self.escapes.reduce(text) { $0.replacingOccurrences(of: $1.1, with: $1.0) }
  }

  private static let escapes = [("<", "\\u3c00"), (">", "\\u3e00"), ("&", "\\u2600")]

  /// A text with the signs of markup as files of its framework have them.
  private func writable(_ text: String, of property: String) throws(StoreError) -> String {
    guard isEscaped else { return text }
    guard !Self.escapes.contains(where: { text.contains($0.1) }) else {
      throw StoreError(
        .unsupported, doing: "saving", subject: property,
        detail: "“\\u3c00” in a text means “<” in XML stores of this age", remedy: "another text")
    }
    return Self.escapes.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }

  /// The text of an element, as XML.
  ///
  /// - Throws: ``StoreError`` if it has a character that XML cannot have.
  func escaped(_ text: String, of property: String) throws(StoreError) -> String {
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&")
        && $0 != UInt8(ascii: ">")
    }
    if isPlain { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\r": escaped += "&#13;"
      case "\t", "\n": escaped.unicodeScalars.append(scalar)
      case "\0"..<" ", "\u{FFFE}"..."\u{FFFF}", "\u{10FF00}"..."\u{10FFFF}":
        throw StoreError(
          .unsupported, doing: "saving", subject: property,
          detail: "XML cannot have the character U+"
            + String(scalar.value, radix: 16, uppercase: true),
          remedy: "a text without it")
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A text in quotation marks, as XML; it has no character that XML cannot have.
  static func quoted(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: "\"", with: "&quot;")
  }
}
