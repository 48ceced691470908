import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// Opens a store in place of the open one; asks first when something is not saved.
  ///
  /// - Throws: The error in the typed path; the open store stays then.
  func openStore(typed path: String) throws(TypedTextError) {
    guard !path.isEmpty else { return push(StartScreen(session: session, find: findStores)) }
    guard !session.hasUnsavedChanges else { return askBeforeOpening(path) }
    do {
      show(try work("Opening") { try program.open(path, session.options.settings, [:]) })
    } catch {
      guard isLock(error) else {
        throw TypedTextError(StatusLine.text(of: error), at: 0..<path.count)
      }
      let settings = session.options.settings
      wait(for: URL(fileURLWithPath: path).lastPathComponent) { [weak self] isCopy in
        guard let self else { return }
        show(try (isCopy ? program.openCopy : program.open)(path, settings, [:]))
      }
    }
  }

  /// Opens the store of the command line, or a copy of it.
  func open(_ locked: LockedStore, asCopy: Bool) {
    wait(for: locked.name) { [weak self] isCopy in
      let (access, options) = try locked.open(isCopy)
      self?.replaceStore(access, options: options)
      self?.start()
    }
  }

  /// Opens a store once another program has released its lock, or a copy of it if the person wants
  /// that.
  private func wait(for name: String, _ open: @escaping (_ asCopy: Bool) throws -> Void) {
    let readCopy = { [weak self] in
      guard let self else { return }
      do {
        try work("Copying") { try open(true) }
      } catch {
        fail(StatusLine.text(of: error))
      }
    }
    persistently(name, refusal: "\(name) is not open", readCopy: readCopy) { [weak self] in
      try self?.work("Opening") { try open(false) }
    } failed: { [weak self] in
      self?.fail(StatusLine.text(of: $0))
    }
  }

  /// Reads a copy of the store, as it is now, instead of the store.
  func readCopy() throws(TypedTextError) {
    guard session.store.summary.path != nil else {
      throw TypedTextError("there is no store to copy: :open PATH opens one", at: 0..<0)
    }
    reopenStore(asCopy: true)
  }

  /// Opens a store; an error is the message.
  func openStore(_ path: String) {
    do {
      try openStore(typed: path)
    } catch {
      fail(error.message)
    }
  }

  private var findStores: () -> [StoreChoice] {
    { [weak self] in self?.program.storeChoices() ?? [] }
  }

  private func askBeforeOpening(_ path: String) {
    let discard = { [weak self] in
      self?.dropChanges()
      self?.openStore(path)
    }
    ask(
      "Open another store?", ["There are unsaved changes: \(session.flagCounters)"],
      answers: [
        ("s", "save", { [weak self] in self?.save { self?.openStore(path) } }),
        ("d", "discard", discard),
      ])
  }

  /// Drops all unsaved changes without an undo step, because the store is left.
  private func dropChanges() {
    session.forgetMarks(of: session.marks)
    session.context.rollback()
  }

  /// Shows a store in place of the open one, from its first screen on.
  private func show(_ access: StoreAccess) {
    var options = session.options
    (options.entityName, options.filter, options.section, options.columns) = (nil, nil, nil, nil)
    options.settingsProblem = nil
    options.sortDescriptors = []
    options.columnKinds = [:]
    replaceStore(access, options: options)
    start()
  }

  // MARK: The same store anew

  /// Opens the store's file anew after it was replaced or its tables were changed, and shows the
  /// same screens as far as they are still possible.
  func reopenStore(asCopy: Bool? = nil, saying message: String = "Opened anew") {
    let isCopy = asCopy ?? (session.store.summary.copied != nil)
    guard let path = session.store.summary.path else { return }
    guard !session.hasUnsavedChanges else {
      let reason =
        isCopy
        ? "A copy is read from now on, which cannot be changed."
        : "The file was replaced, or another program changed its tables."
      let discard = { [weak self] in
        self?.dropChanges()
        self?.reopenStore(asCopy: asCopy)
      }
      return ask(
        "Open the store anew?", [reason, "Unsaved: \(session.flagCounters)"],
        answers: [("d", "discard and open", discard)])
    }
    let access: StoreAccess
    do {
      access = try work(isCopy ? "Copying" : "Opening") {
        try (isCopy ? program.openCopy : program.open)(
          path, session.options.settings, session.options.columnKinds)
      }
    } catch {
      return fail(StatusLine.text(of: error))
    }
    let places = screens.map(ScreenPlace.init)
    replaceStore(access, options: session.options)
    observeStore()
    for place in places { if !show(place) { break } }
    if screens.isEmpty { openFirstScreen() }
    say(isCopy ? "A copy was made and opened" : message)
  }

  /// Shows a screen again over those shown so far.
  ///
  /// - Returns: Whether the store still has what it shows.
  private func show(_ place: ScreenPlace) -> Bool {
    switch place {
    case .entities: push(EntityScreen(session: session))
    case .list(let entityName, let place):
      guard let entity = session.model.entity(named: entityName) else { return false }
      session.places[entityName] = place.read(again: entity, in: session.model)
      push(ListScreen(entity, session: session))
    case .object(let id):
      guard let list = screen as? ListScreen, session.context.object(with: id).isAccessible
      else { return false }
      list.open(id)
    case .other: return false
    }
    return true
  }
}

/// What a screen shows, without the store that it was read from.
enum ScreenPlace {
  case entities
  case list(String, ListPlace)
  case object(ObjectID)
  case other

  init(_ screen: Screen) {
    switch screen {
    case is EntityScreen: self = .entities
    case let list as ListScreen where list.scope.path.isEmpty:
      self = .list(list.entity.name, list.place)
    case let detail as DetailScreen: self = .object(detail.objectID)
    default: self = .other
    }
  }
}
