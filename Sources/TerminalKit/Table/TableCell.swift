/// What a row shows.
///
/// A cell is a value, made anew each time that a row is drawn.
public struct TableCell: Hashable, Sendable {
  /// How the texts of a cell are arranged.
  public enum CellStyle: Hashable, Sendable {
    /// The text alone.
    case standard
    /// The text at the left, the detail at the right edge.
    case value1
    /// The text as a key at the right of a narrow column, the detail after it.
    case value2
    /// The text, and the detail on the line below; the table's `rowHeight` should be 2.
    case subtitle
    /// ``TableCell/fields`` in the columns of the table.
    case columns
  }

  /// A sign at the right edge of a row.
  public enum Accessory: Hashable, Sendable {
    /// Nothing.
    case none
    /// The row leads to more.
    case disclosure
    /// The row has a detail view.
    case detail
    /// The row is ticked.
    case checkmark
  }

  /// The state of the row's object, shown in front of the row.
  public enum Flag: Hashable, Sendable {
    /// As saved.
    case none
    /// Marked for deletion: `D`.
    case deleted
    /// Changed and not saved: `*`.
    case changed
    /// New and not saved: `+`.
    case inserted
  }

  /// One field of a cell in columns.
  public struct Field: Hashable, Sendable {
    /// The text; cut when its column is narrower.
    public var text: String
    /// Laid over the style of the row.
    public var style: Style

    /// Creates a field.
    public init(_ text: String, style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  /// How the texts are arranged.
  public var style: CellStyle
  /// The main text.
  public var text: String
  /// The second text; empty for none.
  public var detailText: String
  /// The fields of a cell in columns; missing ones are empty.
  public var fields: [Field]
  /// The sign at the right edge.
  public var accessory: Accessory
  /// The state of the object.
  public var flag: Flag
  /// Laid over the row's style for the main text, such as a colour of its own.
  public var textStyle: Style
  /// Laid over the row's style for the second text.
  public var detailStyle: Style

  /// Creates a cell.
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

  /// Creates a cell in columns.
  public init(fields: [Field], flag: Flag = .none) {
    self.init(style: .columns, flag: flag)
    self.fields = fields
  }
}
