import ArgumentParser
import CardfileApp
import Foundation
import ManagedObjects
import NcursesTerminal
import ObjectModel
import SQLiteStore

/// Runs the application on the terminal.
struct Browser {
  /// The busy timeout in seconds: short, because the screen must not freeze and retries by itself.
  private static let busyTimeout = 0.3

  /// How stores are opened: the one of the command line and those of `:open`.
  private var storeOptions: SQLiteStore.Options

  init(_ options: SQLiteStore.Options = SQLiteStore.Options()) {
    storeOptions = options
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
  func run(_ path: String?, complete: (inout AppOptions, OpenedStore?) throws -> Void) throws {
    // Made by an idle processor while this one opens the store.
    DispatchQueue.global().async { TextFolding.makeTables() }
    var options = Self.options
    let opened = try path.map { try open($0, options.settings, storeOptions.columnKinds) }
    try complete(&options, opened)
    let status = try MainActor.assumeIsolated {
      var terminalOptions = NcursesTerminal.Options()
      terminalOptions.usesMouse = options.settings.usesMouse
      let terminal = try Self.openTerminal(terminalOptions)
      defer { terminal.close() }
      let stores = OpenStores()
      let access = opened.map { stores.access(to: $0, options.settings) }
      options.isFirstStart = FirstStart.take()
      let status = App(
        terminal: terminal, store: access, options: options, program: services(adding: stores)
      ).run()
      terminal.close()
      stores.close()
      return status
    }
    if status != 0 { throw ExitCode(status) }
  }

  /// Opens a store, whose columns are what the person says now, else what is remembered.
  private func open(_ path: String, _ settings: Settings, _ kinds: [String: ColumnKind])
    throws(StoreError) -> OpenedStore
  {
    var options = storeOptions
    options.columnKinds = kinds
    if settings.remembers {
      let remembered = MainActor.assumeIsolated { StateFile(storePath: path).load().kinds }
      options.columnKinds.merge(remembered) { said, _ in said }
    }
    options.makesBackup = options.makesBackup && settings.makesBackup
    return try OpenedStore(path: path, options)
  }

  @MainActor private func services(adding stores: OpenStores) -> ProgramServices {
    var browser = self
    // A model that was given belongs to the store that was given.
    browser.storeOptions.modelPath = nil
    let finder = StoreFinder(recent: stores.recent)
    var services = ProgramServices()
    services.open = { [browser] path, settings, kinds in
      stores.access(to: try browser.open(HomeFolder.expanded(path), settings, kinds), settings)
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
    opened.store.limitReads(to: 1)
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
    for opened in stores { opened.removeUnusedFiles() }
  }
}
