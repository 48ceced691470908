import ManagedObjects
import ObjectModel
import TerminalKit

extension Screen {
  /// Whether the store takes changes, so that hints offer some.
  var takesChanges: Bool {
    managedObjectContext?.persistentStoreCoordinator.store.summary.readOnlyReason == nil
  }

  /// Undo, redo and save, if the screen has a context.
  var contextCommands: [KeyCommand] {
    guard let context = managedObjectContext else { return [] }
    let history = context.undoHistory
    // It asks the file system.
    let takesChanges = takesChanges
    var commands = [
      KeyCommand("u", help: "undo", hint: takesChanges ? "undo" : nil) { [weak self] in
        self?.step("undo", { history.undo() }, reverse: { history.redo() })
      },
      KeyCommand(.control("r"), help: "redo") { [weak self] in
        self?.step("redo", { history.redo() }, reverse: { history.undo() })
      },
    ]
    if !savesAfterChanges {
      commands.append(
        KeyCommand("W", .control("s"), help: "save", hint: takesChanges ? "save" : nil) {
          [weak self] in
          self?.save(context)
        })
    }
    return commands
  }

  /// Undoes or redoes a step; what cannot be saved then is reversed, so that it blocks no other save.
  private func step(_ verb: String, _ run: () -> String?, reverse: () -> String?) {
    guard let name = run() else { return show("Nothing to \(verb)") }
    guard saveAfterChange() else {
      _ = reverse()
      return
    }
    show("\(verb): \(name.isEmpty ? "last change" : name)")
  }

  /// Saves if each change is saved; shows the error if that fails.
  ///
  /// - Returns: False after an error.
  @discardableResult
  package func saveAfterChange() -> Bool {
    guard savesAfterChanges, let context = managedObjectContext else { return true }
    return showingErrors { try context.save() }
  }

  /// Changes objects as one step to undo, and saves if each change is saved.
  ///
  /// - Parameters:
  ///   - actionName: The name of the step, as "Rename Amber"; nil for one made from the changes.
  ///   - body: Changes the objects.
  /// - Throws: What `body` or the save throws; nothing is changed then.
  public func change(_ actionName: String? = nil, _ body: () throws -> Void) throws {
    guard let context = managedObjectContext else { return try body() }
    let history = context.undoHistory
    history.beginGroup()
    do {
      try body()
      if context.processPendingChanges() != nil, let actionName {
        history.setActionName(actionName)
      }
      if savesAfterChanges { try context.save() }
      history.endGroup()
    } catch {
      // With a step, so that there is a group to revert though nothing may have changed.
      history.register {}
      history.endGroup()
      history.revert()
      throw error
    }
  }

  private func save(_ context: ManagedObjectContext) {
    let counts = context.changeCounts
    guard context.hasChanges else { return show("Nothing to save") }
    guard showingErrors({ try context.save() }) else { return }
    let texts = [
      (counts.inserted, "inserted"), (counts.updated, "changed"), (counts.deleted, "deleted"),
    ].filter { $0.0 > 0 }.map { "\(groupedDigits($0.0)) \($0.1)" }
    show("Saved: \(texts.joined(separator: ", "))")
  }
}
