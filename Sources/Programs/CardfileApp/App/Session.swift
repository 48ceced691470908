import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import Synchronization
import TerminalApplications
import TerminalKit

/// The state that all screens share: the context, the marks, the message.
final class Session {
  let coordinator: PersistentStoreCoordinator
  let context: ManagedObjectContext
  let services: StoreServices
  /// The options of the command line, with the settings as `:set` changed them.
  var options: AppOptions
  let waker: Waker
  /// Returns the current time; tests set their own.
  let now: () -> Date
  /// The variables of the process, which name the person's editor; tests set their own.
  lazy var environment = ProcessInfo.processInfo.environment
  /// The objects that are marked for deletion.
  private(set) var marks = Marks()
  /// Where copied texts go.
  let clipboard: Clipboard
  /// Whether lists show the object under the cursor beside them.
  var showsPreview = false
  /// What is remembered of the store between runs; change it with ``remember(_:)``.
  var state: StoreState
  /// Keeps ``state``; nil to forget it at the end.
  let keeper: (any StateKeeping)?
  /// Whether the pages of objects leave out properties without a value.
  var hidesEmptyProperties = false
  /// Where the list of each entity was left, by the entity's name.
  var places: [String: ListPlace] = [:]
  /// Whether values were set for several objects at once that are not saved: the save shows them
  /// first.
  var hasSetTogether = false
  /// Whether the path of the backup was shown.
  var hasToldOfBackup = false
  /// What became of the file, once an error said that it was replaced or deleted.
  private(set) var fileLoss: String?
  /// What other processes changed since the last key: several commits are counted together.
  private(set) var outside = OutsideChange()
  /// Whether what is found changed in the store is this program's own doing, until the next key.
  var isOwnChange = false
  /// Counts changes of the context and of marks: where it stays, an undo step did nothing, and pages
  /// are up to date.
  private(set) var revision = 0
  /// What undo or redo has done last.
  private(set) var lastStep = ""
  /// The objects that it has brought back.
  private(set) var returned: Set<ObjectID> = []
  private var observation: ContextObservation?
  /// What a person has begun, and what goes on in the background.
  private(set) lazy var jobs = BackgroundJobs(waker: waker) { [weak self] error in
    if error.storeError?.reason == .cancelled {
      self?.message = .done("Cancelled")
    } else {
      self?.report(error)
    }
  }
  /// The application, which carries out what is asked for on its screens.
  weak var app: App?
  /// What is to be done once the store is on the screen.
  private var whenShown: (() -> Void)?

  init(
    _ access: StoreAccess, options: AppOptions, clipboard: Clipboard, waker: Waker,
    now: @escaping () -> Date
  ) {
    coordinator = access.coordinator
    services = access.services
    self.options = options
    self.clipboard = clipboard
    keeper = access.keeper
    whenShown = access.whenShown
    state = access.keeper?.load() ?? StoreState()
    self.waker = waker
    self.now = now
    context = ManagedObjectContext(coordinator: access.coordinator)
    observation = context.observe { [weak self] event in
      if event != .willSave { self?.revision += 1 }
      if case .changed(let change) = event { self?.returned.formUnion(change.inserted) }
    }
  }

  /// Does what was left until the store is on the screen.
  func didShow() {
    whenShown?()
    whenShown = nil
  }

  /// What was said last of why a service could not be asked.
  private var toldTrouble: String?

  var store: any PersistentStore { coordinator.store }
  /// The styles and signs of the terminal.
  var look: Look { app?.look ?? Look(TerminalCapabilities(colorSupport: .none)) }
  /// The text of the status line until the next key.
  private var message: Message? {
    get { app?.message }
    set { app?.message = newValue }
  }

  /// Milliseconds by the application's clock.
  func clock() -> Int { app?.clock() ?? 0 }

  var model: ManagedObjectModel { coordinator.model }

  /// Why the store is read-only; nil if it can be changed.
  var readOnlyReason: String? {
    guard options.settings.isReadOnly else { return store.summary.readOnlyReason }
    return options.settings.origin(of: "read-only") == .commandLine
      ? "opened with --read-only" : "read-only by the settings"
  }

  /// The store's name, followed by when it was copied if a copy is read, else by `[RO]` if it is
  /// read-only, or by `[autosave]` if each change is saved.
  var storeTitle: String {
    let summary = store.summary
    if let copied = summary.copied { return "\(summary.name) [\(Self.copyText(copied))]" }
    if readOnlyReason != nil { return summary.name + " [RO]" }
    return summary.name + (options.settings.savesAfterEdit ? " [autosave]" : "")
  }

  /// “copy of 14:03”, by the clock of the person.
  private static func copyText(_ date: Date) -> String {
    let time = Calendar.current.dateComponents([.hour, .minute], from: date)
    let minute = time.minute ?? 0
    return "copy of \(time.hour ?? 0):\(minute < 10 ? "0" : "")\(minute)"
  }

  /// Says once why a service could not be asked.
  func tellTrouble() {
    let trouble = services.trouble()
    if let trouble, trouble != toldTrouble { message = .failed(trouble) }
    toldTrouble = trouble
  }

