import ManagedObjects
import ObjectModel
import TerminalKit

extension DetailContents {
  /// The rows of the object's ID, its entity if that inherits, and its table row.
  var identityRows: [(DetailContents) -> NewRow] {
    var facts = [("objectID", object.objectID.uriRepresentation)]
    if let superentity = object.entity.superentityName {
      facts.append(("entity", "\(object.entity.name), a kind of \(superentity)"))
    }
    facts.append(("row", tableRow))
    return facts.map { label, text in { $0.identityRow(label, text) } }
  }

  private func identityRow(_ label: String, _ text: String) -> NewRow {
    var texts = TextWrap.lines(text, columns: valueRoom, limit: 20, signs: signs)
    let first = texts.isEmpty ? "" : texts.removeFirst()
    return NewRow(
      property: .identity(label), block: .identity,
      lines: [
        .field(label: label, isChanged: false, value: first, note: "", isDim: false)
      ] + texts.map { .more($0) }, text: "\(label)\n\(text)")
  }

  /// The key of the object, and what is special about it.
  private var tableRow: String {
    let entity = object.entity
    var row = entity.name
    if entity.keyAttributes.isEmpty {
      if case .integer(let key) = object.objectID.key { row += " rowid=\(key)" }
    } else if object.isAccessible {
      row += entity.keyAttributes.reduce(into: "") {
        $0 += " \($1)=\(ValueText.line(object.truncatedValue(forKey: $1)) ?? signs.null)"
      }
    }
    if object.isInserted { row += " · new, not saved" }
    if let reason = entity.readOnlyReason { row += " · \(reason)" }
    return row
  }
}
