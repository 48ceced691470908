import TerminalKit

/// A small VT100, xterm and screen: takes what a program writes and shows the screen as text.
struct ScreenReader {
  private(set) var columns: Int
  private(set) var rows: Int
  /// The cells by row; the second cell of a wide character is empty.
  private var cells: [[String]]
  private var x = 0
  private var y = 0
  private var scrollTop = 0
  private var scrollBottom: Int
  /// Whether the last column was written and the next character goes to the next line.
  private var wrapsNext = false
  private var drawsLines = false
  /// The character that REP repeats.
  private var lastText = " "
  private var savedCursor = (x: 0, y: 0)
  private var state = State.text
  private var parameters = ""
  private var partialCharacter: [UInt8] = []
  /// Whether the terminal was asked to report the mouse.
  private(set) var reportsMouse = false
  /// The operating system commands that came, such as `52;c;…`, which sets the clipboard.
  private(set) var commands: [String] = []
  /// The colours that were asked for: of the 256, as `38;5;N` and `48;5;N`.
  private(set) var colors: Set<String> = []

  private enum State { case text, escape, sequence, firstCharset, otherCharset, command }

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Self.blank(columns, rows)
    scrollBottom = rows - 1
  }

  /// The screen, line by line, without the blanks at the ends.
  var lines: [String] {
    cells.map { row in
      var line = row.joined()
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  var text: String { lines.joined(separator: "\n") }

  var cursor: (x: Int, y: Int) { (x, y) }

  /// A new size empties the screen: the program draws it anew.
  mutating func resize(columns: Int, rows: Int) {
    self = ScreenReader(columns: columns, rows: rows)
  }

  mutating func read(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { read(byte) }
  }

  private mutating func read(_ byte: UInt8) {
    switch state {
    case .text: readText(byte)
    case .escape: readEscape(byte)
    case .firstCharset: (state, drawsLines) = (.text, byte == UInt8(ascii: "0"))
    case .otherCharset: state = .text
    case .sequence:
      if (0x40...0x7E).contains(byte) {
        state = .text
        perform(byte)
      } else {
        parameters.append(Character(Unicode.Scalar(byte)))
      }
    case .command:
      if byte == 0x07 || byte == 0x5C {
        state = .text
        commands.append(parameters)
      } else {
        parameters.append(Character(Unicode.Scalar(byte)))
      }
    }
  }

  private mutating func readText(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .escape
    case 0x0D: (x, wrapsNext) = (0, false)
    case 0x0A: lineFeed()
    case 0x08: (x, wrapsNext) = (max(x - 1, 0), false)
    case 0x09: x = min((x / 8 + 1) * 8, columns - 1)
    case 0x0E: drawsLines = true
    case 0x0F: drawsLines = false
    case 0..<0x20, 0x7F: break
    default: readCharacter(byte)
    }
  }

  private mutating func readCharacter(_ byte: UInt8) {
    partialCharacter.append(byte)
    guard let text = String(validating: partialCharacter, as: UTF8.self) else {
      if partialCharacter.count >= 4 { partialCharacter = [] }
      return
    }
    partialCharacter = []
    lastText = drawsLines ? Self.lineDrawing[text] ?? text : text
    put(lastText)
  }

  private static let lineDrawing = [
    "q": "─", "x": "│", "l": "┌", "k": "┐", "m": "└", "j": "┘", "n": "┼", "t": "├", "u": "┤",
    "v": "┴", "w": "┬", "~": "·", "a": "▒", "`": "◆",
  ]

  private mutating func put(_ text: String) {
    let width = displayWidth(of: text)
    guard width > 0 else {  // a combining mark belongs to the character before it
      let position = wrapsNext ? x : max(x - 1, 0)
      cells[y][position] += text
      return
    }
    if wrapsNext || x + width > columns {
      x = 0
      wrapsNext = false
      lineFeed()
    }
    cells[y][x] = text
    for extra in 1..<max(width, 1) where x + extra < columns { cells[y][x + extra] = "" }
    wrapsNext = x + width >= columns
    x = min(x + width, columns - 1)
  }

  private mutating func readEscape(_ byte: UInt8) {
    state = .text
    switch UInt8(byte) {
    case UInt8(ascii: "["): (state, parameters) = (.sequence, "")
    case UInt8(ascii: "]"): (state, parameters) = (.command, "")
    case UInt8(ascii: "("): state = .firstCharset
    case UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"): state = .otherCharset
    case UInt8(ascii: "P"), UInt8(ascii: "k"): state = .command
    case UInt8(ascii: "7"): savedCursor = (x, y)
    case UInt8(ascii: "8"): (x, y) = savedCursor
    case UInt8(ascii: "D"): lineFeed()
    case UInt8(ascii: "E"):
      x = 0
      lineFeed()
    case UInt8(ascii: "M"): reverseLineFeed()
    case UInt8(ascii: "c"): self = ScreenReader(columns: columns, rows: rows)
    default: break
    }
  }

  private mutating func perform(_ final: UInt8) {
    if parameters == "?1002" { reportsMouse = final == UInt8(ascii: "h") }
    if final == UInt8(ascii: "m"), parameters.contains("8;5;") { colors.insert(parameters) }
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map {
      Int($0) ?? 0
    }
    func number(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }
    let count = max(number(0), 1)
    if final == UInt8(ascii: "b") {
      for _ in 0..<count { put(lastText) }
      return
    }
    wrapsNext = false
    switch Character(Unicode.Scalar(final)) {
    case "H", "f":
      y = min(max(number(0), 1), rows) - 1
      x = min(max(number(1), 1), columns) - 1
    case "A": y = max(y - count, 0)
    case "B": y = min(y + count, rows - 1)
    case "C": x = min(x + count, columns - 1)
    case "D": x = max(x - count, 0)
    case "G", "`": x = min(count, columns) - 1
    case "d": y = min(count, rows) - 1
    case "Z": x = max((x - 1) / 8 * 8, 0)
    case "J": eraseScreen(number(0))
    case "K": eraseLine(number(0))
    case "X": for column in x..<min(x + count, columns) { cells[y][column] = " " }
    case "@": shift(count)
    case "P": shift(-count)
    case "L": scroll(from: y, by: -count)
    case "M": scroll(from: y, by: count)
    case "S": scroll(from: scrollTop, by: count)
    case "T": scroll(from: scrollTop, by: -count)
    case "r":
      scrollTop = min(max(number(0), 1), rows) - 1
      scrollBottom = numbers.count > 1 ? min(max(number(1), 1), rows) - 1 : rows - 1
      (x, y) = (0, 0)
    default: break  // attributes and modes do not change the text
    }
  }

  /// Inserts blanks at the cursor, or deletes cells where `count` is negative.
  private mutating func shift(_ count: Int) {
    let size = min(abs(count), columns - x)
    let blanks = Array(repeating: " ", count: size)
    if count > 0 {
      cells[y].insert(contentsOf: blanks, at: x)
      cells[y].removeLast(size)
    } else {
      cells[y].removeSubrange(x..<x + size)
      cells[y] += blanks
    }
  }

  /// Moves the lines from `top` to the end of the scrolled part up, or down where `count` is
  /// negative.
  private mutating func scroll(from top: Int, by count: Int) {
    guard (scrollTop...scrollBottom).contains(top) else { return }
    for _ in 0..<min(abs(count), scrollBottom - top + 1) {
      cells.remove(at: count > 0 ? top : scrollBottom)
      cells.insert(Self.blank(columns, 1)[0], at: count > 0 ? scrollBottom : top)
    }
  }

  private mutating func eraseScreen(_ part: Int) {
    eraseLine(part)
    for row in cells.indices where part == 2 || (part == 0 && row > y) || (part == 1 && row < y) {
      cells[row] = Self.blank(columns, 1)[0]
    }
  }

  private mutating func eraseLine(_ part: Int) {
    for column in 0..<columns
    where part == 2 || (part == 0 && column >= x) || (part == 1 && column <= x) {
      cells[y][column] = " "
    }
  }

  private mutating func lineFeed() {
    if y == scrollBottom {
      scroll(from: scrollTop, by: 1)
    } else {
      y = min(y + 1, rows - 1)
    }
  }

  private mutating func reverseLineFeed() {
    if y == scrollTop {
      scroll(from: scrollTop, by: -1)
    } else {
      y = max(y - 1, 0)
    }
  }

  private static func blank(_ columns: Int, _ rows: Int) -> [[String]] {
    Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }
}
