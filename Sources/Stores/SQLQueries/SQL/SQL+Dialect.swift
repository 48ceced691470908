import ObjectModel

extension SQL {
  /// How an engine writes what is bound late.
  package enum Dialect: Sendable {
    /// Values are bound to `?`.
    case sqlite
    /// Values are bound to `$1`, `$2`, ….
    case postgreSQL

    /// What stands for values, with commas between them.
    fileprivate func placeholders(_ numbers: Range<Int>) -> String {
      switch self {
      case .sqlite: "?" + String(repeating: ", ?", count: numbers.count - 1)
      case .postgreSQL: numbers.map { "$\($0)" }.joined(separator: ", ")
      }
    }
  }

  /// The statement as an engine reads it; its values are ``bindings``.
  package func text(in dialect: Dialect) -> String {
    var text = ""
    var number = 1
    func append(_ count: Int) {
      text += dialect.placeholders(number..<number + count)
      number += count
    }
    for segment in segments {
      switch segment {
      case .text(let part): text += part
      case .name(let name): text += Self.quote(name)
      case .binding: append(1)
      case .bindings(let list): append(list.count)
      }
    }
    return text
  }

  /// A text in single quotes.
  package static func literal(_ text: some StringProtocol) -> String {
    "'\(String(text).replacing("'", with: "''"))'"
  }

  /// A name in double quotes, as in the SQL standard.
  package static func quote(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\"") }) else {
      return "\"\(name)\""
    }
    // A NUL would end the statement early; no table or column can have one in its name.
    var quoted = "\""
    for character in name.unicodeScalars where character != "\0" {
      quoted.unicodeScalars.append(character)
      if character == "\"" { quoted.append("\"") }
    }
    return quoted + "\""
  }
}
