package import ManagedObjects
package import ObjectModel
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
  /// The denials, one sentence for each delete rule; empty if there are none.
  package let refusals: [String]
  /// The number to type before the save; nil if `y` is enough.
  package let confirmation: String?

  /// The objects that keep others from being deleted, each once.
  var denying: [ObjectID] {
    var seen: Set<ObjectID> = []
    return summary.refused.flatMap(\.destinations).filter { seen.insert($0).inserted }
  }

  /// Whether nothing is left to save.
  var isRefused: Bool { summary.isEmpty || !summary.denied.isEmpty }

  /// Plans the deletion of marked objects and the save, without changing the context.
  ///
  /// - Throws: `ManagedObjectError` if the store cannot be read.
  package init(deleting marked: [ObjectID], in context: ManagedObjectContext) throws {
    self = try context.inReadTransaction { try Self(planning: marked, in: context) }
  }

  /// Plans the deletion of the objects that a fetch returns, and the save.
  ///
  /// - Parameters:
  ///   - condition: The fetch. The save is refused when it no longer returns one of the objects.
  ///   - context: The context; it is not changed.
  /// - Returns: The plan; nil if the fetch returns nothing.
  /// - Throws: `ManagedObjectError` if the store cannot be read.
  package static func deleting(matching condition: FetchPlan, in context: ManagedObjectContext)
    throws -> SavePlan?
  {
    try context.inReadTransaction {
      let ids = Array(try context.fetchIDs(condition).ids)
      guard !ids.isEmpty else { return nil }
      var plan = try SavePlan(planning: ids, in: context)
      plan.deletion.condition = condition
      return plan
    }
  }

  private init(planning marked: [ObjectID], in context: ManagedObjectContext) throws {
    deletion = try context.deletionPlan(for: marked, leavingOutDenied: true)
    summary = try context.saveSummary(deleting: deletion)
    let kept = Set(deletion.refused)
    deleting = marked.selected { !kept.contains($0) }
    refusals = (summary.refused + summary.denied).map(Self.sentence)
    confirmation = try Self.confirmation(for: summary, in: context)
  }

  /// Gives the deletion to the save, so that it is not kept here too.
  package mutating func takeDeletion() -> DeletionPlan {
    defer { deletion = DeletionPlan() }
    return deletion
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

  // MARK: Words

  /// What the save does, for a dialog.
  ///
  /// - Parameter difference: How the store differs from what the dialog showed before; nil if it is
  ///   shown for the first time.
  /// - Returns: The difference, then the effects, then the denials.
  func lines(since difference: SaveDifference? = nil) -> [Dialog.Line] {
    let since = difference.map { $0.phrases.map { "! Since then: \($0)" } } ?? []
    return since.map { Dialog.Line($0, style: Style(.bold)) } + (since.isEmpty ? [] : [.init()])
      + effects.map { Dialog.Line($0) }
      + (effects.isEmpty || refusals.isEmpty ? [] : [Dialog.Line()])
      + notes.map { Dialog.Line($0, style: Style(.bold)) }
  }

  /// The denials.
  package var notes: [String] { refusals.map { "! \($0)" } }

  /// What the save does, one line for each kind of change.
  package var effects: [String] {
    var pairs: [(String, String)] = []
    pairs += summary.deleted.map {
      ("\(groupedDigits($0.count)) \($0.entityName) deleted", Self.names($0.names, of: $0.count))
    }
    pairs += summary.cascaded.map {
      ("\(groupedDigits($0.count)) \($0.entityName) deleted", "cascade from \($0.relationship)")
    }
    pairs += summary.nullified.map {
      (
        "\(groupedDigits($0.count)) \($0.entityName) kept",
        "\($0.relationship.name) set to ∅ (nullify)"
      )
    }
    pairs += summary.defaulted.map {
      (
        "\(groupedDigits($0.count)) \($0.entityName) kept",
        "\($0.relationship.name) set to its default (SET DEFAULT)"
      )
    }
    pairs += summary.dangling.map {
      (
        "\(groupedDigits($0.count)) \($0.entityName) kept",
        "\($0.relationship.name) leads to nothing then, because it has no inverse"
      )
    }
    pairs += summary.left.map {
      (
        "\(groupedDigits($0.count)) \($0.entityName) kept",
        "no longer in \($0.relationship), which has no inverse"
      )
    }
    pairs += summary.changed.map {
      let keys = $0.changedKeys.isEmpty ? "" : ": " + $0.changedKeys.joined(separator: ", ")
      let names = Self.names($0.names, of: $0.count)
      return ("\(groupedDigits($0.count)) \($0.entityName) changed", names + keys)
    }
    pairs += summary.inserted.map {
      ("\(groupedDigits($0.count)) \($0.entityName) inserted", Self.names($0.names, of: $0.count))
    }
    if summary.linkCount > 0 {
      pairs.append(("\(groupedDigits(summary.linkCount)) links", "of many-to-many relationships"))
    }
    let width = pairs.reduce(0) { max($0, displayWidth(of: $1.0)) } + 3
    return pairs.map { Signs.unicode.fit($0.0, to: width) + $0.1 } + triggerLines
  }

  /// The triggers that run, one a line; if there are very many, the first ones.
  private var triggerLines: [String] {
    let shown = summary.triggers.prefix(5).map {
      "! The trigger \($0.name) runs: it may change \($0.tables.joined(separator: ", "))"
    }
    let more = summary.triggers.count - shown.count
    return shown + (more > 0 ? ["! and \(groupedDigits(more)) more triggers"] : [])
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
  /// - Parameter effects: What triggers did.
  /// - Returns: One line.
  func report(_ effects: TriggerEffects) -> String {
    let counts = [
      (summary.deletedCount, "deleted"),
      (summary.nullified.reduce(0) { $0 + $1.count }, "set to ∅"),
      (summary.defaulted.reduce(0) { $0 + $1.count }, "set to default"),
      (summary.changed.reduce(0) { $0 + $1.count }, "changed"),
      (summary.inserted.reduce(0) { $0 + $1.count }, "inserted"), (summary.linkCount, "links"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\(groupedDigits($0.0)) \($0.1)" }
    let phrases = effects.phrases.joined(separator: ", ")
    let triggered = phrases.isEmpty ? "" : "; triggers: \(phrases)"
    let done =
      "Saved: " + (parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")) + triggered
    guard !refused.isEmpty else { return done + " — u undoes it" }
    return "\(done); \(groupedDigits(refused.count)) still marked: \(refusals.first ?? "")"
  }
}
