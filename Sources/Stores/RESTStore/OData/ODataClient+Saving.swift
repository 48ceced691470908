import Foundation
import ObjectModel

extension ODataClient {
  /// The request of a whole save: a batch that the service does together or not at all.
  func batch(_ changes: [RESTChange], keys: RESTKeys) throws(StoreError) -> HTTPRequest {
    let operations = try ODataOperations(client: self, changes: changes, keys: keys).all()
    let (type, body) = odata.is401 ? ODataBatch.json(operations) : ODataBatch.multipart(operations)
    var request = request("$batch", method: "POST")
    request.headers["Content-Type"] = type
    request.headers["OData-Version"] = odata.is401 ? "4.01" : "4.0"
    request.headers["Accept"] = odata.is401 ? "application/json" : "multipart/mixed"
    request.body = body
    return request
  }

  /// The request of one change, of a service without batches.
  func single(_ change: RESTChange, keys: RESTKeys) throws(StoreError) -> HTTPRequest {
    let operations = try ODataOperations(client: self, changes: [change], keys: keys).all()
    guard let operation = operations.first, operations.count == 1 else {
      throw StoreError(
        .unsupported, doing: "saving", subject: change.id.phrase,
        detail: "it takes \(operations.count) requests, and the service takes no batch of them")
    }
    var request = request(operation.path, method: operation.method)
    request.headers.merge(operation.headers) { $1 }
    if let body = operation.body {
      request.headers["Content-Type"] = "application/json"
      request.headers["OData-Version"] = "4.0"
      request.body = body.bytes
    }
    return request
  }

  /// What the service said to each change of a batch.
  ///
  /// - Throws: `StoreError` if the answer is none to a batch.
  func outcomes(ofBatch changes: [RESTChange], in answer: RESTAnswer) throws(StoreError)
    -> [RESTOutcome]
  {
    let answers = ODataBatch.answers(in: answer.response, json: answer.json)
    guard !answers.isEmpty else {
      throw StoreError(
        .other, doing: "saving", subject: answer.request.url.absoluteString,
        detail: "the service does not answer what became of the changes")
    }
    if let failed = answers.first(where: { $0.status >= 300 }) {
      // A change set without names fails as a whole.
      let index = failed.id.flatMap(ODataOperation.change) ?? 0
      return changes.indices.map { other in
        guard other == index else { return .refused([]) }
        return outcome(of: failed, changes[other], answer)
      }
    }
    return changes.indices.map { index in
      // Without names the answers are in the order of the requests.
      let own =
        answers.first { $0.id == "c\(index)" }
        ?? (answers.count == changes.count && answers[index].id == nil ? answers[index] : nil)
      guard let own, own.body.object != nil else { return .saved(nil) }
      return .saved(own.body)
    }
  }

  private func outcome(of failed: ODataBatch.Answer, _ change: RESTChange, _ answer: RESTAnswer)
    -> RESTOutcome
  {
    if [409, 410, 412].contains(failed.status) || failed.status == 404 && change.kind != .create {
      return .conflict
    }
    let response = HTTPResponse(status: failed.status, headers: failed.headers)
    return .refused(
      refusals(
        in: RESTAnswer(
          to: answer.request, entity: change.entity, response: response, json: failed.body)))
  }
}
