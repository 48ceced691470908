/// How a cell of the screen looks: colours and attributes.
///
/// The empty style is the terminal's own look.
public struct Style: Hashable, Sendable {
  /// The colour of the text.
  public var foreground: Color
  /// The colour behind the text.
  public var background: Color
  /// Bold, reverse and so on.
  public var attributes: TextAttributes

  /// Creates a style; what is left out is as the terminal has it.
  public init(
    _ attributes: TextAttributes = [], foreground: Color = .standard, background: Color = .standard
  ) {
    self.attributes = attributes
    self.foreground = foreground
    self.background = background
  }

  /// The terminal's own look.
  public static let plain = Style()

  /// A patch of a colour, with text upon it that can be read.
  public static func swatch(_ color: Color) -> Style {
    Style(foreground: color.contrasting, background: color)
  }

  /// This style with another laid over it.
  ///
  /// Attributes add up; a colour of the upper style wins unless it is the standard one.
  public func overlaid(by upper: Style) -> Style {
    Style(
      attributes.union(upper.attributes),
      foreground: upper.foreground == .standard ? foreground : upper.foreground,
      background: upper.background == .standard ? background : upper.background)
  }

  /// The nearest style that a terminal can show.
  ///
  /// Without colours only bold, reverse and underline remain.
  public func degraded(to support: ColorSupport) -> Style {
    Style(
      support == .none ? attributes.intersection([.bold, .reverse, .underline]) : attributes,
      foreground: foreground.degraded(to: support), background: background.degraded(to: support))
  }
}

/// The attributes of text on a terminal.
///
/// A terminal leaves out what it cannot do; nothing may depend on one of them alone.
public struct TextAttributes: OptionSet, Hashable, Sendable {
  /// The bits of the attributes.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Heavier text.
  public static let bold = TextAttributes(rawValue: 1 << 0)
  /// Fainter text.
  public static let dim = TextAttributes(rawValue: 1 << 1)
  /// Foreground and background exchanged.
  public static let reverse = TextAttributes(rawValue: 1 << 2)
  /// A line below.
  public static let underline = TextAttributes(rawValue: 1 << 3)
  /// Slanted text.
  public static let italic = TextAttributes(rawValue: 1 << 4)
  /// A line through.
  public static let strikethrough = TextAttributes(rawValue: 1 << 5)
}
