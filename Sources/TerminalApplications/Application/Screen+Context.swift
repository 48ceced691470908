import ManagedObjects
import TerminalKit

extension Screen {
  /// Undo, redo and save, if the screen has a context.
  var contextCommands: [KeyCommand] {
    guard let context = managedObjectContext else { return [] }
    let history = context.undoHistory
    var commands = [
      KeyCommand("u", help: "undo", hint: "undo") { [weak self] in
        self?.step("undo", history.canUndo) { history.undo() }
      },
      KeyCommand(.control("r"), help: "redo") { [weak self] in
        self?.step("redo", history.canRedo) { history.redo() }
      },
    ]
    if !savesAfterChanges {
      commands.append(
        KeyCommand("W", .control("s"), help: "save", hint: "save") { [weak self] in
          self?.save(context)
        })
    }
    return commands
  }

  private func step(_ verb: String, _ canStep: Bool, _ run: () -> String?) {
    guard canStep, let name = run() else { return show("Nothing to \(verb)") }
    guard saveAfterChange() else { return }
    show("\(verb): \(name.isEmpty ? "last change" : name)")
  }

  /// Saves if each change is saved; shows the error if that fails.
  ///
  /// - Returns: False after an error.
  @discardableResult
  public func saveAfterChange() -> Bool {
    guard savesAfterChanges, let context = managedObjectContext else { return true }
    return showingErrors { try context.save() }
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
