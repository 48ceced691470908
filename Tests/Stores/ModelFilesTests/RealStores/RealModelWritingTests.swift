import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ModelFiles

/// Writing the models of real stores and reading them back.
@Suite(.needsRealStores)
struct RealModelWritingTests {
  @Test(arguments: RealStores.withModels)
  func `the model of a real store reads back equal from Xcode's XML and from a model cache`(
    store: String
  ) throws {
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
