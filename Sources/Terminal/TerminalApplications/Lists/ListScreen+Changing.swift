import ListProviders
public import ManagedObjects
import TerminalKit

extension ListScreen {
  var changeCommands: [KeyCommand] {
    var commands: [KeyCommand] = []
    // It asks the file system.
    let takesChanges = takesChanges
    if makeObject != nil {
      commands.append(
        KeyCommand("o", "+", help: "new", hint: takesChanges ? "new" : nil) { [weak self] in
          self?.insertObject()
        })
    }
    if hasEditMode {
      commands.append(
        KeyCommand(
          "E", help: "edit mode", hint: takesChanges ? isEditing ? "done" : "edit" : nil
        ) { [weak self] in
          guard let self else { return }
          setEditing(!isEditing)
        })
    }
    return commands + [
      KeyCommand(
        [" "], label: "Space v * C-\\", help: "row, range, all, none", target: .row
      ) { [weak self] count in self?.whileEditing { $0.toggleSelection(count ?? 1) } },
      KeyCommand("v", help: "", target: .row) { [weak self] in
        self?.whileEditing { $0.toggleRange() }
      },
      KeyCommand("*", help: "") { [weak self] in self?.whileEditing { $0.selectAll() } },
      KeyCommand(.control("\\"), help: "") { [weak self] in self?.selectNone() },
      KeyCommand(
        ["d", .delete], help: "delete",
        hint: takesChanges && (isEditing || !hasEditMode) ? "delete" : nil,
        target: .rows
      ) { [weak self] count in self?.whileEditing { $0.deleteRows(count ?? 1) } },
    ]
  }

  private func whileEditing(_ change: (ListScreen) -> Void) {
    guard isEditing || !hasEditMode else { return show("E starts editing") }
    change(self)
  }

  private func insertObject() {
    guard let makeObject else { return }
    showingErrors { try insert(nil, makeObject) }
  }

  /// Inserts an object as one step to undo, saves if each change is saved, and moves the cursor to it.
  ///
  /// - Parameters:
  ///   - actionName: The name of the step; nil for one made from the object.
  ///   - make: Makes the object.
  /// - Throws: What `make` or the save throws; nothing is inserted then.
  public func insert(
    _ actionName: String? = nil, _ make: (ManagedObjectContext) throws -> Object
  ) throws {
    var object: Object?
    try change(actionName) { object = try make(context) }
    if let object { moveCursor(to: object) }
  }

  /// Moves the cursor to the row of an object; does nothing if the list does not show it.
  public func moveCursor(to object: Object) { showCursor(on: object.objectID) }

  /// Deletes the selected rows, or a number of rows from the cursor on, as one step to undo.
  ///
  /// All objects of a windowed list are read first.
  private func deleteRows(_ count: Int) {
    guard !provider.selectsAll else {
      return whenComplete { [weak self] in self?.deleteRows(count) }
    }
    let objects = chosenIDs(count: count).compactMap { context.object(with: $0) as? Object }
    rangeSelection = nil
    let history = context.undoHistory
    let deleted = history.group { objects.count { provider.delete($0) } }
    if deleted < objects.count {
      if provider.mostRecentError == nil { show("This row cannot be deleted") }
    } else if deleted > 0 {
      let name = history.undoActionName
      show((name.isEmpty ? "Deleted" : name) + advice(("u", "undoes it")))
    }
  }
}
