package import Foundation
package import ObjectModel

/// Finds out by asking whether an address is that of a Datasette.
package struct DatasetteProbe {
  private let url: URL
  private let canWrite: Bool
  private let ask: (HTTPRequest) throws(StoreError) -> HTTPResponse

  /// Creates a probe; nothing is asked.
  ///
  /// - Parameters:
  ///   - url: The address that somebody gave.
  ///   - canWrite: Whether there is a token, without which it only reads.
  ///   - ask: Sends a request with the token, as a `RESTConnection` does.
  package init(
    _ url: URL, canWrite: Bool, ask: @escaping (HTTPRequest) throws(StoreError) -> HTTPResponse
  ) {
    (self.url, self.canWrite, self.ask) = (url, canWrite, ask)
  }

  /// The client of the Datasette; nil if the service is not a Datasette.
  ///
  /// An address of one database has only its tables.
  ///
  /// - Throws: `StoreError` if the service does not answer, or has no table.
  package func client() throws(StoreError) -> sending DatasetteClient? {
    if let client = try datasette(at: url, only: nil) { return client }
    let database = url.lastPathComponent
    guard !database.isEmpty, database != "/" else { return nil }
    return try datasette(at: url.deletingLastPathComponent(), only: database)
  }

  private func json(_ path: String, query: [(String, String)] = [], of url: URL)
    throws(StoreError) -> JSONValue?
  {
    let request = HTTPRequest(
      url.appending(escaped: path, query: query), headers: ["Accept": "application/json"])
    let response = try ask(request)
    return response.isSuccess ? try? JSONParser.parse(response.body) : nil
  }

  private func datasette(at url: URL, only database: String?) throws(StoreError)
    -> sending DatasetteClient?
  {
    guard let version = try json("-/versions.json", of: url)?["datasette"]?["version"]?.string
    else { return nil }
    let isOld = version.hasPrefix("0.")
    let answer = try json("-/databases.json", of: url)
    var databases: [(name: String, json: JSONValue)] = []
    var columns: [String: [String: [DatasetteModel.Column]]] = [:]
    for entry in answer?.array ?? answer?["databases"]?.array ?? [] {
      guard let name = entry["name"]?.string, database == nil || database == name,
        !name.hasPrefix("_"),
        let json = try json("\(DatasetteText.encoded(name)).json", of: url)
      else { continue }
      databases.append((name, json))
      columns[name] = try self.columns(of: name, isOld: isOld, of: url)
    }
    let isReadOnly = isOld || !canWrite
    return DatasetteClient(
      baseURL: url, try DatasetteModel(databases, columns: columns, isReadOnly: isReadOnly),
      isReadOnly: isReadOnly)
  }

  /// The declared types of columns by table; empty if the service lets nobody ask in SQL.
  private func columns(of database: String, isOld: Bool, of url: URL) throws(StoreError)
    -> [String: [DatasetteModel.Column]]
  {
    let sql =
      "select t.name as t, c.name as c, c.type as k, c.\"notnull\" as n from sqlite_master t, "
      + "pragma_table_info(t.name) c where t.type = 'table' order by t.name, c.cid"
    let name = DatasetteText.encoded(database)
    var columns: [String: [DatasetteModel.Column]] = [:]
    // A page has as many rows as the service allows, a hundred at least.
    for page in 0..<100 {
      let rows =
        try json(
          isOld ? "\(name).json" : "\(name)/-/query.json",
          query: [("sql", "\(sql) limit 100 offset \(page * 100)"), ("_shape", "array")], of: url
        )?.array ?? []
      for row in rows {
        guard let table = row["t"]?.string, let column = row["c"]?.string else { continue }
        columns[table, default: []].append(
          DatasetteModel.Column(
            name: column, type: row["k"]?.string ?? "", isRequired: row["n"]?.integer == 1))
      }
      if rows.count < 100 { break }
    }
    return columns
  }
}
