import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension DetailContents {
  /// The most lines of a text on the page; the viewer shows all.
  private static var mostTextLines: Int { 10 }

  /// The row of an attribute.
  ///
  /// A long value is read truncated, so that opening the page costs the same whatever its length.
  func row(of attribute: AttributeDescription) -> NewRow {
    let name = attribute.name
    let value = object.truncatedValue(forKey: name)
    var texts: [String]
    if case .string(let text) = value {
      texts = textLines(text, wholeLength: object.cutLength(forKey: name))
    } else {
      texts = [ValueText.line(of: attribute, in: object) ?? signs.null]
    }
    if case .date(let date) = value, let age = ValueText.age(of: date, now: session.now()) {
      texts[0] += "  (\(age))"
    }
    if case .data(let data) = value, let kind = BytesKind(data) {
      texts[0] += "  (\(kind.name))"
    }
    texts += descriptionOnPage(of: attribute)
    let first = texts.removeFirst()
    let isChanged = changed.contains(name)
    let note = note(attribute, value, isChanged: isChanged)
    return NewRow(
      property: .attribute(name), block: .attributes,
      lines: [
        .field(label: name, isChanged: isChanged, value: first, note: note, isDim: value.isNull)
      ] + texts.map { .more($0) },
      text: searchText(name, value, texts: [first] + texts),
      isEmpty: isEmpty(value) && !isChanged && object.awaitedDefault(forKey: name) == nil,
      address: address(value))
  }

  /// The address of the web that a value is as a whole; nil for none.
  private func address(_ value: Value) -> String? {
    switch value {
    case .string(let text): ScreenLink.address(text)
    case .url(let url): ScreenLink.address(url.absoluteString)
    default: nil
    }
  }

  private func isEmpty(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .string(let text): text.isEmpty
    case .data(let data): data.isEmpty
    default: false
    }
  }

  private func searchText(_ name: String, _ value: Value, texts: [String]) -> String {
    if case .string(let text) = value { return "\(name)\n\(text)" }
    return ([name] + texts).joined(separator: "\n")
  }

  /// The first lines of a text, followed by how much there is in all.
  private func textLines(_ text: String, wholeLength: Int?) -> [String] {
    let most = Self.mostTextLines
    let start = text.prefix(most * valueRoom + 1)
    let lines = TextWrap.lines(
      String(start), columns: valueRoom, limit: start.utf8.count + 1, signs: signs)
    guard wholeLength != nil || start.endIndex < text.endIndex || lines.count > most else {
      return lines
    }
    let size = groupedDigits(wholeLength ?? text.utf8.count)
    return lines.prefix(most - 1) + [signs.own("… \(openKey) shows all \(size) bytes")]
  }

  // MARK: Details at the right

  private func note(
    _ attribute: AttributeDescription, _ value: Value, isChanged: Bool
  ) -> String {
    if isChanged {
      return "was: \(ValueText.line(object.committedValue(forKey: attribute.name)) ?? signs.null)"
    }
    var facts = [typeFact(attribute, value)]
    let leading = object.entity.toOneRelationships.first {
      $0.foreignKeyAttributes.contains(attribute.name)
    }
    if let leading { facts.append("\(signs.toOne) \(leading.name)") }
    guard isWide else { return facts.joined(separator: " ") }
    if !attribute.isOptional { facts.append("required") }
    if attribute.details.derivation != nil {
      facts.append("derived")
    } else if attribute.isReadOnly {
      facts.append("computed")
    }
    return facts.joined(separator: " \(signs.separator) ")
  }

  /// The type of an attribute, and how a value is stored that is shown in another form.
  private func typeFact(_ attribute: AttributeDescription, _ value: Value) -> String {
    let type = ValueText.typeName(attribute.type)
    if let kind = foreignKind(of: value, in: attribute) {
      return "\(kind) in \(ValueText.withArticle(type)) attribute"
    }
    switch value {
    case .date, .decimal, .uuid: break
    default: return type
    }
    let name = attribute.type == .date ? "Date" : type
    switch object.storedValue(forKey: attribute.name) {
    case .integer(let number) where "\(number)" != ValueText.line(value):
      return "\(name), stored \(groupedDigits(Int(clamping: number)))"
    case .double(let number) where "\(number)" != ValueText.line(value):
      return "\(name), stored \(number)"
    case .string(let text) where text != ValueText.line(value):
      return "\(name), stored \(text.prefix(40))"
    case .data(let data): return "\(name), stored in \(counted(data.count, "byte"))"
    default: return type
    }
  }

  /// The kind of a value that is not of its attribute's type, which SQLite allows; nil if it is.
  private func foreignKind(of value: Value, in attribute: AttributeDescription) -> String? {
    switch (attribute.type, value) {
    case (_, .null), (.undefined, _), (.transformable, _): nil
    case (.string, .data): "bytes"
    case (.string, _), (.uri, .url), (.uri, .string), (.binaryData, .data), (.binaryData, .string):
      nil
    case (.date, .string), (.boolean, .string), (.uuid, .string): "text"
    case (.date, .integer), (.date, .double), (.boolean, .integer), (.boolean, .double): "number"
    case (_, .string) where attribute.type.isNumeric: "text"
    case (.date, .data), (.boolean, .data), (.uuid, .data): "bytes"
    case (_, .data) where attribute.type.isNumeric: "bytes"
    default: nil
    }
  }
}
