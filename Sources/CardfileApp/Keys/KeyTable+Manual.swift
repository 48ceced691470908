import TerminalKit

/// The keys of all screens as text, for the manual page.
///
/// It is made from the same tables as the help and the hints.
public var keyManual: String {
  [KeyTable.list, .detail, .entityList]
    .map { "Keys: \($0.name)\n\n\($0.help(.unicode).manual)" }
    .joined(separator: "\n\n")
}
