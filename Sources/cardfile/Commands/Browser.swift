import ArgumentParser
import CardfileApp
import ManagedObjects
import NcursesTerminal
import SQLiteStore

/// The application on the terminal: wired here and nowhere else.
enum Browser {
  /// How long to wait for a lock, in seconds: a screen must not stand still, and tries again by itself.
  static let busyTimeout = 0.3

  /// Opens a store with the application's own choice of everything but the entity.
  static func run(_ path: String, entityName: String) throws {
    try run(
      try OpenedStore(path: path, SQLiteStore.Options(busyTimeout: busyTimeout)),
      AppOptions(entityName: entityName))
  }

  /// Runs until the person leaves; the store is open, so that what is wrong with it was told on a whole terminal.
  static func run(_ opened: OpenedStore, _ options: AppOptions) throws {
    let status = try MainActor.assumeIsolated {
      var terminalOptions = NcursesTerminal.Options()
      terminalOptions.usesMouse = options.mouse
      let terminal = try open(terminalOptions)
      defer { terminal.close() }
      return App(
        terminal: terminal, coordinator: PersistentStoreCoordinator(store: opened.store),
        services: StoreServices(opened), options: options
      ).run()
    }
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
