public import ManagedObjects
import ObjectModel
public import TerminalKit

/// The attributes of an object, a line each; `e` and Enter edit the one under the cursor.
open class ObjectScreen<Object: ManagedObject>: Screen {
  /// The object.
  public let object: Object
  /// The table of the attributes.
  package let tableView = TableView()
  /// The attributes, in order.
  package let attributeNames: [String]
  private let saves: Bool

  /// Creates a screen of an object.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - object: The object.
  ///   - attributeNames: The attributes to show, in order; nil for all.
  ///   - savesAfterChanges: Whether each change is saved.
  public init(
    title: String, object: Object, attributeNames: [String]? = nil, savesAfterChanges: Bool = true
  ) {
    self.object = object
    self.attributeNames = attributeNames ?? object.entity.attributes.map(\.name)
    saves = savesAfterChanges
    super.init(title: title)
    tableView.dataSource = self
    tableView.delegate = self
    tableView.reloadData()
  }

  /// The context of the object.
  open override var managedObjectContext: ManagedObjectContext? { object.managedObjectContext }

  /// Whether each change is saved.
  package override var savesAfterChanges: Bool { saves }

  /// Draws the attributes, or says that the object was deleted.
  open override func draw(in canvas: inout Canvas) -> Point? {
    guard object.isAccessible else {
      let isUnread = object.managedObjectContext?.isUnread(object.objectID) == true
      canvas.put(isUnread ? canvas.signs.waiting : "This object was deleted.", x: 3, y: 0)
      return nil
    }
    tableView.draw(in: &canvas)
    return tableView.hardwareCursor
  }

  /// Moving and editing.
  open override var keyCommands: [KeyCommand] {
    [
      motion(["j", .down], "j k ↓ ↑", "down, up") { .down($0 ?? 1) },
      motion(["k", .up]) { .up($0 ?? 1) },
      motion(["g", .home], "g G", "first, last") { _ in .first },
      motion(["G", .end]) { _ in .last },
      KeyCommand("h", .left, .backspace, .escape, section: .follow, help: "back") { [weak self] in
        self?.pop()
      },
      KeyCommand("e", .enter, help: "edit the value", hint: "edit") { [weak self] in
        self?.tableView.chooseCursorRow()
      },
    ] + super.keyCommands
  }

  private func motion(
    _ keys: [Key], _ label: String? = nil, _ help: String = "",
    _ motion: @escaping @MainActor (Int?) -> TableMotion
  ) -> KeyCommand {
    .motion(keys, label, help, motion) { [tableView] in tableView.move($0) }
  }

  /// Moves to a clicked line; a double click edits it.
  open override func handle(_ event: MouseEvent) { tableView.handle(event) }

  /// Asks for a new value of an attribute.
  private func edit(_ attribute: AttributeDescription) {
    guard object.isAccessible else { return }
    prompt(attribute.name, text: object.wholeText(forKey: attribute.name)) { [weak self] text in
      guard let self else { return }
      let value = try attribute.value(typed: text)
      try change("Change \(attribute.name)") {
        try object.setValue(value, forKey: attribute.name)
      }
    }
  }
}

extension ObjectScreen: TableViewDataSource, TableViewDelegate {
  /// The number of attributes.
  public func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
    attributeNames.count
  }

  /// The name and the value of an attribute.
  public func tableView(_ tableView: TableView, cellForRowAt path: TablePath) -> TableCell {
    let name = attributeNames[path.row]
    let isChanged = object.changedKeys.contains(name) && !object.isInserted
    return TableCell(
      name, detailText: object.truncatedValue(forKey: name).description, style: .value2,
      flag: isChanged ? .changed : .none)
  }

  /// Edits the attribute.
  public func tableView(_ tableView: TableView, didSelectRowAt path: TablePath) {
    let name = attributeNames[path.row]
    if let attribute = object.entity.attribute(named: name) { edit(attribute) }
  }
}

extension ManagedObject {
  /// A value as text to be edited; empty if it cannot be read.
  fileprivate func wholeText(forKey key: String) -> String {
    (try? wholeValue(forKey: key))?.description ?? ""
  }
}
