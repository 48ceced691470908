import Foundation

/// An element of XML with its attributes and the elements within it; text between them is left out.
struct MarkupElement {
  private static let maximumDepth = 50
  /// The largest model seen has some thousand.
  private static let maximumElements = 200_000

  var name: String
  var attributes: [String: String] = [:]
  var children: [MarkupElement] = []

  /// Reads XML; see ``XMLScanner`` for what of it is understood.
  ///
  /// - Parameter data: The whole of it.
  /// - Returns: The outermost element.
  /// - Throws: ``ModelFileError`` when it is damaged, too large or nested too deep.
  static func root(of data: Data) throws(ModelFileError) -> MarkupElement {
    var scanner = XMLScanner(data)
    _ = try scanner.text()
    guard case .open(let name, let isEmpty)? = try scanner.tag() else {
      throw ModelFileError(.malformed, detail: "it is no XML")
    }
    // Elements that are open, the innermost last: depth costs no stack.
    var open = [MarkupElement(name: name, attributes: try scanner.attributes())]
    var count = 1
    var isDone = isEmpty
    while !isDone {
      _ = try scanner.text()
      switch try scanner.tag() {
      case .open(let name, let isEmpty)?:
        count += 1
        guard count <= maximumElements, open.count < maximumDepth else {
          throw ModelFileError(.tooLarge, detail: "it has too many elements, or is nested too deep")
        }
        let element = MarkupElement(name: name, attributes: try scanner.attributes())
        if isEmpty { open[open.count - 1].children.append(element) } else { open.append(element) }
      case .close(let name)? where name == open.last?.name:
        guard open.count > 1, let element = open.popLast() else {
          isDone = true
          continue
        }
        open[open.count - 1].children.append(element)
      case .close, nil:
        let name = open.last?.name.prefix(40) ?? ""
        throw ModelFileError(
          .malformed, detail: "<\(name)> is not closed, at byte \(scanner.place)")
      }
    }
    return open[0]
  }

  /// How many bytes its texts take and how many elements are in it: what it costs to read it again.
  var weight: Int {
    children.reduce(attributes.values.reduce(1) { $0 + $1.utf8.count }) { $0 + $1.weight }
  }

  /// The text of an attribute; nil where it is missing.
  subscript(name: String) -> String? { attributes[name] }

  /// The text of an attribute; nil where it is missing or empty.
  func text(_ name: String) -> String? { attributes[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether an attribute says YES.
  func says(_ name: String) -> Bool { attributes[name] == "YES" }

  /// A whole number; 0 where it is missing, negative, or none.
  func count(_ name: String) -> Int { max(0, attributes[name].flatMap { Int($0) } ?? 0) }

  /// The elements of a name within this one.
  func elements(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }
}
