package import Foundation

/// An XML element with its attributes, child elements and text.
package struct MarkupElement {
  private static let maximumDepth = 50
  /// The largest model seen has a few thousand.
  private static let maximumElements = 200_000

  package var name: String
  package var attributes: [String: String] = [:]
  package var children: [MarkupElement] = []
  /// The text between its tags and those of its children, with line breaks and indents.
  package var content = ""

  /// Parses XML; ``XMLScanner`` defines the supported subset.
  ///
  /// - Throws: ``ModelFileError`` when it is damaged, has too many elements, or is nested too
  ///   deeply.
  package static func root(of data: Data) throws(ModelFileError) -> MarkupElement {
    var scanner = XMLScanner(data)
    _ = try scanner.text()
    guard case .open(let name, let isEmpty)? = try scanner.tag() else {
      throw ModelFileError(.malformed, detail: "it is not XML")
    }
    // The open elements, innermost last: an explicit stack, so that deep nesting cannot overflow
    // the thread's.
    var open = [MarkupElement(name: name, attributes: try scanner.attributes())]
    var count = 1
    var isDone = isEmpty
    while !isDone {
      open[open.count - 1].content += try scanner.text()
      switch try scanner.tag() {
      case .open(let name, let isEmpty)?:
        count += 1
        guard count <= maximumElements, open.count < maximumDepth else {
          throw ModelFileError(
            .tooLarge, detail: "it has too many elements, or is nested too deeply")
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
          .malformed, detail: "<\(name)> is not closed, at byte \(scanner.offset)")
      }
    }
    return open[0]
  }

  /// The cost of reading the element again: bytes of its attribute values plus number of elements.
  var weight: Int {
    children.reduce(attributes.values.reduce(1) { $0 + $1.utf8.count }) { $0 + $1.weight }
  }

  /// The value of an attribute; nil if it is missing.
  package subscript(name: String) -> String? { attributes[name] }

  /// The value of an attribute; nil if it is missing or empty.
  func text(_ name: String) -> String? { attributes[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether an attribute is `YES`.
  func flag(_ name: String) -> Bool { attributes[name] == "YES" }

  /// The integer value of an attribute; 0 if it is missing, negative or not a number.
  func count(_ name: String) -> Int { max(0, attributes[name].flatMap { Int($0) } ?? 0) }

  /// The child elements with a name.
  package func elements(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }
}
