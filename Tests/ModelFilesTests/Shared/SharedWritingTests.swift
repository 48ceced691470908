import Foundation
import ObjectModel
import Testing

@testable import ModelFiles

/// The models of real stores, written and read again.
@Suite(.enabled(if: SharedStores.folder != nil, "the shared stores are not here"))
struct SharedWritingTests {
  @Test(arguments: SharedStores.withModels)
  func `the model of a real store survives XML and a cache`(store: String) throws {
    let model = try ModelCache.model(from: try SharedStores.cache(of: store)).model
    let xml = XCDataModelWriter.xml(of: model)
    let fromXML = try XCDataModel.model(from: Data(xml.utf8))
    #expect(fromXML.notes == [])
    expectEqual(fromXML.model, model)
    let fromCache = try ModelCache.model(from: ModelCacheWriter.data(of: model))
    #expect(fromCache.notes == [])
    expectEqual(fromCache.model, model)
  }
}
