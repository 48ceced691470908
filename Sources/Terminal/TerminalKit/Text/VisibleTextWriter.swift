/// Copies text scalar by scalar, replacing scalars that must not reach a terminal.
struct VisibleTextWriter {
  let signs: Signs
  private(set) var result = ""
  /// The last scalar copied unchanged; nil if a combining mark would have no base character.
  private var previous: Unicode.Scalar?
  private var marks = 0

  /// The most combining marks kept on one character.
  ///
  /// No script needs more, and stacks of marks overlap the lines above and below.
  private static let mostMarks = 8

  init(signs: Signs) {
    self.signs = signs
  }

  mutating func write(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: copy(scalar)
    case 0..<0x20: writeSign(signs.isUnicode ? picture(scalar.value) : caret(scalar.value))
    case 0x7F: writeSign(signs.isUnicode ? "␡" : "^?")
    case 0x2028, 0x2029: writeSign(signs.isUnicode ? "␤" : "^J")
    case 0x200C, 0x200D: if joins { copy(scalar) } else { writeCode(scalar) }
    // Bytes of stored text that are no UTF-8.
    case 0x10FF80...0x10FFFF: writeSign("\u{FFFD}")
    case 0xE0020...0xE007F: if isFlag { copy(scalar) } else { writeCode(scalar) }
    default: writeByCategory(scalar)
    }
  }

  private mutating func writeByCategory(_ scalar: Unicode.Scalar) {
    switch scalar.properties.generalCategory {
    case .control, .surrogate: writeCode(scalar)
    case .format where !scalar.isVisibleFormat: writeCode(scalar)
    case .nonspacingMark, .enclosingMark: writeMark(scalar)
    default: copy(scalar)
    }
  }

  private mutating func copy(_ scalar: Unicode.Scalar) {
    result.unicodeScalars.append(scalar)
    previous = scalar
    marks = 0
  }

  private mutating func writeMark(_ scalar: Unicode.Scalar) {
    if previous == nil { result += "◌" }
    marks += 1
    guard marks <= Self.mostMarks else { return }
    result.unicodeScalars.append(scalar)
    previous = scalar
  }

  private mutating func writeSign(_ sign: String) {
    result += sign
    previous = nil
    marks = 0
  }

  private mutating func writeCode(_ scalar: Unicode.Scalar) {
    let code = String(scalar.value, radix: 16, uppercase: true)
    writeSign(signs.isUnicode ? "‹\(code)›" : "<\(code)>")
  }

  /// Whether a joiner is meaningful here: after an emoji, and in scripts whose letters join.
  private var joins: Bool { (previous?.value ?? 0) >= 0x590 }

  /// Whether a tag character continues a flag, such as England's, which starts with a black flag.
  private var isFlag: Bool {
    guard let value = previous?.value else { return false }
    return value == 0x1F3F4 || (0xE0020...0xE007E).contains(value)
  }

  private func picture(_ value: UInt32) -> String {
    Unicode.Scalar(0x2400 + value).map { String($0) } ?? "?"
  }

  private func caret(_ value: UInt32) -> String {
    "^" + (Unicode.Scalar(value + 0x40).map { String($0) } ?? "?")
  }
}
