import ManagedObjects
import ObjectModel
import TerminalKit

/// What a list of objects is shown for when an object is to be chosen from it.
struct Choosing {
  /// What Enter does, in a word: "choose", "add".
  var verb = "choose"
  /// Whether several objects can be selected with Space.
  var takesSeveral = false
  /// How many objects must be chosen at least.
  var least = 1
  /// Why there must be an object; nil if C-n chooses none.
  var requirement: String?
  /// The object that is chosen now, which the cursor begins on; nil for none.
  var current: ObjectID?
  /// Runs with the chosen objects, when the list is closed; with none for NULL.
  let choose: ([ObjectID]) -> Void
  /// Runs when the list is closed without a choice.
  var leave: () -> Void = {}

  /// The actions that the hint line names.
  var hintedActions: [Action] {
    var actions: [Action] = takesSeveral ? [.toggleSelection, .open] : [.open]
    if !takesSeveral, requirement == nil { actions.append(.chooseNull) }
    return actions + [.back, .filter, .jumpToSection, .sort, .help]
  }
}

extension KeyTable {
  /// The keys of a list that an object is chosen from: those of a list that look, and the choice.
  static let choosing: KeyTable = {
    let own = [
      Entry(
        section: .follow, label: "⏎ → l", help: "choose the object",
        bindings: [(.enter, .open), (.right, .open), ("l", .open)], hint: "choose"),
      Entry(
        section: .follow, label: "C-n", help: "choose none: NULL",
        bindings: [(.control("n"), .chooseNull)], hint: "NULL"),
      Entry(
        section: .follow, label: "Esc q ← h", help: "leave, no choice",
        bindings: [
          (.escape, .back), ("q", .back), (.left, .back), ("h", .back), (.backspace, .back),
        ], hint: "leave"),
      Entry(
        section: .other, label: "? Q C-z", help: "help, quit, suspend",
        bindings: [
          ("?", .help), ("Q", .quitProgram), (.control("c"), .back), (.control("z"), .suspend),
        ], hint: "help"),
    ]
    let taken = Set(own.flatMap(\.bindings).map(\.key))
    let excluded: [Action] = [
      .open, .back, .quit, .entities, .command, .add, .escape, .toggleGrid,
    ]
    let others = KeyTable.list.entries.compactMap { entry -> Entry? in
      let kept = entry.bindings.filter { !taken.contains($0.key) && !excluded.contains($0.action) }
      guard !entry.isChange, !kept.isEmpty else { return nil }
      return Entry(
        section: entry.section, label: entry.label, help: entry.help, bindings: kept,
        hint: kept.first?.action == .toggleSelection ? "select" : entry.hint,
        hintKeys: entry.hintKeys.filter { !taken.contains($0) })
    }
    return KeyTable(
      name: "choice", hinting: [.open, .chooseNull, .back, .filter, .jumpToSection, .sort, .help],
      entries: own + others)
  }()
}

/// A relationship of one object: what a list of its destinations was opened from.
struct RelationshipSource: Hashable {
  let objectID: ObjectID
  let relationship: RelationshipDescription
}
