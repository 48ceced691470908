import ManagedObjects
import ObjectModel
import Synchronization
import TestStores
import Testing

@Suite struct HookTests {
  private static let model = ManagedObjectModel {
    Entity("Node") {
      Attribute("name", .string)
      Attribute("size", .integer64, isOptional: false, default: 0)
      Attribute("code", .string)
      Attribute("tag", .string, isOptional: false, default: "tag")
      ToOne("parent", "Node", inverse: "children")
      ToMany("children", "Node", inverse: "parent", deleteRule: .cascade)
      Unique("code")
    }
  }

  /// Computes its size from those of its children, and logs deletions; refuses to be called "bad".
  final class Node: ManagedObject {
    struct Refusal: Error, CustomStringConvertible { let description = "bad name" }

    override func willSave() {
      if string("name") == "restless" { self["size"] = .integer((integer("size") ?? 0) + 1) }
      let total = objects(forKey: "children").reduce(0) { $0 + ($1.integer("size") ?? 0) + 1 }
      guard string("name") != "restless", integer("size") != Int64(total) else { return }
      self["size"] = .integer(Int64(total))
      // The parent's size depends on this one's: it must become part of the save.
      guard let parent = object(forKey: "parent") else { return }
      parent["code"] = .string("\(parent.string("name")) \(total)")
    }

    override func prepareForDeletion() {
      Self.log.append(string("name"))
    }

    override func validateForInsert() throws { try validate() }
    override func validateForUpdate() throws { try validate() }

    private func validate() throws {
      if string("name") == "bad" { throw Refusal() }
    }

    override func validateForDelete() throws {
      if string("name") == "kept" { throw Refusal() }
    }

    override func didSave() {
      let state = isAccessible ? "\(objectID.isTemporary)" : "deleted"
      Self.saved.append("\(string("name")) \(state) \(changedValues().count)")
    }

    @TaskLocal static var log = Log()
    @TaskLocal static var saved = Log()
  }

  /// Texts in order.
  final class Log: Sendable {
    private let texts = Mutex<[String]>([])
    func append(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
  }

  private func context(_ store: ObjectStore) -> ManagedObjectContext {
    let context = store.context()
    context.register(Node.self, forEntity: "Node")
    return context
  }

  /// A chain of nodes, each the parent of the next.
  private func chain(_ count: Int, _ context: ManagedObjectContext) throws -> [ManagedObject] {
    var nodes: [ManagedObject] = []
    for index in 0..<count {
      let node = try context.make("Node", "n\(index)")
      try node.setObject(nodes.last, forKey: "parent")
      nodes.append(node)
    }
    return nodes
  }

  @Test(arguments: TestedStore.allCases)
  func `willSave is called until nothing changes`(kind: TestedStore) throws {
    let store = try ObjectStore(kind, Self.model)
    let context = context(store)
    let nodes = try chain(6, context)
    try context.save()
    #expect(nodes.map { $0.integer("size") } == [5, 4, 3, 2, 1, 0])
    // Only the last changes at first.
    try context.make("Node", "leaf").setObject(nodes[5], forKey: "parent")
    try context.save()
    #expect(try store.context().names("Node", where: "size == 6") == ["n0"])
    #expect(try store.context().names("Node", where: "size == 1") == ["n5"])
  }

  @Test(arguments: TestedStore.allCases)
  func `a willSave that never settles fails the save instead of hanging`(kind: TestedStore)
    throws
  {
    let store = try ObjectStore(kind, Self.model)
    let context = context(store)
    try context.make("Node", "restless")
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.description.contains("willSave") == true)
    #expect(try store.context().names("Node", where: "TRUEPREDICATE").isEmpty)
  }

  @Test(arguments: TestedStore.allCases)
  func `prepareForDeletion is called once for each object, cascades included`(
    kind: TestedStore
  ) throws {
    let store = try ObjectStore(kind, Self.model)
    let context = context(store)
    let nodes = try chain(4, context)
    try context.save()
    try Node.$log.withValue(Log()) {
      try context.delete(nodes[1])
      try context.save()
      #expect(Node.log.all.sorted() == ["n1", "n2", "n3"])
    }
    try Node.$log.withValue(Log()) {
      let plan = try context.deletionPlan(for: [nodes[0].objectID])
      try context.save(deleting: plan)
      #expect(Node.log.all == ["n0"])
    }
  }

  @Test(arguments: TestedStore.allCases)
  func `an object's own error is reported with all other problems`(kind: TestedStore) throws {
    let store = try ObjectStore(kind, Self.model)
    let context = context(store)
    let bad = try context.make("Node", "bad")
    #expect(throws: Node.Refusal.self) { try context.save() }
    let missing = try context.make("Node", "other")
    missing["tag"] = .null
    let worse = try context.make("Node", "bad")
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(error?.reason == .validation)
    let found = error?.problems.map { "\($0.name) \($0.key) \($0.message) \($0.code)" }
    #expect(
      found?.sorted() == [
        "bad  bad name own", "bad  bad name own", "other tag is required missing",
      ])
    let ids = [bad.objectID, missing.objectID, worse.objectID]
    #expect(error?.objectIDs.sorted() == ids.sorted())
  }

  @Test(arguments: TestedStore.allCases)
  func `a constraint error names objects that exist in the context`(kind: TestedStore) throws {
    let store = try ObjectStore(kind, Self.model)
    let context = store.context()
    let first = try context.make("Node", "first")
    first["code"] = "x"
    try context.save()
    let second = try context.make("Node", "second")
    second["code"] = "x"
    let error = #expect(throws: ManagedObjectError.self) { try context.save() }
    let ids = error?.objectIDs ?? []
    #expect(ids.first == second.objectID)
    #expect(ids.allSatisfy { $0 == first.objectID || $0 == second.objectID })
    second["code"] = "y"
    let third = try context.make("Node", "third")
    third["code"] = "y"
    let both = #expect(throws: ManagedObjectError.self) { try context.save() }
    #expect(both?.objectIDs.isEmpty == false)
    let known = [second.objectID, third.objectID]
    #expect(both?.objectIDs.allSatisfy(known.contains) == true)
  }

  @Test(arguments: TestedStore.allCases)
  func `didSave is called once for each object, with permanent IDs`(kind: TestedStore) throws {
    let store = try ObjectStore(kind, Self.model)
    let context = context(store)
    let saved = Log()
    try Node.$saved.withValue(saved) {
      var isNotified = false
      let observation = context.observe {
        if case .didSave = $0 { isNotified = saved.all.count == 2 }
      }
      let nodes = try chain(2, context)
      try context.save()
      #expect(saved.all.sorted() == ["n0 false 0", "n1 false 0"])
      #expect(isNotified)
      try context.delete(nodes[1])
      nodes[0]["code"] = "c"
      try context.save()
      #expect(saved.all.dropFirst(2).sorted() == [" deleted 0", "n0 false 0"])
      try context.save()
      #expect(saved.all.count == 4)
      observation.cancel()
    }
  }

  @Test(arguments: TestedStore.allCases)
  func `an object may refuse to be deleted`(kind: TestedStore) throws {
    let store = try ObjectStore(kind, Self.model)
    let context = context(store)
    let nodes = try chain(2, context)
    nodes[1]["name"] = "kept"
    try context.save()
    try context.delete(nodes[0])
    #expect(throws: Node.Refusal.self) { try context.save() }
    #expect(try store.context().names("Node", where: "TRUEPREDICATE") == ["kept", "n0"])
    context.rollback()
    #expect(!context.hasChanges)
  }
}
