import CoreDataNames
import Testing

/// The delegate is called as Apple documents it: sections before rows, deletions with old index
/// paths, insertions with new ones, moves and updates with both.
struct DelegateTests {
  private func list() throws -> ListFixture {
    try ListFixture([("Bern", ["b", "d", "f"]), ("Oslo", ["k", "m"])])
  }

  @Test func `an insertion has a new index path only`() throws {
    let list = try list()
    let calls = list.calls { list.insert("c", "Bern") }
    #expect(calls == ["will change", "insert c nil 0.1", "did change"])
    #expect(list.titles == [["b", "c", "d", "f"], ["k", "m"]])
  }

  @Test func `a deletion has an old index path only`() throws {
    let list = try list()
    let calls = try list.calls { list.context.delete(try list.item("d")) }
    #expect(calls == ["will change", "delete d 0.1 nil", "did change"])
  }

  @Test func `a change of another property is an update, with both index paths`() throws {
    let list = try list()
    let calls = try list.calls {
      list.insert("a", "Bern")
      try list.item("f").setValue("x", forKey: "note")
    }
    #expect(calls == ["will change", "insert a nil 0.0", "update f 0.2 0.3", "did change"])
  }

  @Test func `a change of the order that changes the position is a move`() throws {
    let list = try list()
    let calls = try list.calls { try list.item("b").setValue("e", forKey: "title") }
    #expect(calls == ["will change", "move e 0.0 0.1", "did change"])
    #expect(list.titles == [["d", "e", "f"], ["k", "m"]])
  }

  @Test func `a change of the order that keeps the position is an update`() throws {
    let list = try list()
    let calls = try list.calls { try list.item("d").setValue("e", forKey: "title") }
    #expect(calls == ["will change", "update e 0.1 0.1", "did change"])
  }

