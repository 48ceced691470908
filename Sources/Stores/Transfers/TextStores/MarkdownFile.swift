import Foundation
import ObjectModel

/// A Markdown file with front matter: lines of keys and values between two lines `---`.
///
/// Lines that are not changed keep their bytes.
struct MarkdownFile: Sendable {
  /// A key with its lines: those that follow it, such as those of a list, belong to it.
  private struct Entry: Sendable {
    let key: String
    var lines: Substring
  }

  private var entries: [Entry] = []
  /// Whether there is front matter.
  private var hasFrontMatter = false
  /// What follows the front matter.
  var text: String
  private let lineEnd: String

  init(_ source: String) {
    lineEnd = source.utf8.contains(0x0D) ? "\r\n" : "\n"
    text = source
    let lines = source.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
    guard lines.first == "---",
      let end = lines.dropFirst().firstIndex(where: { $0 == "---" || $0 == "..." })
    else { return }
    hasFrontMatter = true
    for line in lines[1..<end] {
      let lineAndEnd = source[line.startIndex..<source.index(after: line.endIndex)]
      if let key = Self.key(of: line) {
        entries.append(Entry(key: key, lines: lineAndEnd))
      } else if entries.isEmpty {
        entries.append(Entry(key: "", lines: lineAndEnd))
      } else {
        let last = entries.count - 1
        entries[last].lines = source[entries[last].lines.startIndex..<lineAndEnd.endIndex]
      }
    }
    let last = lines[end].endIndex
    text = last == source.endIndex ? "" : String(source[source.index(after: last)...])
  }

  private static func key(of line: Substring) -> String? {
    guard let first = line.first, !first.isWhitespace, first != "#", first != "-",
      let colon = line.firstIndex(of: ":")
    else { return nil }
    let rest = line[line.index(after: colon)...]
    guard rest.isEmpty || rest.first?.isWhitespace == true else { return nil }
    return line[..<colon].trimmingCharacters(in: .whitespaces)
  }

  /// The keys in their order.
  var keys: [String] { entries.map(\.key).filter { !$0.isEmpty } }

  /// The value of a key as text; nil if there is none.
  subscript(key: String) -> String? {
    guard let lines = entries.first(where: { $0.key == key })?.lines,
      let colon = lines.firstIndex(of: ":")
    else { return nil }
    let value = lines[lines.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
    return value.isEmpty || value == "~" || value == "null" ? nil : Self.unquoted(value)
  }

  /// Sets the value of a key; nil removes it.
  mutating func set(_ key: String, _ value: String?) {
    let index = entries.firstIndex { $0.key == key }
    guard let value else {
      if let index { entries.remove(at: index) }
      return
    }
    hasFrontMatter = true
    let lines = Substring("\(key): \(Self.quoted(value))\(lineEnd)")
    if let index {
      entries[index].lines = lines
    } else {
      entries.append(Entry(key: key, lines: lines))
    }
  }

  /// The contents of the file.
  var contents: String {
    guard hasFrontMatter else { return text }
    return "---\(lineEnd)" + entries.map(\.lines).joined() + "---\(lineEnd)" + text
  }

  // MARK: Values

  private static func unquoted(_ value: String) -> String {
    guard value.count >= 2, let quote = value.first, quote == value.last,
      quote == "\"" || quote == "'"
    else { return value }
    let inner = value.dropFirst().dropLast()
    if quote == "'" { return String(inner).replacing("''", with: "'") }
    var (text, isEscaped) = ("", false)
    for character in inner {
      if isEscaped {
        text.append(character == "n" ? "\n" : character == "t" ? "\t" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        text.append(character)
      }
    }
    return text
  }

  /// A value as YAML writes it: in quotes where it would mean something else without.
  private static func quoted(_ value: String) -> String {
    // A list or a mapping stays one.
    if let first = value.first, let last = value.last, !value.contains("\n"),
      first == "[" && last == "]" || first == "{" && last == "}"
    {
      return value
    }
    let isPlain =
      !value.isEmpty && value == value.trimmingCharacters(in: .whitespaces)
      && !"-?:,[]{}#&*!|>'\"%@`".contains(value.first ?? " ") && !value.contains(": ")
      && !value.contains(" #") && !value.hasSuffix(":") && value != "~" && value != "null"
      && !value.contains(where: \.isNewline)
    if isPlain || Number.isNumeric(value) { return value }
    let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    return "\"\(escaped)\""
  }
}
