/// Converts key paths from and to text: names separated by points, unusual names in backquotes.
package enum KeyPathText {
  /// Splits a key path into its names.
  ///
  /// - Parameter text: The key path, such as `artist.name`; a name with spaces or symbols is
  ///   in backquotes, and a backquote in it is doubled.
  /// - Returns: The names; nil if one is empty or a backquote is not closed.
  package static func components(of text: String) -> [String]? {
    var components: [String] = []
    var name = ""
    var isQuoted = false
    var wasQuoted = false
    var rest = Substring(text)
    while let next = rest.popFirst() {
      if next == "`" {
        if isQuoted, rest.first == "`" {
          rest.removeFirst()
          name.append("`")
        } else if isQuoted || name.isEmpty, !wasQuoted {
          wasQuoted = isQuoted
          isQuoted.toggle()
        } else {
          return nil
        }
      } else if next == ".", !isQuoted {
        guard !name.isEmpty else { return nil }
        components.append(name)
        (name, wasQuoted) = ("", false)
      } else if wasQuoted {
        return nil
      } else {
        name.append(next)
      }
    }
    guard !isQuoted, !name.isEmpty else { return nil }
    return components + [name]
  }

  /// Joins names to a key path, which ``components(of:)`` splits again.
  ///
  /// - Parameter components: The names.
  /// - Returns: The key path, with backquotes around names that contain points or backquotes.
  package static func text(_ components: some Sequence<String>) -> String {
    components.map { $0.contains { $0 == "." || $0 == "`" } ? quoted($0) : $0 }
      .joined(separator: ".")
  }

  /// A name in backquotes.
  static func quoted(_ name: String) -> String {
    "`" + name.replacing("`", with: "``") + "`"
  }
}
