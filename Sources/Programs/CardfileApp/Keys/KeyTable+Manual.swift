import TerminalKit

/// The keys of all screens as text, for the manual page.
///
/// It is made from the same tables as the help and the hints.
package var keyManual: String {
  KeyTable.all
    .map { "Keys: \($0.name)\n\n\($0.help.manual)" }
    .joined(separator: "\n\n")
}

/// The commands of the command line as text, for the manual page.
package var commandManual: String {
  let width = CommandTable.lines.map(\.usage.count).max() ?? 0
  return CommandTable.lines
    .map { "\(Signs.unicode.fit($0.usage, to: width))  \($0.help)" }
    .joined(separator: "\n")
}
