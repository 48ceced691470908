import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

/// Choices about conflicts with what another program has saved, property by property.
struct ConflictChoices {
  /// What is to be chosen: a property, or a whole object that was deleted here or there.
  struct Item {
    let conflict: ContextConflict
    /// The property; nil for the whole object.
    let property: ContextConflict.Property?
  }

  let items: [Item]
  /// Whether what is here is kept, for the items that were chosen so far.
  private(set) var keepsMine: [Bool] = []

  init(_ conflicts: some Sequence<ContextConflict>) {
    items = conflicts.sorted { $0.objectID < $1.objectID }.flatMap { conflict -> [Item] in
      let disputed = conflict.properties.filter(\.isConflict)
      let isWhole = conflict.isGone || conflict.objectSnapshot == nil || disputed.isEmpty
      return isWhole
        ? [Item(conflict: conflict, property: nil)]
        : disputed.map { Item(conflict: conflict, property: $0) }
    }
  }

  /// The item to choose next; nil if all were chosen.
  var next: Item? { keepsMine.count < items.count ? items[keepsMine.count] : nil }
  /// "2 of 5"; empty for a single item.
  var position: String {
    items.count > 1 ? " (\(keepsMine.count + 1) of \(groupedDigits(items.count)))" : ""
  }
  /// How many items are to be chosen.
  var openCount: Int { items.count - keepsMine.count }

  /// Chooses for the next items.
  mutating func choose(mine: Bool, count: Int = 1) {
    keepsMine += Array(repeating: mine, count: min(count, openCount))
  }

  /// The properties that each object keeps as they are here: the chosen ones, and those that were
  /// changed only here.
  var kept: [(id: ObjectID, names: Set<String>)] {
    var names: [ObjectID: Set<String>] = [:]
    for (item, isMine) in zip(items, keepsMine) {
      let properties = item.conflict.properties
      let own = properties.filter { $0.isMine && !$0.isTheirs }.map(\.name)
      let chosen: [String]
      if let property = item.property {
        chosen = (isMine ? [property.name] : []) + own
      } else {
        // Any name keeps the whole change of an object that was deleted on one side.
        chosen = isMine ? properties.map(\.name) + [""] : []
      }
      names[item.conflict.objectID, default: []].formUnion(chosen)
    }
    return names.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension App {
  /// Asks about objects that were changed here and by another program, property by property.
  func askAboutConflicts(then: (() -> Void)?) {
    ask(ConflictChoices(session.context.conflicts.values), then: then)
  }

  /// Asks for the next choice; carries them out when nothing is left to choose.
  private func ask(_ choices: ConflictChoices, then: (() -> Void)?) {
    guard let item = choices.next else { return resolve(choices, then: then) }
    func answer(_ key: Character, _ label: String, mine: Bool, count: Int = 1)
      -> QuestionOverlay.Answer
    {
      .init(key: key, label: label) { [weak self] in
        var next = choices
        next.choose(mine: mine, count: count)
        self?.ask(next, then: then)
      }
    }
    var answers = [
      answer("k", "keep mine", mine: true), answer("t", "take theirs", mine: false),
    ]
    if choices.openCount > 1 {
      answers += [
        answer("K", "all mine", mine: true, count: choices.openCount),
        answer("T", "all theirs", mine: false, count: choices.openCount),
      ]
    }
    let name = session.context.displayName(of: item.conflict.objectID)
    let what = item.property.map { "\($0.name) of \(name)" } ?? name
    present(
      QuestionOverlay(
        "Changed here and elsewhere\(choices.position)",
        lines: [Dialog.Line(what, style: Style(.bold)), Dialog.Line()] + lines(for: item),
        answers: answers))
  }

  /// Carries out what was chosen, and goes on with the save.
  private func resolve(_ choices: ConflictChoices, then: (() -> Void)?) {
    persistently("Saving", refusal: "Nothing was written") { [weak self] in
      guard let self else { return }
      for (id, names) in choices.kept {
        try session.context.resolveConflict(of: id, keeping: names)
        if names.isEmpty { session.forgetMarks(of: [id]) }
      }
      save(then: then)
    }
  }

  // MARK: Words

  private func lines(for item: ConflictChoices.Item) -> [Dialog.Line] {
    if let property = item.property {
      return [
        line("before", property.base), line("theirs", property.theirs),
        line("mine", property.mine),
      ]
    }
    let conflict = item.conflict
    let theirs = conflict.isGone ? "deleted by another program" : "changed by another program"
    let mine = conflict.objectSnapshot == nil ? "deleted here" : "changed here"
    let values = conflict.properties.flatMap { property -> [Dialog.Line] in
      [Dialog.Line(property.name, style: Style(.bold)), line("before", property.base)]
        + (conflict.isGone ? [] : [line("theirs", property.theirs)])
        + (conflict.objectSnapshot == nil ? [] : [line("mine", property.mine)])
    }
    return [row("theirs", theirs), row("mine", mine)] + values
  }

  private func line(_ label: String, _ content: ContextConflict.Content?) -> Dialog.Line {
    switch content {
    case nil: row(label, "not read")
    case .object(let id): row(label, id.map(displayName(of:)) ?? "∅")
    case .objects(let ids):
      row(label, ids.isEmpty ? "none" : ids.map(displayName(of:)).joined(separator: " · "))
    case .value(.string(let text)): row(label, text.isEmpty ? "empty text" : text)
    case .value(let value): row(label, ValueText.line(value) ?? "∅")
    }
  }

  private func displayName(of id: ObjectID) -> String { session.context.displayName(of: id) }

  private func row(_ label: String, _ text: String) -> Dialog.Line {
    // A line break in a value is shown as a sign.
    Dialog.Line(
      "\(Signs.unicode.fit(label, to: 8))\(session.look.signs.visible(text))", hangingIndent: 8)
  }
}
