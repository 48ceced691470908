import Foundation
import TestSupport
import Testing

/// The test cases of OData's technical committee for the grammar of addresses, in `../shared`.
struct ODataTestCases {
  struct Case: Sendable, CustomTestStringConvertible {
    var name = ""
    var rule = ""
    var input = ""
    var isValid = true
    var testDescription: String { "\(rule) \(input)" }
  }

  var names: [String: Set<String>] = [:]
  var cases: [Case] = []

  /// Reads a file; nil if it is not there.
  static func read(_ name: String) -> ODataTestCases? {
    guard let folder = RealStores.folder?.deletingLastPathComponent(),
      let text = try? String(
        contentsOf: folder.appendingPathComponent("odata/\(name).yaml"), encoding: .utf8)
    else { return nil }
    var cases = ODataTestCases()
    cases.read(text)
    return cases
  }

  /// Reads what of YAML the files use.
  private mutating func read(_ text: String) {
    var rule = ""
    var isCase = false
    // A value that goes on in the next line is indented more than its key.
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      let plain = line.drop { $0 == " " }
      let indent = line.count - plain.count
      let isKey = plain.hasPrefix("- ") || plain.wholeMatch(of: #/[A-Za-z]+:.*/#) != nil
      if indent >= 6, !isKey, let last = lines.popLast() {
        lines.append(last.hasSuffix("\\") ? String(last.dropLast()) + plain : last + " " + plain)
      } else {
        lines.append(line)
      }
    }
    for line in lines {
      let plain = line.trimmingCharacters(in: .whitespaces)
      if line == "TestCases:" { isCase = true }
      if !isCase {
        if plain.hasPrefix("- ") {
          names[rule, default: []].insert(Self.value(String(plain.dropFirst(2))))
        } else if let colon = plain.firstIndex(of: ":") {
          rule = String(plain[..<colon])
        }
        continue
      }
      if plain.hasPrefix("- Name:") { cases.append(Case(name: String(plain.dropFirst(7)))) }
      guard !cases.isEmpty, let colon = plain.firstIndex(of: ":") else { continue }
      let value = Self.value(
        plain[plain.index(after: colon)...].trimmingCharacters(in: .whitespaces))
      switch plain[..<colon] {
      case "Rule": cases[cases.count - 1].rule = value
      case "Input": cases[cases.count - 1].input = value
      case "FailAt": cases[cases.count - 1].isValid = false
      default: break
      }
    }
  }

  /// A scalar without its quotation marks and comment.
  private static func value(_ text: String) -> String {
    if text.hasPrefix("'"), text.hasSuffix("'"), text.count > 1 {
      return text.dropFirst().dropLast().replacingOccurrences(of: "''", with: "'")
    }
    if text.hasPrefix("\""), text.hasSuffix("\""), text.count > 1 {
      return text.dropFirst().dropLast().replacingOccurrences(of: "\\\"", with: "\"")
        .replacingOccurrences(of: "\\ ", with: " ").replacingOccurrences(of: "\\\\", with: "\\")
    }
    return text.components(separatedBy: " #")[0]
  }
}
