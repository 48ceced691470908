import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ModelFiles

/// The models of real stores, written and read again.
@Suite(.needsRealStores)
struct RealModelWritingTests {
  @Test(arguments: RealStores.withModels)
  func `the model of a real store survives XML and a cache`(store: String) throws {
    let model = try ModelCache.model(from: try RealStores.cache(of: store)).model
    let xml = XCDataModelWriter.xml(of: model)
    let fromXML = try XCDataModel.model(from: Data(xml.utf8))
    #expect(fromXML.notes == [])
    expectEqual(fromXML.model, model)
    let fromCache = try ModelCache.model(from: ModelCacheWriter.data(of: model))
    #expect(fromCache.notes == [])
    expectEqual(fromCache.model, model)
  }
}
