package import Foundation
import ObjectModel

/// Reads XML property lists from untrusted files.
///
/// Only the XML that property lists need is supported: entities other than XML's five and numeric
/// ones are errors, and no external entity is ever loaded. Elements and depth are bounded.
package struct XMLPropertyListReader {
  private var scanner: XMLScanner
  private var elementsLeft = PropertyListValue.maximumElements

  /// Reads a property list in UTF-8, or in UTF-16 with a byte order mark.
  ///
  /// - Throws: ``ModelFileError`` when the data is not an XML property list, is damaged, or exceeds
  ///   a limit.
  package static func value(of data: Data) throws(ModelFileError) -> PropertyListValue {
    var reader = XMLPropertyListReader(scanner: XMLScanner(data))
    guard case .open(var name, var isEmpty) = try reader.tag() else {
      throw reader.malformed("it is not a property list")
    }
    if name == "plist", !isEmpty {
      guard case .open(let inner, let isInnerEmpty) = try reader.tag() else {
        throw reader.malformed("it is empty")
      }
      (name, isEmpty) = (inner, isInnerEmpty)
    }
    return try reader.value(name, isEmpty: isEmpty, depth: 0)
  }

  private func malformed(_ detail: String) -> ModelFileError {
    ModelFileError(.malformed, detail: "\(detail), at byte \(scanner.offset)")
  }

  /// The next tag; only whitespace may precede it.
  private mutating func tag() throws(ModelFileError) -> XMLScanner.Tag? {
    guard try scanner.text().allSatisfy(\.isWhitespace) else {
      throw malformed("there is text between elements")
    }
    return try scanner.tag()
  }

  private mutating func value(
    _ name: String, isEmpty: Bool, depth: Int
  ) throws(ModelFileError) -> PropertyListValue {
    elementsLeft -= 1
    guard elementsLeft >= 0, depth <= PropertyListValue.maximumDepth else {
      throw ModelFileError(.tooLarge, detail: "it has too many elements, or is nested too deeply")
    }
    switch name {
    case "dict": return isEmpty ? .dictionary([:]) : try dictionary(depth: depth)
    case "array": return isEmpty ? .array([]) : try array(depth: depth)
    case "true", "false":
      if !isEmpty { _ = try text(of: name) }
      return .bool(name == "true")
    default:
      let text = isEmpty ? "" : try text(of: name)
      guard let value = Self.leaf(name, text) else {
        throw malformed("“\(text.prefix(40))” is not a valid \(name)")
      }
      return value
    }
  }

  private static func leaf(_ name: String, _ text: String) -> PropertyListValue? {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch name {
    case "string": return .string(text)
    case "integer":
      if let number = Int64(trimmed) { return .integer(number) }
      if let number = UInt64(trimmed) { return .unsigned(number) }
      let lower = trimmed.lowercased()
      return lower.hasPrefix("0x") ? Int64(lower.dropFirst(2), radix: 16).map { .integer($0) } : nil
    case "real": return Double(trimmed).map { .real($0) }
    case "date": return ISODate(trimmed).map { .date($0.seconds - 978_307_200) }
    case "data":
      return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { .data($0) }
    default: return nil
    }
  }

  /// The text of an element whose start tag was read, up to its end tag.
  private mutating func text(of name: String) throws(ModelFileError) -> String {
    let text = try scanner.text()
    guard case .close(name) = try scanner.tag() else { throw malformed("\(name) is not closed") }
    return text
  }

  private mutating func array(depth: Int) throws(ModelFileError) -> PropertyListValue {
    var values: [PropertyListValue] = []
    while case .open(let name, let isEmpty) = try tag() {
      values.append(try value(name, isEmpty: isEmpty, depth: depth + 1))
    }
    return .array(values)
  }

  /// A dictionary; one with the only key `CF$UID` is a UID of a keyed archive.
  private mutating func dictionary(depth: Int) throws(ModelFileError) -> PropertyListValue {
    var members: [String: PropertyListValue] = [:]
    while case .open("key", let isKeyEmpty) = try tag() {
      let key = isKeyEmpty ? "" : try text(of: "key")
      guard case .open(let name, let isEmpty) = try tag() else {
        throw malformed("the key “\(key.prefix(40))” has no value")
      }
      let value = try value(name, isEmpty: isEmpty, depth: depth + 1)
      if members[key] == nil { members[key] = value }
    }
    if members.count == 1, case .integer(let index)? = members["CF$UID"], index >= 0 {
      return .uid(Int(index))
    }
    return .dictionary(members)
  }
}
