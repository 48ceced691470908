import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// The entity whose columns are on the screen; nil for none.
  var shownEntity: EntityDescription? {
    switch screen {
    case let list as ListScreen: list.entity
    case let detail as DetailScreen: session.model.entity(named: detail.objectID.entityName)
    default: nil
    }
  }

  /// Reads a column as what a person typed that it is; without a text, or a kind, offers a menu.
  func chooseKind(typed text: String) throws(TypedTextError) {
    guard let entity = shownEntity else {
      throw TypedTextError(":type is for the columns of a list or of an object", at: 0..<text.count)
    }
    if text.isEmpty || !text.contains("=") {
      let name = text.isEmpty ? markedAttribute ?? entity.displayAttributeName ?? "" : text
      let column = NameList.unquoted(name)
      guard let attribute = entity.attribute(named: column) else {
        throw TypedTextError(
          unknown: column, in: entity.name, at: 0..<text.count,
          offering: entity.attributes.map(\.name))
      }
      return chooseKind(of: attribute, in: entity)
    }
    let typed = try TypedKind(text)
    try choose(typed.kind, for: try typed.key(in: session.model, of: entity), as: text)
  }

  /// Offers what a column can be, with a value as each.
  func chooseKind(of attribute: AttributeDescription, in entity: EntityDescription) {
    guard let reading = attribute.reading else {
      return fail(
        "\(attribute.name) keeps the type of the store's model, \(attribute.type.rawValue)")
    }
    let stored = storedExample(of: attribute)
    let kinds = ColumnKind.allCases
    let items = kinds.map { kind in
      Menu.Item(kind.rawValue, detail: Self.example(stored, as: kind))
    }
    let selected = reading.isChosen ? reading.kind : .auto
    present(
      Menu(
        "What \(attribute.name) is (now: \(reading.kind.phrase))", items: items,
        selected: kinds.firstIndex(of: selected) ?? 0, fold: TextFolding.folded
      ) { [weak self] choice in
        guard let self, kinds.indices.contains(choice) else { return }
        do throws(TypedTextError) {
          try choose(kinds[choice], for: "\(entity.name).\(attribute.name)", as: "")
        } catch {
          fail(error.message)
        }
      })
  }

  /// Reads the store's columns anew, one of them as a person said.
  private func choose(_ kind: ColumnKind, for key: String, as text: String) throws(TypedTextError) {
    guard !session.hasUnsavedChanges else {
      throw TypedTextError(
        "there are unsaved changes: save (W) or discard (Z) them first", at: 0..<text.count)
    }
    session.options.columnKinds[key] = kind
    session.remember { state in
      var kinds = state.columnKinds ?? [:]
      kinds[key] = kind == .auto ? nil : kind.rawValue
      state.columnKinds = kinds.isEmpty ? nil : kinds
    }
    reopenStore(saying: "\(key): \(kind.phrase)")
  }

  // MARK: Examples

  /// The marked column of the list, if it is an attribute.
  private var markedAttribute: String? {
    guard case .attribute(let attribute) = (screen as? ListScreen)?.markedColumn?.source else {
      return nil
    }
    return attribute.name
  }

  /// The stored value under the cursor; else one of the column.
  private func storedExample(of attribute: AttributeDescription) -> Value {
    let id =
      switch screen {
      case let list as ListScreen: list.cursorID
      case let detail as DetailScreen: detail.objectID
      default: nil as ObjectID?
      }
    let object = id.map { session.context.object(with: $0) }
    let value = object.map { $0.storedValue(forKey: attribute.name) } ?? .null
    return value.isNull ? attribute.reading?.example ?? .null : value
  }

  /// A stored value as one of a kind, and what the kind is.
  private static func example(_ stored: Value, as kind: ColumnKind) -> String {
    guard !stored.isNull, kind != .auto else { return kind.phrase }
    let encoding: ValueEncoding =
      switch (kind, stored) {
      case (.boolean, _): .booleanInteger
      case (.uuid, .data): .uuidData
      case (.uuid, _): .uuidText
      case (.number, .string): .decimalText
      default: kind.dateEncoding ?? .native
      }
    let decoded = encoding.decode(stored)
    let isFitting: Bool =
      switch (kind, decoded) {
      case (.number, _): decoded.number != nil
      case (.text, .string), (.json, .string), (.bytes, .data), (.boolean, .bool), (.uuid, .uuid):
        true
      case (_, .date(let date)):
        CivilDate(secondsSince1970: date.timeIntervalSince1970)
          .map { (1...9999).contains($0.year) } ?? false
      default: false
      }
    guard isFitting else { return "\(kind.phrase): not this value" }
    return "\(ValueText.line(decoded) ?? ""), \(kind.phrase)"
  }
}
