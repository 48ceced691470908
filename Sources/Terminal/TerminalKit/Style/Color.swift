/// A foreground or background colour.
///
/// A terminal with fewer colours shows the nearest colour it has; see `degraded(to:)`.
public enum Color: Hashable, Sendable {
  /// The terminal's default colour, which suits both light and dark terminals.
  case standard
  /// One of the 256 colours of the xterm palette; 0–7 are the eight ANSI colours.
  case indexed(UInt8)
  /// A 24-bit colour.
  case rgb(red: UInt8, green: UInt8, blue: UInt8)

  /// The palette's red.
  public static let red = Color.indexed(1)
  /// The palette's green.
  public static let green = Color.indexed(2)
  /// The palette's yellow.
  public static let yellow = Color.indexed(3)
  /// The palette's blue.
  public static let blue = Color.indexed(4)
  /// The palette's magenta.
  public static let magenta = Color.indexed(5)
  /// The palette's cyan.
  public static let cyan = Color.indexed(6)

  /// Parses a colour written as `#RRGGBB`, `RRGGBB`, `#RGB` or `RGB`; nil for any other text.
  ///
  /// - Parameter hex: The hexadecimal digits in either case, with or without `#`.
  public init?(hex: some StringProtocol) {
    // Longer text is not a colour and may be megabytes long, so look at 8 bytes only.
    var digits: [UInt8] = []
    for (offset, byte) in hex.utf8.prefix(8).enumerated() {
      if offset == 0, byte == UInt8(ascii: "#") { continue }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      digits.append(UInt8(digit))
    }
    switch digits.count {
    case 3: self = .rgb(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
    case 6:
      self = .rgb(
        red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3],
        blue: digits[4] << 4 | digits[5])
    default: return nil
    }
  }

  /// Whether text in this colour is readable on both dark and light backgrounds.
  ///
  /// True for the standard colour.
  package var isReadable: Bool {
    brightness.map { (64..<184).contains($0) } ?? true
  }

  /// Whether black text on this colour has more contrast than white text; nil for the standard
  /// colour.
  ///
  /// Compares the relative luminance (WCAG 2, with a gamma of 2) with that of equal contrast.
  package var isLight: Bool? {
    components.map { part in
      2126 * part.red * part.red + 7152 * part.green * part.green + 722 * part.blue * part.blue
        > 10_000 * 255 * 255 * 18 / 100
    }
  }

  /// The perceived brightness from 0 to 255 (luma of ITU-R BT.601); nil for the standard colour.
  private var brightness: Int? {
    components.map { ($0.red * 299 + $0.green * 587 + $0.blue * 114) / 1000 }
  }

  /// Red, green and blue, 0 to 255; nil for the standard colour.
  var components: (red: Int, green: Int, blue: Int)? {
    switch self {
    case .standard: return nil
    case .rgb(let red, let green, let blue): return (Int(red), Int(green), Int(blue))
    case .indexed(let index):
      switch Int(index) {
      case let index where index < 16: return Color.basic[index]
      case let index where index < 232:
        let cube = index - 16
        return (Color.level(cube / 36), Color.level(cube / 6 % 6), Color.level(cube % 6))
      case let index:
        let gray = 8 + (index - 232) * 10
        return (gray, gray, gray)
      }
    }
  }

  private static func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + step * 40 }

  private static let basic: [(red: Int, green: Int, blue: Int)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0),
    (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
    (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ]

  /// Returns the nearest colour that a terminal can show.
  ///
  /// - Parameter support: The number of colours of the terminal.
  /// - Returns: ``standard`` if the terminal has no colours.
  package func degraded(to support: ColorSupport) -> Color {
    switch (support, self) {
    case (_, .standard), (.trueColor, _), (.palette, .indexed): return self
    case (.none, _): return .standard
    case (.palette, .rgb): return nearest(in: 16..<256)
    case (.sixteen, .indexed(let index)) where index < 16: return self
    case (.sixteen, _): return nearest(in: 0..<16)
    case (.eight, .indexed(let index)) where index < 16: return .indexed(index % 8)
    case (.eight, _): return nearest(in: 0..<8)
    }
  }

  private func nearest(in indices: Range<Int>) -> Color {
    guard let mine = components else { return .standard }
    var best = (index: indices.lowerBound, distance: Int.max)
    for index in indices {
      guard let other = Color.indexed(UInt8(index)).components else { continue }
      let (red, green, blue) = (
        mine.red - other.red, mine.green - other.green, mine.blue - other.blue
      )
      let distance = 2 * red * red + 4 * green * green + 3 * blue * blue
      if distance < best.distance { best = (index, distance) }
    }
    return .indexed(UInt8(best.index))
  }
}

/// The number of colours a terminal can show, in ascending order.
public enum ColorSupport: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// No colours, also if the environment sets `NO_COLOR`: only bold, reverse and underline.
  case none
  /// The eight ANSI colours.
  case eight
  /// The eight ANSI colours and their bright variants.
  case sixteen
  /// The 256-colour xterm palette.
  case palette
  /// 24-bit colours.
  case trueColor

  /// Orders by the number of colours.
  public static func < (left: ColorSupport, right: ColorSupport) -> Bool {
    left.rawValue < right.rawValue
  }
}
