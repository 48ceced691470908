import Foundation
package import ObjectModel

extension RESTClient {
  /// The client of a service of which nothing is known but its address: of OData or a Datasette, which
  /// describe themselves, or a plain one with the model that was given.
  ///
  /// - Parameters:
  ///   - connection: The connection to the service.
  ///   - token: The token; nil for none.
  ///   - model: The model of a plain service; nil if none was given.
  /// - Returns: The client.
  /// - Throws: `StoreError` if the service cannot be asked, or it does not describe itself and
  ///   there is no model.
  package static func recognized(
    at connection: RESTConnection, token: String?, model: ManagedObjectModel?
  ) throws(StoreError) -> sending RESTClient {
    let url = connection.baseURL
    if let model {
      let client = RESTClient(baseURL: url, model: model)
      client.token = { token }
      return client
    }
    func ask(_ request: HTTPRequest) throws(StoreError) -> HTTPResponse {
      try connection.response(to: request) { request throws(StoreError) in
        if let token { request.headers["Authorization"] = "Bearer \(token)" }
      }
    }
    let request = HTTPRequest(
      url.appending(escaped: "$metadata", query: []), headers: ["Accept": "application/xml"])
    let response = try ask(request)
    if response.isSuccess, response.body.prefix(2_000).contains(text: "Edmx") {
      let client = try ODataClient(baseURL: url, metadata: response.body)
      client.token = { token }
      return client
    }
    guard response.isSuccess || [400, 404, 405, 406, 410].contains(response.status) else {
      throw StoreError(
        RESTAnswer(
          to: request, entity: EntityDescription(name: "", attributes: []), response: response,
          json: .null), doing: "opening a service")
    }
    if let client = try DatasetteProbe(url, canWrite: token != nil, ask: ask).client() {
      client.token = { token }
      return client
    }
    throw StoreError(
      .unsupported, doing: "opening a service", subject: url.absoluteString,
      detail: "it describes itself neither as OData does nor as Datasette",
      remedy: "name its model with --model: a .xcdatamodel, or the JSON that describe prints")
  }
}

extension Data {
  /// Whether the bytes of a text are among these.
  fileprivate func contains(text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
