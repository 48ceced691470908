import ObjectModel
import Testing

@testable import ManagedObjects

struct InMemoryStoreTests {
  private let store = InMemoryStore(model: albumModel, identifier: "test")

  private func insert(_ entity: String, _ number: UInt64, _ values: [String: Value]) -> RowChange {
    RowChange(
      id: ObjectID(storeIdentifier: "", entityName: entity, key: .temporary(number)),
      values: ChangedValues(values))
  }

  @Test func `a save writes all changes or none`() throws {
    let good = insert("Artist", 1, ["Name": "AC/DC"])
    let error = #expect(throws: StoreError.self) {
      try store.save(
        SaveRequest(inserted: [
          good, insert("Album", 2, ["Title": "A"]), insert("Album", 3, ["Title": "A"]),
        ]))
    }
    #expect(error?.reason == .constraint && error?.objectIDs.count == 2)
    #expect(store.contents.isEmpty)
    let result = try store.save(SaveRequest(inserted: [good]))
    #expect(result.permanentIDs[good.id]?.key == .integer(1))
  }

  @Test func `keys are assigned in order, kept if given, refused if taken`() throws {
    let first = try store.save(SaveRequest(inserted: [insert("Artist", 1, ["ArtistId": 7])]))
    let next = try store.save(SaveRequest(inserted: [insert("Artist", 2, [:])]))
    #expect(first.permanentIDs.values.map(\.key) == [.integer(7)])
    #expect(next.permanentIDs.values.map(\.key) == [.integer(8)])
    let error = #expect(throws: StoreError.self) {
      try store.save(SaveRequest(inserted: [insert("Artist", 3, ["ArtistId": 7])]))
    }
    #expect(error?.reason == .keyTaken)
  }

  @Test func `a row with a different version is a conflict, for an update and for a deletion`()
    throws
  {
    let artist = insert("Artist", 1, ["Name": "AC/DC"])
    let result = try store.save(SaveRequest(inserted: [artist]))
    let id = try #require(result.permanentIDs[artist.id])
    let version = try #require(result.snapshots[id]?.version)
    _ = try store.save(
      SaveRequest(updated: [RowChange(id: id, version: version, values: ["Name": "Accept"])]))
    for request in [
      SaveRequest(updated: [RowChange(id: id, version: version, values: ["Name": "x"])]),
      SaveRequest(deleted: [RowDeletion(id: id, version: version)]),
    ] {
      let error = #expect(throws: StoreError.self) { try store.save(request) }
      #expect(error?.reason == .conflict && error?.objectIDs == [id])
    }
    let gone = try store.save(SaveRequest(deleted: [RowDeletion(id: id)]))
    #expect(gone.deletedRows.first?.values == [1, "Accept"])
  }

  @Test func `a fetch sorts, limits and can be cancelled`() throws {
    for (number, name) in ["b", "A", "c"].enumerated() {
      _ = try store.save(
        SaveRequest(inserted: [insert("Artist", UInt64(number), ["Name": .string(name)])]))
    }
    let plan = FetchPlan(
      entityName: "Artist", sortDescriptors: [.init("Name", comparison: .caseInsensitive)],
      sectionKey: SectionKey("Name"), limit: 2, offset: 1)
    let fetched = try store.fetch(plan, control: nil)
    #expect(fetched.ids.map(\.key) == [.integer(1), .integer(3)])
    #expect(fetched.sections == [.init(name: "b", count: 1), .init(name: "c", count: 1)])
    #expect(try store.count(plan, control: nil) == 2)
    let control = FetchControl()
    control.cancel()
    let error = #expect(throws: StoreError.self) { try store.fetch(plan, control: control) }
    #expect(error?.reason == .cancelled)
  }
}
