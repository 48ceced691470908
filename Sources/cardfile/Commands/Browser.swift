import ArgumentParser
import CardfileApp
import ManagedObjects
import NcursesTerminal
import ObjectModel
import SQLiteStore

/// Runs the application on the terminal.
enum Browser {
  /// The busy timeout in seconds: short, because the screen must not freeze and retries by itself.
  static let busyTimeout = 0.3

  /// Opens the store at a path.
  static func run(_ path: String, _ options: AppOptions) throws {
    try run(
      try OpenedStore(path: path, SQLiteStore.Options(busyTimeout: busyTimeout)), options)
  }

  /// Runs until the user quits.
  ///
  /// The store is opened before, so that its errors are printed on a normal screen.
  static func run(_ opened: OpenedStore, _ options: AppOptions) throws {
    opened.store.limitReads(to: 1)
    let status = try MainActor.assumeIsolated {
      var terminalOptions = NcursesTerminal.Options()
      terminalOptions.usesMouse = options.mouse
      let terminal = try open(terminalOptions)
      defer { terminal.close() }
      var options = options
      options.isFirstStart = FirstStart.take()
      return App(
        terminal: terminal, coordinator: PersistentStoreCoordinator(store: opened.store),
        services: StoreServices(opened), options: options,
        keeper: opened.store.summary.path.map { StateFile(storePath: $0) },
        clipboardTool: ClipboardTool.copy
      ).run()
    }
    opened.removeUnusedFiles()
    if status != 0 { throw ExitCode(status) }
  }

  @MainActor private static func open(_ options: NcursesTerminal.Options) throws(Failure)
    -> NcursesTerminal
  {
    do {
      return try NcursesTerminal(options)
    } catch {
      throw Failure(.refused, error.description)
    }
  }
}
