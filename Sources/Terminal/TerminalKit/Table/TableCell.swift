/// The contents of a row.
///
/// A cell is a value, created each time its row is drawn; cells are not reused.
public struct TableCell: Hashable, Sendable {
  /// The layout of a cell's texts.
  public enum CellStyle: Hashable, Sendable {
    /// The text only.
    case standard
    /// The text at the left, the detail text at the right edge.
    case value1
    /// The text right-aligned in a narrow column at the left, the detail text after it.
    case value2
    /// The text above the detail text; set `TableView.rowHeight` to 2.
    case subtitle
    /// The cell's ``TableCell/fields`` in the table's columns.
    case columns
  }

  /// The glyph at the right edge of a row.
  public enum Accessory: Hashable, Sendable {
    /// No accessory.
    case none
    /// A disclosure indicator: choosing the row opens another screen.
    case disclosure
    /// The row has more details.
    case detail
    /// A checkmark.
    case checkmark
  }

  /// The state of the row's object, shown as a letter in front of the row.
  public enum Flag: Hashable, Sendable {
    /// Saved and unchanged.
    case none
    /// Marked for deletion: `D`.
    case deleted
    /// Changed, not saved: `*`.
    case changed
    /// New, not saved: `+`.
    case inserted
  }

  /// The contents of one column in a row.
  public struct Field: Hashable, Sendable {
    /// The text; truncated to the column's width.
    public var text: String
    /// The style, applied on top of the row's.
    package var style: Style
    /// The colour shown as a swatch before the text, where the terminal has colours; nil for none.
    package var swatch: Color?
    /// The parts of the text that match a search, in characters; highlighted.
    package var matches: [Range<Int>]

    /// Creates a field.
    public init(
      _ text: String, style: Style = .plain, swatch: Color? = nil, matches: [Range<Int>] = []
    ) {
      self.text = text
      self.style = style
      self.swatch = swatch
      self.matches = matches
    }
  }

  /// The layout of the texts.
  public var style: CellStyle
  /// The main text.
  public var text: String
  /// The secondary text; empty for none.
  public var detailText: String
  /// The contents of the table's columns for the style `columns`; missing ones are blank.
  public var fields: [Field]
  /// The glyph at the right edge; ignored by the style `columns`.
  public var accessory: Accessory
  /// The state of the row's object.
  public var flag: Flag
  /// Whether the row's object is still to be read, as while another program holds the store's lock:
  /// a sign is drawn instead of all texts.
  package var isWaiting = false
  /// The style of the main text, applied on top of the row's.
  public var textStyle: Style
  /// The style of the secondary text, applied on top of the row's.
  public var detailStyle: Style

  /// The colour that fills the row after its gutter; nil for none.
  ///
  /// Texts without a colour of their own are drawn in black or white, which is easier to read.
  public var swatch: Color?

  /// Creates a cell; by default with a main text only.
  public init(
    _ text: String = "", detailText: String = "", style: CellStyle = .standard,
    accessory: Accessory = .none, flag: Flag = .none, textStyle: Style = .plain,
    detailStyle: Style = .plain
  ) {
    self.style = style
    self.text = text
    self.detailText = detailText
    self.fields = []
    self.accessory = accessory
    self.flag = flag
    self.textStyle = textStyle
    self.detailStyle = detailStyle
  }

  /// Creates a cell of the style `columns`.
  public init(fields: [Field], flag: Flag = .none) {
    self.init(style: .columns, flag: flag)
    self.fields = fields
  }
}
