import ObjectModel

/// The undo and redo stacks, in groups, as in UndoManager.
///
/// What is registered during an undo is its redo, and the reverse. A group begins with the first
/// registration and ends when the context processes its changes, or with ``endGroup()`` if
/// ``beginGroup()`` began it.
public final class UndoHistory {
  fileprivate struct Group {
    let number: Int
    var name: String?
    var suggestion: ActionSuggestion?
    var steps: [() -> Void] = []

    var title: String { name ?? suggestion?.title ?? "" }
  }

  private enum Activity { case recording, undoing, redoing }

  private var undoGroups: [Group] = []
  private var redoGroups: [Group] = []
  private var open: Group?
  private var lastGroup = 0
  private var depth = 0
  private var activity = Activity.recording

  /// The maximum number of undo groups; 0 for no limit.
  ///
  /// The oldest are removed first.
  public var levelsOfUndo = 0 { didSet { trim() } }

  /// Whether undo is recorded; while false, registrations are ignored.
  public var isRegistrationEnabled = true

  /// Called before an undo or redo takes its group, so that pending changes are processed into one.
  var willChange: () -> Void = {}

  /// Called after the steps of an undo or redo; what it registers becomes part of the group.
  var willEnd: () -> Void = {}

  /// Called after an undo or redo, so that observers are notified.
  var didChange: () -> Void = {}

  /// Called after everything was removed.
  var didRemoveAll: () -> Void = {}

  /// Creates an empty history.
  package init() {}

  /// Whether there is something to undo.
  public var canUndo: Bool { hasOpenSteps || !undoGroups.isEmpty }

  /// Whether there is something to redo.
  public var canRedo: Bool { !hasOpenSteps && !redoGroups.isEmpty }

  /// Whether an undo is running.
  public var isUndoing: Bool { activity == .undoing }

  /// Whether a redo is running.
  public var isRedoing: Bool { activity == .redoing }

  /// The name of the group to undo, such as "Delete Jensen, Viktor"; empty if there is none.
  public var undoActionName: String {
    if let open, !open.steps.isEmpty { return open.title }
    return undoGroups.last?.title ?? ""
  }

  /// The name of the group to redo; empty if there is none.
  public var redoActionName: String { redoGroups.last?.title ?? "" }

  /// Names the open group, or the last one if none is open: "Delete Jensen, Viktor".
  public func setActionName(_ name: String) {
    if open != nil {
      open?.name = name
    } else if !undoGroups.isEmpty {
      undoGroups[undoGroups.count - 1].name = name
    }
  }

  /// Begins a group that ends with ``endGroup()``; nested groups are part of the outermost.
  ///
  /// What an undo or redo registers is one group in any case, with the name of the group it
  /// reverses.
  public func beginGroup() {
    if depth == 0, activity == .recording { closeGroup() }
    depth += 1
  }

  /// Ends the group that ``beginGroup()`` began.
  ///
  /// An empty group is not kept.
  public func endGroup() {
    depth = max(depth - 1, 0)
    if depth == 0, activity == .recording { closeGroup() }
  }

  /// Runs something whose steps are one group; nil names it after what was done.
  package func group<Result>(named name: String? = nil, _ body: () throws -> Result) rethrows
    -> Result
  {
    beginGroup()
    defer { endGroup() }
    let result = try body()
    if let name { setActionName(name) }
    return result
  }

  /// Registers how to undo what was just done.
  ///
  /// - Parameters:
  ///   - name: The name of the group; nil leaves it unchanged.
  ///   - undo: Undoes it. What it registers in turn becomes the redo.
  public func register(name: String? = nil, undo: @escaping () -> Void) {
    guard isRegistrationEnabled else { return }
    if open == nil { open = newGroup() }
    if let name, activity == .recording { open?.name = name }
    open?.steps.append(undo)
    if activity == .recording, !redoGroups.isEmpty { redoGroups = [] }
  }

  /// Undoes the last group.
  ///
  /// - Returns: The name of the group; nil if there was nothing to undo.
  @discardableResult
  public func undo() -> String? {
    guard prepare(), let group = undoGroups.popLast() else { return nil }
    run(group, as: .undoing)
    return group.title
  }

  /// Redoes the last undone group.
  ///
  /// - Returns: The name of the group; nil if there was nothing to redo.
  @discardableResult
  public func redo() -> String? {
    guard prepare(), let group = redoGroups.popLast() else { return nil }
    run(group, as: .redoing)
    return group.title
  }

  /// Undoes the last group without a redo, as after a change that has failed half-way.
  ///
  /// - Returns: The name of the group; nil if there was nothing to undo.
  @discardableResult
  package func revert() -> String? {
    guard prepare(), let group = undoGroups.popLast() else { return nil }
    let kept = redoGroups
    run(group, as: .undoing)
    redoGroups = kept
    return group.title
  }

