import ObjectModel
import Testing

@testable import ManagedObjects

@Suite struct UndoMemoryTests {
  private func result(deleting keys: Int..., value: Value) -> SaveResult {
    SaveResult(
      deletedRows: keys.map { RowSnapshot(id: id($0), version: 1, values: [value]) })
  }

  private func id(_ key: Int) -> ObjectID {
    ObjectID(storeIdentifier: "test", entityName: "Person", key: .integer(Int64(key)))
  }

  private func values(_ memory: UndoMemory) -> [Value?] {
    (1...4).map { memory.deletedRow(of: id($0))?.row.values[0] }
  }

  @Test func `the row of the last deletion is remembered, until the object exists again`() {
    var memory = UndoMemory()
    memory.remember(result(deleting: 1, 2, value: "a"))
    memory.remember(result(deleting: 3, value: "b"))
    memory.remember(result(deleting: 4, value: "c"))
    #expect(values(memory) == ["a", "a", "b", "c"])
    // Somebody has inserted them again meanwhile.
    memory.remember(result(deleting: 4, 3, 1, value: "d"))
    #expect(values(memory) == ["d", "a", "d", "d"])
    memory.forgetDeletion(of: id(3))
    memory.forgetDeletion(of: id(2))
    #expect(values(memory) == ["d", nil, nil, "d"])
    memory.remember(result(deleting: 2, value: "e"))
    #expect(values(memory) == ["d", "e", nil, "d"])
    #expect(Set(memory.removeAll { $0 == id(4) }) == [id(1), id(2)])
    #expect(values(memory) == [nil, nil, nil, "d"] && memory.hasDeletions)
    memory.forgetDeletion(of: id(4))
    #expect(!memory.hasDeletions)
  }
}
