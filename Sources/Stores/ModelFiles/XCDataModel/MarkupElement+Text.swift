extension MarkupElement {
  /// Returns the element as XML, one line per element; the attribute `name` comes first, the others
  /// are sorted.
  ///
  /// - Parameter depth: The level of indentation.
  /// - Returns: The text, ending with a line break.
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

  /// The text with XML's special characters as entities; also line breaks and tabs, which a reader
  /// would replace by spaces.
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

  /// Sets an attribute to `YES` if the flag is true; an absent attribute means NO.
  mutating func setFlag(_ name: String, _ flag: Bool) {
    if flag { attributes[name] = "YES" }
  }

  /// Adds an element with children, unless there are no children.
  mutating func add(_ name: String, _ children: [MarkupElement]) {
    if !children.isEmpty { self.children.append(MarkupElement(name: name, children: children)) }
  }
}
