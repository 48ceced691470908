package import ManagedObjects
package import ObjectModel
import TerminalApplications
import TerminalKit

/// What a save will do, as far as the delete rules allow it, in words for the person who decides.
///
/// The save dialog shows it, and so does the command that deletes without a screen. Both save its
/// ``deletion``.
package nonisolated struct SavePlan {
  /// With more deletions than this, their number must be typed.
  private static let manyDeletions = 100

  /// The marked objects that delete rules do not refuse.
  let deleting: [ObjectID]
  /// The marked objects that delete rules refuse; they stay marked.
  var refused: [ObjectID] { deletion.refused }
  /// What the save deletes, and all that follows from it.
  package private(set) var deletion: DeletionPlan
  let summary: SaveSummary
  /// What keeps objects or all from being saved, one sentence for each invalid value and each delete
  /// rule; empty if there is nothing.
  package let refusals: [String]
  /// The number to type before the save; nil if `y` is enough.
  package let confirmation: String?

  /// The objects that keep others from being deleted, each once.
  var denying: [ObjectID] {
    var seen: Set<ObjectID> = []
    return summary.refused.flatMap(\.destinations).filter { seen.insert($0).inserted }
  }

  /// The number of objects with changed values.
  var changedCount: Int { summary.changed.reduce(0) { $0 + $1.count } }

  /// Whether nothing can be saved: nothing is left, or something is not valid.
  var isRefused: Bool { summary.isEmpty || !summary.denied.isEmpty || !isValid }

  /// Whether no value that would be saved breaks a rule of its entity.
  package var isValid: Bool { summary.problems.isEmpty }

  /// Plans the deletion of marked objects and the save, without changing the context.
  ///
  /// - Parameters:
  ///   - marked: The objects.
  ///   - condition: The fetch that must still return them when they are deleted; nil if they were
  ///     chosen one by one.
  ///   - context: The context.
  /// - Throws: `ManagedObjectError`, or `StoreError`, if the store cannot be read.
  package init(
    deleting marked: [ObjectID], matching condition: FetchPlan? = nil,
    in context: ManagedObjectContext
  ) throws {
    let store = context.persistentStoreCoordinator.store
    (deletion, summary, confirmation) = try store.inReadTransaction {
      var deletion = try context.deletionPlan(for: marked, leavingOutDenied: true)
      deletion.condition = condition
      let summary = try SaveSummary(of: context, deleting: deletion)
      return (deletion, summary, try Self.confirmation(for: summary, in: context))
    }
    let kept = Set(deletion.refused)
    deleting = marked.selected { !kept.contains($0) }
    refusals =
      Self.sentences(for: summary.problems) + (summary.refused + summary.denied).map(Self.sentence)
  }

  /// Plans the deletion of the objects that a fetch returns, and the save.
  ///
  /// - Parameters:
  ///   - condition: The fetch. The save is refused when it no longer returns one of the objects,
  ///     unless others are deleted with them.
  ///   - withDependants: Whether to delete the objects too that keep others from being deleted.
  ///   - context: The context; it is not changed.
  /// - Returns: The plan; nil if the fetch returns nothing.
  /// - Throws: `ManagedObjectError`, or `StoreError`, if the store cannot be read.
  package static func deleting(
    matching condition: FetchPlan, withDependants: Bool = false, in context: ManagedObjectContext
  ) throws -> SavePlan? {
    try context.persistentStoreCoordinator.store.inReadTransaction {
      var ids = Array(try context.fetchIDs(condition).ids)
      guard !ids.isEmpty else { return nil }
      var plan = try SavePlan(deleting: ids, matching: condition, in: context)
      while withDependants, !plan.denying.isEmpty {
        ids += plan.denying
        plan = try SavePlan(deleting: ids, in: context)
      }
      return plan
    }
  }

  /// Gives the deletion to the save, so that it is not kept here too.
  package mutating func takeDeletion() -> DeletionPlan {
    defer { deletion = DeletionPlan() }
    return deletion
  }

  /// The most invalid values that are named.
  private static let mostProblems = 20

  /// "Kim, José: city is required", one for each problem.
  private static func sentences(for problems: [ManagedObjectError.Problem]) -> [String] {
    let named = problems.prefix(mostProblems).map {
      "\($0.name): \($0.key)\($0.key.isEmpty ? "" : " ")\($0.message)"
    }
    let more = problems.count - named.count
    return named + (more > 0 ? ["and \(groupedDigits(more)) more values that are not valid"] : [])
  }

  private static func sentence(_ denial: SaveSummary.Denial) -> String {
    let destinations = "\(groupedDigits(denial.count)) \(denial.destinationEntityName)"
    guard denial.ids.count > 1 else {
      return "\(denial.names[0]) has \(destinations) (deny): refused"
    }
    return "\(groupedDigits(denial.ids.count)) \(denial.entityName) kept: \(destinations) "
      + "need them (deny)   " + names(denial.names, of: denial.ids.count)
  }

  private static func confirmation(
    for summary: SaveSummary, in context: ManagedObjectContext
  ) throws -> String? {
    let total = summary.deletedCount
    guard total > 0 else { return nil }
    if total > manyDeletions { return String(total) }
    var counts: [String: Int] = [:]
    for group in summary.deleted { counts[group.entityName, default: 0] += group.count }
    for effect in summary.cascaded { counts[effect.entityName, default: 0] += effect.count }
    for (name, count) in counts {
      let plan = FetchPlan(entityName: name, includesSubentities: false)
      if try context.count(for: plan) <= count { return String(total) }
    }
    return nil
  }

  /// The answers to the question about it: to delete those too that keep marked objects from being
  /// deleted, and to do the rest, or all.
  ///
  /// - Parameters:
  ///   - verb: What is done, as "save".
  ///   - deleteMore: Plans anew with those.
  ///   - commit: Does what the plan says.
  /// - Returns: The answers; none if nothing can be done.
  @MainActor func answers(
    _ verb: String, deleteMore: @escaping () -> Void, commit: @escaping () -> Void
  ) -> [QuestionOverlay.Answer] {
    let isPartial = !refused.isEmpty
    let more = QuestionOverlay.Answer(key: "a", label: "delete those too", action: deleteMore)
    let done = QuestionOverlay.Answer(
      key: isPartial ? "s" : "y", label: isPartial ? "\(verb) the rest" : verb,
      isGuarded: confirmation != nil, action: commit)
    return (denying.isEmpty ? [] : [more]) + (isRefused ? [] : [done])
  }

  // MARK: Words

  /// What the save does, for a dialog.
  ///
  /// - Parameter difference: How the store differs from what the dialog showed before; nil if it is
  ///   shown for the first time.
  /// - Returns: The difference, then the effects, then what is refused; that comes before the effects
  ///   if nothing can be saved because of it.
  func lines(since difference: SaveDifference? = nil) -> [Dialog.Line] {
    func bold(_ texts: [String]) -> [Dialog.Line] { texts.map { .init($0, style: Style(.bold)) } }
    let effects = effectPairs
    let indent = Self.columnWidth(effects)
    let blocks = [
      bold(difference.map { $0.phrases.map { "! Since then: \($0)" } } ?? []),
      isValid ? [] : bold(notes),
      effects.map { .init(Self.row($0, width: indent), hangingIndent: indent) }
        + (triggerLines + keyLines).map { .init($0) },
      isValid ? bold(notes) : [],
    ]
    return Array(blocks.filter { !$0.isEmpty }.joined(separator: [Dialog.Line()]))
  }

  /// What is refused.
  package var notes: [String] { refusals.map { "! \($0)" } }

  /// What the save does, one line for each kind of change.
  package var effects: [String] {
    let pairs = effectPairs
    let width = Self.columnWidth(pairs)
    return pairs.map { Self.row($0, width: width) } + triggerLines + keyLines
  }

  private static func columnWidth(_ pairs: [(String, String)]) -> Int {
    pairs.reduce(0) { max($0, displayWidth(of: $1.0)) } + 3
  }

  private static func row(_ pair: (String, String), width: Int) -> String {
    Signs.unicode.fit(pair.0, to: width) + pair.1
  }

  /// What the save does: how many objects of what, and which or why.
  private var effectPairs: [(String, String)] {
    func kept(_ effects: [SaveSummary.Effect], _ why: (RelationshipName) -> String)
      -> [(String, String)]
    {
      effects.map {
        ("\(groupedDigits($0.count)) \($0.entityName) kept", why($0.relationship))
      }
    }
    var pairs = summary.deleted.map {
      ("\(groupedDigits($0.count)) \($0.entityName) deleted", Self.names($0.names, of: $0.count))
    }
    pairs += summary.cascaded.map {
      ("\(groupedDigits($0.count)) \($0.entityName) deleted", "cascade from \($0.relationship)")
    }
    pairs += kept(summary.nullified) { "\($0.name) set to ∅ (nullify)" }
    pairs += kept(summary.defaulted) { "\($0.name) set to its default (SET DEFAULT)" }
    pairs += kept(summary.dangling) {
      "\($0.name) leads to nothing then, because it has no inverse"
    }
    pairs += kept(summary.left) { "no longer in \($0), which has no inverse" }
    pairs += summary.changed.map {
      let keys = $0.changedKeys.isEmpty ? "" : ": " + $0.changedKeys.joined(separator: ", ")
      let names = Self.names($0.names, of: $0.count)
      return ("\(groupedDigits($0.count)) \($0.entityName) changed", names + keys)
    }
    pairs += summary.inserted.map {
      ("\(groupedDigits($0.count)) \($0.entityName) inserted", Self.names($0.names, of: $0.count))
    }
    if summary.linkCount > 0 {
      pairs.append((counted(summary.linkCount, "link"), "of many-to-many relationships"))
    }
    return pairs
  }

  /// The triggers that run, one a line; if there are very many, the first ones.
  private var triggerLines: [String] {
    let shown = summary.triggers.prefix(5).map {
      "! The trigger \($0.name) runs: it may change \($0.tables.joined(separator: ", "))"
    }
    let more = summary.triggers.count - shown.count
    return shown + (more > 0 ? ["! and \(counted(more, "more trigger"))"] : [])
  }

  /// The foreign keys that nothing enforces, one a line; if there are very many, the first ones.
  private var keyLines: [String] {
    let more = summary.unenforcedKeys.count - 3
    return summary.unenforcedKeys.prefix(3).map { "! \($0)" }
      + (more > 0 ? ["! and \(counted(more, "more foreign key")) without enforcement"] : [])
  }

  /// "1 file of an external value", "1,200 files of external values".
  package static func files(_ count: Int) -> String {
    count == 1
      ? "1 file of an external value" : "\(groupedDigits(count)) files of external values"
  }

  private static func names(_ names: [String], of count: Int) -> String {
    names.joined(separator: " · ") + (count > names.count ? " · …" : "")
  }

  /// The message after the save.
  ///
  /// It names what no dialog has shown: the objects that were changed or inserted, when nothing was
  /// deleted.
  ///
  /// - Parameters:
  ///   - effects: What triggers did.
  ///   - advice: How it can be undone.
  /// - Returns: One line.
  func report(_ effects: TriggerEffects, advice: String) -> String {
    let isNamed = summary.deletedCount == 0
    func names(_ groups: [SaveSummary.Group]) -> String {
      let texts = groups.map { group in
        let keys = group.changedKeys.isEmpty ? "" : ": " + group.changedKeys.joined(separator: ", ")
        return Self.names(group.names, of: group.count) + keys
      }
      return isNamed && !texts.isEmpty ? " (\(texts.joined(separator: "; ")))" : ""
    }
    let counts = [
      (summary.deletedCount, "deleted"),
      (summary.nullified.reduce(0) { $0 + $1.count }, "set to ∅"),
      (summary.defaulted.reduce(0) { $0 + $1.count }, "set to default"),
      (changedCount, "changed" + names(summary.changed)),
      (summary.inserted.reduce(0) { $0 + $1.count }, "inserted" + names(summary.inserted)),
      (summary.linkCount, summary.linkCount == 1 ? "link" : "links"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\(groupedDigits($0.0)) \($0.1)" }
    let phrases = effects.phrases.joined(separator: ", ")
    let triggered = phrases.isEmpty ? "" : "; triggers: \(phrases)"
    let done =
      "Saved: " + (parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")) + triggered
    guard !refused.isEmpty else { return done + advice }
    return "\(done); \(groupedDigits(refused.count)) still marked: \(refusals.first ?? "")"
  }
}