  /// Everything that is recorded at one moment: see ``restore(_:)``.
  struct Recording {
    fileprivate let undoGroups: [Group]
    fileprivate let redoGroups: [Group]
    fileprivate let open: Group?
  }

  /// Everything that is recorded now.
  var recording: Recording {
    Recording(undoGroups: undoGroups, redoGroups: redoGroups, open: open)
  }

  /// Returns to an earlier recording without running anything, after what was registered since has
  /// failed.
  func restore(_ recording: Recording) {
    (undoGroups, redoGroups, open) =
      (recording.undoGroups, recording.redoGroups, recording.open)
  }

  /// What was registered apart from all groups.
  struct Steps {
    fileprivate let group: Group?
  }

  /// Runs something and returns what it registers, which is not recorded.
  func collectingSteps(_ body: () throws -> Void) rethrows -> Steps {
    let before = recording
    defer { restore(before) }
    open = nil
    try body()
    return Steps(group: open)
  }

  /// Registers steps that were collected.
  func register(_ collected: Steps) {
    guard let group = collected.group else { return }
    for step in group.steps { register(undo: step) }
    if let suggestion = group.suggestion { suggest(suggestion) }
  }

  /// Runs a closure whose changes cannot be undone.
  func withoutRegistration<Result>(_ body: () throws -> Result) rethrows -> Result {
    let wasEnabled = isRegistrationEnabled
    isRegistrationEnabled = false
    defer { isRegistrationEnabled = wasEnabled }
    return try body()
  }

  /// Removes all undo and redo groups.
  public func removeAllActions() {
    (undoGroups, redoGroups, open, depth) = ([], [], nil, 0)
    didRemoveAll()
  }

  func suggest(_ suggestion: ActionSuggestion) {
    guard isRegistrationEnabled, activity == .recording else { return }
    if open == nil { open = newGroup() }
    let joined = open?.suggestion?.joined(with: suggestion) ?? suggestion
    open?.suggestion = joined
  }

  /// Ends a group that ``beginGroup()`` did not begin.
  func closeImplicitGroup() { if depth == 0, activity == .recording { closeGroup() } }

  /// Adds a step to the last group, for what a save did beyond its request.
  func amendLastGroup(_ step: @escaping () -> Void) {
    guard isRegistrationEnabled, !undoGroups.isEmpty else { return }
    undoGroups[undoGroups.count - 1].steps.append(step)
  }

  /// The position of a step: its group and its number in it.
  struct StepPosition: Equatable {
    fileprivate let group: Int
    fileprivate let step: Int
  }

  /// The position of the step that was registered last; nil if there is none in the group that is
  /// recorded now, or nothing is recorded.
  var lastStep: StepPosition? {
    guard isRegistrationEnabled, let open, !open.steps.isEmpty else { return nil }
    return StepPosition(group: open.number, step: open.steps.count)
  }

  /// The number of the group that is recorded now, which no other group has; nil for none.
  var openGroup: Int? { open?.number }

  private func newGroup(name: String? = nil, suggestion: ActionSuggestion? = nil) -> Group {
    lastGroup += 1
    return Group(number: lastGroup, name: name, suggestion: suggestion)
  }

  private var hasOpenSteps: Bool { open?.steps.isEmpty == false }

  /// Processes pending changes and ends the open group; false during an undo or redo, which cannot
  /// be nested.
  private func prepare() -> Bool {
    guard activity == .recording else { return false }
    willChange()
    depth = 0
    closeGroup()
    return true
  }

  private func run(_ group: Group, as activity: Activity) {
    self.activity = activity
    open = newGroup(name: group.name, suggestion: group.suggestion)
    for (offset, step) in group.steps.reversed().enumerated() {
      showProgress(completed: offset, total: group.steps.count)
      step()
    }
    willEnd()
    closeGroup()
    self.activity = .recording
    didChange()
  }

  /// Shows now and then how far an undo or redo is; half of it would be worse than none, so that it
  /// is not stopped.
  func showProgress(completed: Int, total: Int) {
    guard completed % 512 == 511, activity != .recording, let control = FetchControl.current else {
      return
    }
    control.report(completed: completed, total: total)
    _ = control.mustStop
  }

  private func closeGroup() {
    guard let group = open else { return }
    open = nil
    guard !group.steps.isEmpty else { return }
    if activity == .undoing { redoGroups.append(group) } else { undoGroups.append(group) }
    trim()
  }

  private func trim() {
    guard levelsOfUndo > 0, undoGroups.count > levelsOfUndo else { return }
    undoGroups.removeFirst(undoGroups.count - levelsOfUndo)
  }
}
