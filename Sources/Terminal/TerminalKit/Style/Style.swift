/// The colours and text attributes of a cell.
public struct Style: Hashable, Sendable {
  /// The colour of the text.
  public var foreground: Color
  /// The colour behind the text.
  public var background: Color
  /// Bold, reverse and so on.
  public var attributes: TextAttributes

  /// Creates a style; colours default to the terminal's own.
  public init(
    _ attributes: TextAttributes = [], foreground: Color = .standard, background: Color = .standard
  ) {
    self.attributes = attributes
    self.foreground = foreground
    self.background = background
  }

  /// The terminal's default style: its own colours, no attributes.
  public static let plain = Style()

  /// Returns this style with another one on top.
  ///
  /// Attributes are combined; a colour of the upper style wins unless it is `.standard`.
  package func overlaid(by upper: Style) -> Style {
    Style(
      attributes.union(upper.attributes),
      foreground: upper.foreground == .standard ? foreground : upper.foreground,
      background: upper.background == .standard ? background : upper.background)
  }

  /// Returns the nearest style that a terminal can show.
  ///
  /// On a terminal without colours only bold, reverse and underline remain.
  package func degraded(to support: ColorSupport) -> Style {
    Style(
      support == .none ? attributes.intersection([.bold, .reverse, .underline]) : attributes,
      foreground: foreground.degraded(to: support), background: background.degraded(to: support))
  }
}

/// The text attributes of a cell.
///
/// A terminal ignores attributes it does not support, so none may be the only sign of a state.
public struct TextAttributes: OptionSet, Hashable, Sendable {
  /// One bit for each attribute.
  public let rawValue: UInt8

  /// Creates a set of attributes from its raw value.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Bold text.
  public static let bold = TextAttributes(rawValue: 1 << 0)
  /// Dim (faint) text.
  public static let dim = TextAttributes(rawValue: 1 << 1)
  /// Foreground and background colours swapped.
  public static let reverse = TextAttributes(rawValue: 1 << 2)
  /// Underlined text.
  public static let underline = TextAttributes(rawValue: 1 << 3)
  /// Italic text.
  public static let italic = TextAttributes(rawValue: 1 << 4)
  /// Struck-through text; ncurses cannot show it.
  public static let strikethrough = TextAttributes(rawValue: 1 << 5)
}
