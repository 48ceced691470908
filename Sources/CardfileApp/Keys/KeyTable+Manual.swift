import TerminalKit

/// All keys of the application as text, for its manual: screen by screen, a line for each.
///
/// Made from the same tables as the help and the hints.
public var keyManual: String {
  [KeyTable.list, .detail, .entityList]
    .map { "Keys: \($0.name)\n\n\($0.help(.unicode).manual)" }
    .joined(separator: "\n\n")
}
