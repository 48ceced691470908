package import Foundation
import ObjectModel

/// Describes the bytes of a transformable or binary value for a person.
///
/// An archive or a property list is shown as an indented tree of class names and values; no object
/// is ever instantiated. The number of lines, their width and the depth are bounded, and equal
/// bytes give equal lines.
package struct ArchiveDescription {
  /// The bounds of a description.
  package struct Limits: Sendable {
    /// The maximum number of lines; a last line `…` is added when there are more.
    package var lines: Int
    /// The maximum number of Unicode scalars shown of one string.
    package var characters: Int
    /// The maximum depth of the tree; deeper members are counted, not shown.
    package var depth: Int

    /// Creates bounds.
    package init(lines: Int = 200, characters: Int = 200, depth: Int = 16) {
      self.lines = lines
      self.characters = characters
      self.depth = depth
    }
  }

  private let limits: Limits
  private var lines: [String] = []
  private var isTruncated = false
  /// The indexes of objects shown so far: a shared object, or one in a cycle, is shown once.
  private var shown: Set<Int> = []

  /// Describes bytes in at least one line: `12 bytes, unknown` for bytes that are not an archive, a
  /// property list or UTF-8 text.
  package static func lines(of data: Data, limits: Limits = Limits()) -> [String] {
    guard let archive = archive(of: data) else { return [summary(data, limits)] }
    var description = ArchiveDescription(limits: limits)
    for (key, object) in archive.roots {
      description.add(object, label: key == "root" ? "" : "\(key): ", depth: 0)
    }
    if description.isTruncated { description.lines.append("…") }
    return description.lines.isEmpty ? ["nothing"] : description.lines
  }

  /// Returns the class name of the root object of an archive, without decoding it.
  ///
  /// - Parameter data: The bytes.
  /// - Returns: The class name; nil if the bytes are not an archive, or its root is a plain value.
  package static func className(of data: Data) -> String? { archive(of: data)?.root?.className }

  private init(limits: Limits) { self.limits = limits }

  private static func archive(of data: Data) -> KeyedArchive? {
    guard data.count <= Deflate.maximumSize, let list = try? PropertyListValue.read(data) else {
      return nil
    }
    return (try? KeyedArchive(list)) ?? KeyedArchive(plain: list)
  }

  private static func summary(_ data: Data, _ limits: Limits) -> String {
    let size = data.count == 1 ? "1 byte" : "\(data.count) bytes"
    if data.dropFirst(2).starts(with: Array("streamtyped".utf8)) {
      return "\(size), an NSArchiver archive"
    }
    let start = data.prefix(limits.characters * 4)
    guard !data.isEmpty,
      let text = String(data: data.count == start.count ? data : start, encoding: .utf8),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || "\t\r\n".unicodeScalars.contains($0) })
    else { return "\(size), unknown" }
    return "\(size), text: \(quoted(text, limits))"
  }

  private static func quoted(_ text: String, _ limits: Limits) -> String {
    let scalars = text.unicodeScalars
    let start = scalars.prefix(limits.characters)
    let escaped = start.map { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\t": "\\t"
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control:
        "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + (start.endIndex == scalars.endIndex ? "\"" : "…\"")
  }

  /// Adds a line, or notes that lines were left out.
  private mutating func add(_ text: String, depth: Int) {
    if lines.count < limits.lines {
      lines.append(String(repeating: "  ", count: depth) + text)
    } else {
      isTruncated = true
    }
  }

  private mutating func add(_ object: ArchivedObject?, label: String, depth: Int) {
    guard !isTruncated else { return }
    guard let object else { return add(label + "null", depth: depth) }
    if let value = object.plainValue { return add(label + text(of: value), depth: depth) }
    let name = object.className.map { short($0) } ?? (object.isArray ? "array" : "dictionary")
    if let index = object.index, !shown.insert(index).inserted {
      return add(label + "\(name), as above", depth: depth)
    }
    let isContainer = object.isArray || object.members != nil || object.className == nil
    let count = object.className == nil && !object.isArray ? object.keys.count : object.memberCount
    let size = isContainer ? ", \(count == 1 ? "1 member" : "\(count) members")" : ""
    let isDeep = depth >= limits.depth
    add(label + name + size + (isDeep && count > 0 ? " …" : ""), depth: depth)
    if !isDeep { addParts(of: object, depth: depth + 1) }
  }

  private mutating func addParts(of object: ArchivedObject, depth: Int) {
    if let members = object.array {
      for member in members.prefix(limits.lines) { add(member, label: "- ", depth: depth) }
      if members.count > limits.lines { isTruncated = true }
    } else if let members = object.members {
      let named = members.map { (short($0.key.text ?? "?"), $0.value) }.sorted { $0.0 < $1.0 }
      for (key, value) in named { add(value, label: "\(key): ", depth: depth) }
    } else {
      for key in object.keys { add(object[key], label: "\(short(key)): ", depth: depth) }
    }
  }

  /// A name escaped and truncated like a string, without its quotation marks.
  private func short(_ name: String) -> String {
    String(Self.quoted(name, limits).dropFirst().dropLast())
  }

  private func text(of value: Value) -> String {
    switch value {
    case .string(let text): Self.quoted(text, limits)
    case .data(let bytes): bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
    case .url(let url): short(url.absoluteString)
    default: value.description
    }
  }
}
