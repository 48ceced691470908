import Foundation

/// How a UUID is written: in small letters or capitals, with or without hyphens, in braces.
struct UUIDForm: Hashable, Sendable {
  var isLowercase = false
  var hasHyphens = true
  var hasBraces = false

  /// Reads a UUID in any form; nil for any other text.
  static func read(_ text: String) -> (uuid: UUID, form: UUIDForm)? {
    let count = text.utf8.count
    guard [32, 34, 36, 38].contains(count), text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var form = UUIDForm()
    var body = Substring(text)
    if body.first == "{", body.last == "}" {
      form.hasBraces = true
      body = body.dropFirst().dropLast()
    }
    var digits = String(body)
    if digits.utf8.count == 32 {
      form.hasHyphens = false
      for offset in [8, 13, 18, 23] {
        digits.insert("-", at: digits.utf8.index(digits.startIndex, offsetBy: offset))
      }
    }
    guard let uuid = UUID(uuidString: digits) else { return nil }
    form.isLowercase = digits == digits.lowercased()
    return (uuid, form)
  }

  /// Writes a UUID in this form.
  func text(_ uuid: UUID) -> String {
    var text = isLowercase ? uuid.uuidString.lowercased() : uuid.uuidString
    if !hasHyphens { text.removeAll { $0 == "-" } }
    return hasBraces ? "{\(text)}" : text
  }
}

extension AttributeDescription {
  /// A typed UUID as a column of text writes them that holds nothing else; nil for any other text,
  /// and if it is written so already.
  package func uniform(_ text: String) -> String? {
    guard reading?.holdsUUIDs == true, case .string(let example)? = reading?.example,
      let form = UUIDForm.read(example)?.form, let uuid = UUIDForm.read(text)?.uuid
    else { return nil }
    let written = form.text(uuid)
    return written.hasSameBytes(as: text) ? nil : written
  }
}
