import ArgumentParser
import Foundation
import ModelFiles
import ObjectModel
import RESTStore
import SQLiteStore

/// The options for a service.
struct ServiceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file with the token of a service, instead of the variable CARDFILE_TOKEN.",
      discussion: "It is sent as a bearer token, to the service's own host only.",
      valueName: "path"), completion: .file())
  var tokenFile: String?

  @Flag(help: "Allow http, which others can read, to other machines than this one.")
  var insecure = false

  @Option(
    help: ArgumentHelp(
      "The columns that tell rows apart in a server's table or view without a key.",
      discussion: """
        Repeatable. A comment on the table that says @primaryKey id does the same. Rows of a table \
        are changed and deleted by it.
        """,
      valueName: "table=column,…"))
  var tableKey: [String] = []

  /// The key columns by entity.
  ///
  /// - Throws: `StoreError` for what is no `table=column`.
  var tableKeys: [String: [String]] {
    get throws(StoreError) {
      var keys: [String: [String]] = [:]
      for text in tableKey {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
          throw StoreError(
            .other, doing: "reading --table-key", subject: text,
            detail: "a table, =, and its columns are expected", remedy: "--table-key reading=id")
        }
        keys[parts[0]] = parts[1].split(separator: ",").map {
          $0.trimmingCharacters(in: .whitespaces)
        }
      }
      return keys
    }
  }
}

/// Opens a service as a store, with a cache in the user's cache folder.
enum ServiceStore {
  /// Whether the argument of a command is the address of a service.
  static func isAddress(_ argument: String) -> Bool {
    argument.hasPrefix("https://") || argument.hasPrefix("http://")
  }

  /// Opens a service.
  ///
  /// - Parameters:
  ///   - address: Its address.
  ///   - options: The options of the command line.
  ///   - modelPath: The model of a service that does not describe itself; nil if none was named.
  ///   - updatesBehind: Whether it is brought up to date while it is shown.
  /// - Returns: The store.
  /// - Throws: `StoreError` if the service cannot be asked.
  static func open(
    _ address: String, _ options: ServiceOptions, modelPath: String?, updatesBehind: Bool
  ) throws(StoreError) -> RESTStore {
    guard let url = URL(string: address), url.host != nil else {
      throw StoreError(
        .other, doing: "opening a service", subject: address, detail: "it is no address")
    }
    let transport = CurlTransport()
    var rest = RESTOptions()
    (rest.isInsecure, rest.updatesBehind) = (options.insecure, updatesBehind)
    let token = try token(options)
    let client = try RESTClient.recognized(
      at: RESTConnection(to: url, over: transport, options: rest), token: token,
      model: try model(modelPath))
    let cache = SQLiteStore.cache(of: address, model: RESTStore.cacheModel(for: client.model))
    return try RESTStore(client, over: transport, cache: cache, options: rest)
  }

  private static func token(_ options: ServiceOptions) throws(StoreError) -> String? {
    guard let path = options.tokenFile else {
      return getenv("CARDFILE_TOKEN").map { String(cString: $0) }
    }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw StoreError(.notFound, doing: "reading a token", subject: path)
    }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func model(_ path: String?) throws(StoreError) -> ManagedObjectModel? {
    guard let path else { return nil }
    do { return try ModelFile.read(path: path).model } catch {
      throw StoreError(.other, doing: "reading a model", subject: path, detail: "\(error)")
    }
  }
}

extension OpenedStore {
  /// Brings a service up to date for a fetch; does nothing for another store.
  func update(for plan: FetchPlan) throws(StoreError) {
    try (store as? RESTStore)?.update(for: plan, control: FetchControl.current)
  }

  /// Brings a service up to date for a count, unless it counts itself; does nothing for another
  /// store.
  func updateForCount(of plan: FetchPlan) throws(StoreError) {
    guard let service = store as? RESTStore, try !service.canCount(plan) else { return }
    try update(for: plan)
  }

  /// Brings all entities of a service, or some, up to date.
  func update(_ entities: [EntityDescription]? = nil) throws(StoreError) {
    guard store is RESTStore else { return }
    for entity in entities ?? store.model.entities where entity.superentityName == nil {
      try update(for: FetchPlan(entityName: entity.name))
    }
  }
}
