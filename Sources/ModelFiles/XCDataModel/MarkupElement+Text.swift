extension MarkupElement {
  /// The element as XML, a line each for itself and the elements in it; `name` stands first, other attributes by name.
  ///
  /// - Parameter depth: How far it is indented.
  /// - Returns: The text, with a line end.
  func xml(depth: Int = 0) -> String {
    let indent = String(repeating: "    ", count: depth)
    let names = attributes.keys.filter { $0 != "name" }.sorted()
    let texts = (["name"] + names).compactMap { name in
      attributes[name].map { " \(name)=\"\(Self.escaped($0))\"" }
    }.joined()
    guard !children.isEmpty else { return "\(indent)<\(name)\(texts)/>\n" }
    return "\(indent)<\(name)\(texts)>\n" + children.map { $0.xml(depth: depth + 1) }.joined()
      + "\(indent)</\(name)>\n"
  }

  /// The text with what has a meaning in XML as entities; line ends and tabs too, which would become blanks.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case _ where scalar.value < 0x20: escaped += "&#\(scalar.value);"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }

  /// Sets an attribute to YES where something holds.
  mutating func say(_ name: String, _ holds: Bool) {
    if holds { attributes[name] = "YES" }
  }

  /// Adds an element that holds others, unless there are none.
  mutating func add(_ name: String, _ children: [MarkupElement]) {
    if !children.isEmpty { self.children.append(MarkupElement(name: name, children: children)) }
  }
}
