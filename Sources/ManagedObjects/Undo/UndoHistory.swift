/// What can be undone and redone, in groups, as NSUndoManager keeps it.
///
/// Whatever is registered while an undo runs becomes the redo, and the other way round; so redo needs no code of its own.
/// A group opens by itself with the first registration and closes when its context processes its changes, or with
/// ``endGroup()`` when it was opened with ``beginGroup()``.
public final class UndoHistory {
  fileprivate struct Group {
    var name: String?
    var suggestion: ActionSuggestion?
    var steps: [() -> Void] = []

    var title: String { name ?? suggestion?.title ?? "" }
  }

  private enum Activity { case recording, undoing, redoing }

  private var undoGroups: [Group] = []
  private var redoGroups: [Group] = []
  private var open: Group?
  private var depth = 0
  private var activity = Activity.recording

  /// How many groups are kept; 0 for no limit.
  ///
  /// The oldest go first.
  public var levelsOfUndo = 0 { didSet { trim() } }

  /// Whether registrations are kept; while false they are dropped.
  public var isRegistrationEnabled = true

  /// Called before an undo or redo looks for its group, so that changes not yet gathered become one.
  var willChange: () -> Void = {}

  /// Called when the steps of an undo or redo have run; what it registers belongs to them.
  var willEnd: () -> Void = {}

  /// Called after an undo or redo, so that observers are told of it.
  var didChange: () -> Void = {}

  /// Called when everything was forgotten.
  var didRemoveAll: () -> Void = {}

  /// Makes an empty history.
  public init() {}

  /// Whether there is something to undo.
  public var canUndo: Bool { hasOpenSteps || !undoGroups.isEmpty }

  /// Whether there is something to redo.
  public var canRedo: Bool { !hasOpenSteps && !redoGroups.isEmpty }

  /// Whether an undo is running.
  public var isUndoing: Bool { activity == .undoing }

  /// Whether a redo is running.
  public var isRedoing: Bool { activity == .redoing }

  /// The name of what would be undone, as "Delete Jensen, Viktor"; empty when it has none.
  public var undoActionName: String {
    if let open, !open.steps.isEmpty { return open.title }
    return undoGroups.last?.title ?? ""
  }

  /// The name of what would be redone; empty when it has none.
  public var redoActionName: String { redoGroups.last?.title ?? "" }

  /// Names the open group, or the last one when none is open.
  ///
  /// - Parameter name: The name, as "Delete Jensen, Viktor".
  public func setActionName(_ name: String) {
    if open != nil {
      open?.name = name
    } else if !undoGroups.isEmpty {
      undoGroups[undoGroups.count - 1].name = name
    }
  }

  /// Opens a group that stays open until ``endGroup()``; groups may nest, the outermost counts.
  ///
  /// What an undo or redo registers is one group already, with the name of what it takes back.
  public func beginGroup() {
    if depth == 0, activity == .recording { closeGroup() }
    depth += 1
  }

  /// Closes what ``beginGroup()`` opened.
  ///
  /// An empty group leaves no trace.
  public func endGroup() {
    depth = max(depth - 1, 0)
    if depth == 0, activity == .recording { closeGroup() }
  }

  /// Registers how to take back what was just done.
  ///
  /// - Parameters:
  ///   - name: The name of the group; nil leaves it as it is.
  ///   - undo: Takes it back. What it registers itself becomes the redo.
  public func register(name: String? = nil, undo: @escaping () -> Void) {
    guard isRegistrationEnabled else { return }
    if open == nil { open = Group() }
    if let name, activity == .recording { open?.name = name }
    open?.steps.append(undo)
    if activity == .recording, !redoGroups.isEmpty { redoGroups = [] }
  }

  /// Takes back the last group.
  ///
  /// - Returns: The name of what was undone; nil when there was nothing.
  @discardableResult
  public func undo() -> String? {
    guard prepare(), let group = undoGroups.popLast() else { return nil }
    run(group, as: .undoing)
    return group.title
  }

  /// Does the last undone group again.
  ///
  /// - Returns: The name of what was redone; nil when there was nothing.
  @discardableResult
  public func redo() -> String? {
    guard prepare(), let group = redoGroups.popLast() else { return nil }
    run(group, as: .redoing)
    return group.title
  }

  /// All that is recorded at one moment: see ``restore(_:)``.
  struct Recording {
    fileprivate let undoGroups: [Group]
    fileprivate let redoGroups: [Group]
    fileprivate let open: Group?
  }

  /// All that is recorded now.
  var recording: Recording {
    Recording(undoGroups: undoGroups, redoGroups: redoGroups, open: open)
  }

  /// Drops what was registered since, without running it: what it would undo never took place.
  func restore(_ recording: Recording) {
    (undoGroups, redoGroups, open) =
      (recording.undoGroups, recording.redoGroups, recording.open)
  }

  /// Forgets everything.
  public func removeAllActions() {
    (undoGroups, redoGroups, open, depth) = ([], [], nil, 0)
    didRemoveAll()
  }

  func suggest(_ suggestion: ActionSuggestion) {
    guard isRegistrationEnabled, activity == .recording else { return }
    var group = open ?? Group()
    group.suggestion = group.suggestion?.joined(with: suggestion) ?? suggestion
    open = group
  }

  /// Closes a group that opened by itself.
  func closeImplicitGroup() { if depth == 0, activity == .recording { closeGroup() } }

  /// Adds steps to the group that was recorded last: what a save did beyond what was asked of it.
  func amendLastGroup(_ step: @escaping () -> Void) {
    guard isRegistrationEnabled, !undoGroups.isEmpty else { return }
    undoGroups[undoGroups.count - 1].steps.append(step)
  }

  private var hasOpenSteps: Bool { open?.steps.isEmpty == false }

  /// Gathers what is not gathered yet; false while an undo runs, which cannot hold another.
  private func prepare() -> Bool {
    guard activity == .recording else { return false }
    willChange()
    depth = 0
    closeGroup()
    return true
  }

  private func run(_ group: Group, as activity: Activity) {
    self.activity = activity
    open = Group(name: group.name, suggestion: group.suggestion)
    for step in group.steps.reversed() { step() }
    willEnd()
    closeGroup()
    self.activity = .recording
    didChange()
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