  /// Whether quitting would lose marks or changes.
  var hasUnsavedChanges: Bool { !marks.isEmpty || context.hasChanges }

  /// The numbers of unsaved deletions, changes and insertions: `D3 *1 +1`.
  var flagCounters: String {
    let changes = context.changeCounts
    return StatusLine.counters(
      deleted: marks.count + changes.deleted, changed: changes.updated, inserted: changes.inserted)
  }

  /// Shows an error in the status line.
  func report(_ error: any Error) {
    let storeError = error.storeError
    guard storeError?.reason != .replaced else {
      let isThere = store.summary.path.map { FileManager.default.fileExists(atPath: $0) }
      fileLoss = isThere == false ? "file deleted" : "file replaced"
      let what = storeError?.detail ?? ""
      message = .failed(
        "The file cannot be read on: \(what)" + advice((.refresh, "opens it again")))
      return
    }
    if storeError?.reason == .locked {
      // What this thread could not read is drawn as waiting.
      if FetchControl.current?.hasMetLock != true { message = app?.lockRefusal }
      return
    }
    message = .failed(StatusLine.text(of: error))
  }

  // MARK: Other processes

  /// Counts and says what another process has changed of the cached rows; lists have followed.
  func noteForeignCommit(_ change: ContextChange) {
    marks.noteForeignCommit()
    forgetMarks(of: change.deleted)
    if isOwnChange { return }
    outside.add(change)
    message = outside.message ?? message
    guard !context.conflicts.isEmpty else { return }
    message = .failed(
      "Your unsaved changes were also changed outside" + advice((.save, "asks which to keep")))
  }

  /// Counts what a list found changed by another process, and shows it as the message.
  func countOutside(
    _ change: ResultsChange, from old: ResultsSections, to new: ResultsSections
  ) {
    if isOwnChange { return }
    let before = outside
    outside.add(change, from: old, to: new)
    if outside != before { message = outside.message }
  }

  /// Forgets what was counted, when a key is pressed.
  func forgetOutsideChange() { (outside, isOwnChange) = (OutsideChange(), false) }

  /// Throws an error if another program's lock keeps the store from being read.
  func checkReadable() throws {
    guard let entity = model.entities.first(where: { !$0.keyAttributes.isEmpty }) else { return }
    _ = try context.fetchIDs(FetchPlan(entityName: entity.name, limit: 1))
  }

  /// Whether the store can be read now.
  var isReadable: Bool {
    do { try checkReadable() } catch { return false }
    return true
  }

  // MARK: Marks

  /// Marks or unmarks objects for deletion, as one undo step.
  ///
  /// - Returns: The number of marks that changed.
  @discardableResult
  func setMarked(_ isMarked: Bool, _ ids: [ObjectID], name: String) -> Int {
    let changed = ids.selected { marks.contains($0) != isMarked }
    guard !changed.isEmpty else { return 0 }
    if isMarked { marks.add(changed, in: context) } else { marks.remove(changed) }
    revision += 1
    context.undoHistory.group {
      context.undoHistory.register(name: name) { [weak self] in
        self?.setMarked(!isMarked, changed, name: name)
      }
    }
    return changed.count
  }

  /// Removes the marks of objects that no longer exist, without an undo step.
  func forgetMarks(of ids: some Sequence<ObjectID>) {
    marks.remove(ids)
    revision += 1
  }

  // MARK: History

  /// Undoes the last step that has an effect.
  func undo() {
    let history = context.undoHistory
    step("undo", canStep: { history.canUndo }, name: { history.undoActionName }) { history.undo() }
  }

  /// Redoes the last step that was undone.
  func redo() {
    let history = context.undoHistory
    step("redo", canStep: { history.canRedo }, name: { history.redoActionName }) { history.redo() }
  }

  private func step(
    _ verb: String, canStep: () -> Bool, name: () -> String, run: () -> Void
  ) {
    if let readOnlyReason {
      message = .failed("Nothing can be changed: \(readOnlyReason)")
      return
    }
    while canStep() {
      let (title, before) = (name(), revision)
      returned = []
      run()
      context.processPendingChanges()
      // The undo step of a mark has no effect once its object was deleted and saved: skip it.
      guard revision == before else {
        lastStep = "\(verb): \(title.isEmpty ? "last change" : title)"
        let counts = returnedCounts
        let unsaved = hasUnsavedChanges ? advice((.save, "saves")) : ""
        message = .done(lastStep + (counts.isEmpty ? unsaved : counts))
        return
      }
    }
    message = .failed("Nothing to \(verb)")
  }

  /// ": 1 Person, 3 Pet come back": all kinds of the objects that a step has brought back; empty for
  /// a single object.
  var returnedCounts: String {
    guard returned.count > 1 else { return "" }
    let counts = Dictionary(grouping: returned, by: \.entityName).mapValues(\.count)
    return ": "
      + counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\(groupedDigits($0.value)) \($0.key)" }.joined(separator: ", ") + " come back"
  }
}