  @Test func `a new section is reported before its rows`() throws {
    let list = try list()
    let calls = list.calls {
      list.insert("h", "Lund")
      list.insert("g", "Lund")
    }
    #expect(
      calls == [
        "will change", "insert section 1 Lund", "insert g nil 1.0", "insert h nil 1.1",
        "did change",
      ])
  }

  @Test func `a deleted section is reported before its rows, with its old index and name`() throws {
    let list = try list()
    let calls = try list.calls {
      for title in ["b", "d", "f"] { list.context.delete(try list.item(title)) }
    }
    #expect(
      calls == [
        "will change", "delete section 0 Bern", "delete b 0.0 nil", "delete d 0.1 nil",
        "delete f 0.2 nil", "did change",
      ])
    #expect(list.titles == [["k", "m"]])
  }

  @Test func `deleted sections come last first, and before inserted ones`() throws {
    let list = try ListFixture([("A", ["1"]), ("B", ["2"]), ("C", ["3"])])
    let calls = try list.calls {
      for title in ["1", "2"] { list.context.delete(try list.item(title)) }
      list.insert("4", "D")
      list.insert("5", "E")
    }
    #expect(
      calls == [
        "will change", "delete section 1 B", "delete section 0 A", "insert section 1 D",
        "insert section 2 E", "delete 1 0.0 nil", "delete 2 1.0 nil", "insert 4 nil 1.0",
        "insert 5 nil 2.0", "did change",
      ])
  }

  @Test func `the last row of a section moves into a new section`() throws {
    let list = try ListFixture([("Bern", ["b"]), ("Oslo", ["k"])])
    let calls = try list.calls { try list.item("b").setValue("Rome", forKey: "city") }
    #expect(
      calls == [
        "will change", "delete section 0 Bern", "insert section 1 Rome", "move b 0.0 1.0",
        "did change",
      ])
  }

  @Test func `deletions, insertions, moves and updates come in this order`() throws {
    let list = try list()
    let calls = try list.calls {
      try list.item("m").setValue("x", forKey: "note")
      try list.item("b").setValue("g", forKey: "title")
      list.insert("a", "Bern")
      list.context.delete(try list.item("d"))
    }
    #expect(
      calls == [
        "will change", "delete d 0.1 nil", "insert a nil 0.0", "move g 0.0 0.2",
        "update m 1.1 1.1", "did change",
      ])
  }

  @Test func `the old list can be read before the change`() throws {
    let list = try list()
    _ = list.calls { list.insert("c", "Bern") }
    #expect(list.before == [["b", "d", "f"], ["k", "m"]])
  }

  @Test func `every call has a controller that is equal to the own one`() throws {
    let list = try list()
    let calls = try list.calls {
      list.insert("h", "Lund")
      list.context.delete(try list.item("b"))
    }
    #expect(calls.count == 5)
    #expect(list.isSameController)
    #expect(try list.controller != ListFixture([]).controller)
  }

  @Test func `a fetch after a change of the request calls no delegate`() throws {
    let list = try list()
    let calls = try list.calls {
      list.controller.fetchRequest.predicate = NSPredicate(format: "title > 'd'")
      #expect(list.titles == [["b", "d", "f"], ["k", "m"]])
      try list.controller.performFetch()
    }
    #expect(calls == [])
    #expect(list.titles == [["f"], ["k", "m"]])
    #expect(list.calls { list.insert("a", "Bern") } == [])
    #expect(list.calls { list.insert("e", "Bern") }.contains("insert e nil 0.0"))
  }

  @Test func `a failed fetch keeps the list`() throws {
    let list = try ListFixture([("Bern", ["b", "d", "z"]), ("Oslo", ["k", "m"])])
    list.controller.fetchRequest.predicate = NSPredicate { _, _ in true }
    #expect(throws: ManagedObjectError.self) { try list.controller.performFetch() }
    list.controller.fetchRequest.predicate = nil
    list.controller.fetchRequest.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    #expect(throws: FetchedResultsError.self) { try list.controller.performFetch() }
    #expect(list.titles == [["b", "d", "z"], ["k", "m"]])
    list.controller.fetchRequest.sortDescriptors = nil
    #expect(throws: FetchedResultsError.self) { try list.controller.performFetch() }
  }

  @Test func `a change that is reported as a reload is reported row by row`() throws {
    let list = try ListFixture([("", ["b", "d"])], isSectioned: false)
    let count = ResultsChange.rowLimit + 1
    let calls = try list.calls {
      for number in 0..<count { list.insert("c\(number)", "") }
      list.context.delete(try list.item("d"))
    }
    #expect(calls.count == count + 4)
    #expect(calls[1] == "delete d 0.1 nil")
    #expect(calls[2] == "insert c0 nil 0.1")
    // What else has changed is not known.
    #expect(calls.suffix(2) == ["update b 0.0 0.0", "did change"])
  }

  @Test func `without a delegate the list follows too, and a delegate is held weakly`() throws {
    let list = try list()
    list.controller.delegate = nil
    #expect(list.calls { list.insert("c", "Bern") } == [])
    #expect(list.titles[0] == ["b", "c", "d", "f"])
    var other: ListFixture? = try ListFixture([])
    list.controller.delegate = other
    #expect(list.controller.delegate === other)
    other = nil
    #expect(list.controller.delegate == nil)
  }

  // MARK: The list

  @Test func `index paths lead to objects and back`() throws {
    let list = try list()
    let path = IndexPath(row: 1, section: 1)
    let object = list.controller.object(at: path)
    #expect(object.value(forKey: "title") as? String == "m")
    #expect(list.controller.indexPath(forObject: object) == path)
    #expect(list.controller.fetchedObjects?.count == 5)
    #expect(list.controller.fetchedObjects?[4] === object)
    list.context.delete(object)
    list.context.processPendingChanges()
    #expect(list.controller.indexPath(forObject: object) == nil)
  }

  @Test func `before the first fetch there are no objects and no sections`() throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: try list().context, sectionNameKeyPath: nil,
      cacheName: "items")
    #expect(controller.fetchedObjects == nil)
    #expect(controller.sections?.count == nil)
    #expect(controller.sectionIndexTitles == [])
    #expect(controller.cacheName == "items")
    try controller.performFetch()
    #expect(controller.fetchedObjects?.count == 5)
    #expect(controller.sections?.map(\.name) == [""])
  }

  @Test func `sections have names, counts and titles, and titles lead to sections`() throws {
    let list = try ListFixture([("Bergen", ["a"]), ("Bern", ["b", "c"]), ("Oslo", ["k"])])
    let sections = try #require(list.controller.sections)
    #expect(sections.map(\.name) == ["Bergen", "Bern", "Oslo"])
    #expect(sections.map(\.numberOfObjects) == [1, 2, 1])
    #expect(sections.map(\.indexTitle) == ["Be", "Be", "Os"])
    #expect(list.controller.sectionIndexTitles == ["Be", "Os"])
    #expect(list.controller.section(forSectionIndexTitle: "Os", at: 1) == 2)
    #expect(list.controller.section(forSectionIndexTitle: "Be", at: 0) == 0)
    #expect(list.controller.sectionIndexTitle(forSectionName: "Rome") == "Ro")
  }

  @Test func `a section without an index title is left out of the strip`() throws {
    let list = try ListFixture([("Bern", ["b"]), ("Oslo", ["k"])])
    #expect(list.controller.sectionIndexTitles == ["Be", "Os"])
    list.untitled = ["Bern"]
    #expect(list.controller.sections?.map(\.indexTitle) == [nil, "Os"])
    // The titles of the strip are asked for anew when the delegate is set, or the list changes.
    list.controller.delegate = list
    #expect(list.controller.sectionIndexTitles == ["Os"])
    list.controller.delegate = nil
    #expect(list.controller.sectionIndexTitles == ["B", "O"])
  }

  @Test func `sections may be first letters or months`() throws {
    let list = try list()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [
      NSSortDescriptor(key: "city", ascending: false, selector: .localizedStandardCompare)
    ]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: list.context,
      sectionNameKeyPath: "city:initial", cacheName: nil)
    try controller.performFetch()
    #expect(controller.sections?.map(\.name) == ["O", "B"])
  }
}
