import Foundation
import ObjectModel
import Testing

@testable import ModelFiles

struct XCDataModelWriterTests {
  @Test(arguments: 0..<60)
  func `a random model written as Xcode's XML reads back equal`(seed: UInt64) throws {
    var maker = ModelMaker(seed: seed)
    let model = try maker.model(namesComposites: true)
    let xml = XCDataModelWriter.xml(of: model)
    let read = try XCDataModel.model(from: Data(xml.utf8))
    #expect(read.notes == [])
    expectEqual(read.model, model)
    #expect(XCDataModelWriter.xml(of: read.model) == xml)
  }

  @Test(arguments: 0..<60)
  func `a random model written as a model cache reads back equal`(seed: UInt64) throws {
    var maker = ModelMaker(seed: seed)
    let model = try maker.model(namesComposites: false)
    let data = try ModelCacheWriter.data(of: model)
    let read = try ModelCache.model(from: data)
    #expect(read.notes == [])
    expectEqual(read.model, model)
    #expect(try ModelCacheWriter.data(of: read.model) == data)
  }
}
