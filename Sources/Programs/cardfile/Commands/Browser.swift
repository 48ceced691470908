import ArgumentParser
import CardfileApp
import Foundation
import ManagedObjects
import NcursesTerminal
import ObjectModel
import PostgreSQLStore
import SQLiteStore

/// Runs the application on the terminal.
struct Browser {
  /// How long threads in the background wait for a lock, in seconds: as long as the screen counts
  /// down.
  ///
  /// The thread that draws does not wait.
  private static let busyTimeout = 30.0

  /// How stores are opened: the one of the command line and those of `:open`.
  private var storeOptions: SQLiteStore.Options

  private let serviceOptions: ServiceOptions

  init(
    _ options: SQLiteStore.Options = SQLiteStore.Options(),
    _ serviceOptions: ServiceOptions = ServiceOptions()
  ) {
    (storeOptions, self.serviceOptions) = (options, serviceOptions)
    storeOptions.busyTimeout = Self.busyTimeout
  }

  /// The options by the settings file alone.
  private static var options: AppOptions {
    MainActor.assumeIsolated {
      let (settings, problems) = SettingsFile().settings()
      var options = AppOptions(settings: settings)
      options.settingsProblem = problems.first.map { first in
        first.text
          + (problems.count > 1 ? " — and \(problems.count - 1) more: cardfile config" : "")
      }
      return options
    }
  }

  /// Runs until the user quits.
  ///
  /// The store is opened before, so that its errors are printed on a normal screen; without a path
  /// the user chooses one.
  ///
  /// - Parameters:
  ///   - path: The path of the store; nil to choose one.
  ///   - complete: Adds the options of the command line to those of the settings file.
  /// - Throws: ``Failure`` if the store or the terminal cannot be used.
  func run(
    _ path: String?, complete: @escaping @Sendable (inout AppOptions, OpenedStore?) throws -> Void
  ) throws {
    // Made by an idle processor while this one opens the store.
    DispatchQueue.global().async { TextFolding.makeTables() }
    var options = Self.options
    // What is locked is waited for on the screen.
    let opened = try path.flatMap { try openUnlessLocked($0, options.settings) }
    if path == nil || opened != nil { try complete(&options, opened) }
    let status = try MainActor.assumeIsolated {
      var terminalOptions = NcursesTerminal.Options()
      terminalOptions.usesMouse = options.settings.usesMouse
      let terminal = try Self.openTerminal(terminalOptions)
      defer { terminal.close() }
      let stores = OpenStores()
      let access = opened.map { stores.access(to: $0, options.settings) }
      let locked =
        opened == nil ? path.map { lockedStore($0, Self.options, stores, complete) } : nil
      options.isFirstStart = locked == nil && FirstStart.take()
      let status = App(
        terminal: terminal, store: access, locked: locked, options: options,
        program: services(adding: stores)
      ).run()
      terminal.close()
      stores.close()
      return status
    }
    if status != 0 { throw ExitCode(status) }
  }

  /// Opens a store; nil if another program keeps it locked.
  private func openUnlessLocked(_ path: String, _ settings: Settings) throws -> OpenedStore? {
    do {
      return try FetchControl.$current.withValue(FetchControl(waits: false)) {
        try open(path, settings, storeOptions.columnKinds)
      }
    } catch let error as StoreError where error.reason == .locked {
      return nil
    }
  }

  /// The store of the command line, to be opened when it is unlocked.
  @MainActor private func lockedStore(
    _ path: String, _ options: AppOptions, _ stores: OpenStores,
    _ complete: @escaping @Sendable (inout AppOptions, OpenedStore?) throws -> Void
  ) -> LockedStore {
    LockedStore(path: PostgreSQLStore.withoutPassword(path)) { isCopy in
      let opened = try open(path, options.settings, storeOptions.columnKinds, asCopy: isCopy)
      var completed = options
      try complete(&completed, opened)
      return (stores.access(to: opened, options.settings), completed)
    }
  }

  /// Opens a store, whose columns are what the person says now, else what is remembered.
  private func open(
    _ path: String, _ settings: Settings, _ kinds: [String: ColumnKind], asCopy: Bool = false
  ) throws(StoreError) -> OpenedStore {
    var options = storeOptions
    if asCopy { options.readsCopy = true }
    options.columnKinds = kinds
    if settings.remembers {
      let remembered = MainActor.assumeIsolated { StateFile(storePath: path).load().kinds }
      options.columnKinds.merge(remembered) { said, _ in said }
    }
    options.makesBackup = options.makesBackup && settings.makesBackup
    return try OpenedStore(path: path, options, serviceOptions, updatesBehind: true)
  }

  @MainActor private func services(adding stores: OpenStores) -> ProgramServices {
    var browser = self
    // A model that was given belongs to the store that was given.
    browser.storeOptions.modelPath = nil
    browser.storeOptions.readsCopy = false
    let finder = StoreFinder(recent: stores.recent)
    var services = ProgramServices()
    services.open = { [browser] path, settings, kinds in
      stores.access(to: try browser.open(HomeFolder.expanded(path), settings, kinds), settings)
    }
    services.openCopy = { [browser] path, settings, kinds in
      let opened = try browser.open(HomeFolder.expanded(path), settings, kinds, asCopy: true)
      return stores.access(to: opened, settings)
    }
    services.storeChoices = { finder.choices }
    services.completePath = { finder.completions(of: $0) }
    services.copy = ClipboardTool.copy
    return services
  }

  @MainActor private static func openTerminal(_ options: NcursesTerminal.Options) throws(Failure)
    -> NcursesTerminal
  {
    do {
      return try NcursesTerminal(options)
    } catch {
      throw Failure(.refused, error.description)
    }
  }
}

/// The stores that were opened on one screen, one after the other.
@MainActor
private final class OpenStores {
  let recent = RecentStores()
  private var stores: [OpenedStore] = []

  /// Gives the application access to an open store, which is remembered once it is shown.
  func access(to opened: OpenedStore, _ settings: Settings) -> StoreAccess {
    stores.append(opened)
    opened.sqlite?.limitReads(to: 1)
    (opened.store as? PostgreSQLStore)?.limitReads(to: 1)
    let path = opened.store.summary.path
    var access = StoreAccess(
      PersistentStoreCoordinator(store: opened.store), services: StoreServices(opened))
    if let path, settings.remembers {
      access.keeper = StateFile(storePath: path)
      access.whenShown = { [recent] in recent.add(path) }
    }
    return access
  }

  /// Removes the files that were kept for undo; call it when the terminal is restored.
  func close() {
    // They stay if another program holds the lock; a check of the store names them.
    FetchControl.$current.withValue(FetchControl(waits: false)) {
      for opened in stores { opened.removeUnusedFiles() }
    }
  }
}
