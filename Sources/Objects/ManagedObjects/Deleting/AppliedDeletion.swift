/// What carrying out a plan made of a context, kept in the plan: the summary of a save carries it out,
/// and the save takes that over unless anything has changed since.
final class AppliedDeletion {
  /// When a plan was carried out: nothing has changed since while it is the same.
  fileprivate struct Moment: Equatable {
    let revision: Int
    let notificationCount: Int
    /// Whether undo steps are registered.
    let isRecorded: Bool
  }

  fileprivate struct Outcome {
    let context: ContextReference
    let moment: Moment
    let unsaved: UnsavedChanges
    let tracking: ChangeTracking
    let steps: UndoHistory.Steps
  }

  fileprivate var outcome: Outcome?
}

extension AppliedDeletion: Equatable {
  /// It is no part of what a plan says.
  static func == (left: AppliedDeletion, right: AppliedDeletion) -> Bool { true }
}

extension ManagedObjectContext {
  /// Whether a plan was carried out for a summary, and nothing has changed since.
  func hasOutcome(of plan: DeletionPlan) -> Bool {
    tracking.isProcessed && plan.applied.outcome?.context === reference
      && plan.applied.outcome?.moment == moment
  }

  private var moment: AppliedDeletion.Moment {
    .init(
      revision: unsaved.revision, notificationCount: notificationCount,
      isRecorded: undoHistory.isRegistrationEnabled)
  }

  /// Carries out a plan, once for all trials and the save.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - isTrial: Whether the caller restores what is unsaved and tracked afterwards. Nothing is
  ///     recorded for undo then, and the outcome is kept in the plan.
  /// - Throws: As ``apply(_:)``.
  func carryOut(_ plan: DeletionPlan, isTrial: Bool = false) throws {
    let known = hasOutcome(of: plan) ? plan.applied.outcome : nil
    // It is large: the plan does not keep it while it is saved.
    plan.applied.outcome = isTrial ? known : nil
    if let known {
      unsaved = known.unsaved
      tracking.takeOver(known.tracking)
      if !isTrial { undoHistory.register(known.steps) }
      return
    }
    guard isTrial else { return try apply(plan) }
    let (moment, isProcessed) = (moment, tracking.isProcessed)
    let steps = try undoHistory.collectingSteps { try apply(plan) }
    guard isProcessed, !plan.direct.isEmpty else { return }
    plan.applied.outcome = .init(
      context: reference, moment: moment, unsaved: unsaved, tracking: tracking, steps: steps)
  }

  /// Does something as if a plan had been carried out; nothing is changed and nobody is notified.
  func assuming<Result>(_ plan: DeletionPlan, _ body: () throws -> Result) throws -> Result {
    let before = (unsaved, tracking)
    defer { restore(before) }
    if !plan.deleted.isEmpty { try carryOut(plan, isTrial: true) }
    return try undoHistory.withoutRegistration(body)
  }
}
