import ManagedObjects
import ObjectModel
import Synchronization
import TestStores
import Testing

@Suite struct `Lifecycle hooks` {
  /// A person that notes which of its hooks are called, in order.
  class Witness: ManagedObject {
    @TaskLocal static var log = Log()

    func note(_ hook: String) { Self.log.append("\(hook) \(string("name"))") }

    override func awakeFromInsert() { self["code"] = .string("new") }
    override func willSave() { note("willSave") }
    override func didSave() { note("didSave") }
    override func prepareForDeletion() { note("prepareForDeletion") }
    override func validateForInsert() throws { note("validateForInsert") }
    override func validateForUpdate() throws { note("validateForUpdate") }
    override func validateForDelete() throws { note("validateForDelete") }
  }

  /// Texts in order.
  final class Log: Sendable {
    private let texts = Mutex<[String]>([])
    func append(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
  }

  /// What a closure has witnesses note.
  private func noted(_ kind: Kind, _ body: (Office) throws -> Void) throws -> [String] {
    let office = try Office(kind)
    office.context.register(Witness.self, forEntity: "Person")
    let log = Log()
    try Witness.$log.withValue(log) { try body(office) }
    return log.all
  }

  // Core Data: NSManagedObject.awakeFromInsert(): once, when the object is inserted.
  @Test(arguments: stores) func `awakeFromInsert sets values that are saved`(kind: Kind) throws {
    let office = try Office(kind)
    office.context.register(Witness.self, forEntity: "Person")
    let new = try office.context.make("New")
    #expect(new["code"] == "new")
    try office.context.save()
    #expect(try office.stored("New", "code") == "new")
  }

  // Core Data: NSManagedObject.awakeFromInsert(): not when it is fetched.
  @Test(arguments: stores) func `awakeFromInsert is not called for a fetched object`(kind: Kind)
    throws
  {
    let office = try Office(kind)
    office.context.register(Witness.self, forEntity: "Person")
    let ada = try office.person("Ada")
    #expect(ada is Witness && ada["code"].isNull && !ada.hasChanges)
  }

  // Core Data: NSManagedObject.willSave(), validateForInsert(), didSave(): in this order.
  @Test(arguments: stores) func `a save calls willSave, validation and didSave of a new object`(
    kind: Kind
  ) throws {
    let calls = try noted(kind) {
      try $0.context.make("New")
      try $0.context.save()
    }
    #expect(calls == ["willSave New", "validateForInsert New", "didSave New"])
  }

  // Core Data: NSManagedObject.validateForUpdate().
  @Test(arguments: stores) func `a save calls willSave, validation and didSave of a changed object`(
    kind: Kind
  ) throws {
    let calls = try noted(kind) {
      try $0.person("Ada")["age"] = 1
      try $0.context.save()
    }
    #expect(calls == ["willSave Ada", "validateForUpdate Ada", "didSave Ada"])
  }

  // Core Data: NSManagedObject.prepareForDeletion(), validateForDelete().
  @Test(arguments: stores) func `a deletion calls prepareForDeletion, and the save validates it`(
    kind: Kind
  ) throws {
    let calls = try noted(kind) {
      let cyd = try $0.person("Cyd")
      try $0.context.delete(cyd)
      try $0.context.save()
    }
    #expect(
      calls == ["prepareForDeletion Cyd", "willSave Cyd", "validateForDelete Cyd", "didSave "])
  }

  // Core Data: NSManagedObject.willSave(), didSave(): for what a delete rule deletes, too.
  @Test(arguments: stores) func `willSave and didSave are called for all deleted objects`(
    kind: Kind
  ) throws {
    let calls = try noted(kind) { office in
      office.context.register(Witness.self, forEntity: "Pet")
      try office.context.delete(office.person("Ada"))
      try office.context.save()
    }
    let saves = calls.filter { $0.hasPrefix("willSave") || $0.hasPrefix("didSave") }
    #expect(
      saves.sorted() == ["didSave ", "didSave ", "didSave Bob"]
        + ["willSave Ada", "willSave Bob", "willSave Rex"])
  }

  // Core Data: NSManagedObject.willSave(): also where the deletion is part of the save.
  @Test(arguments: stores) func `a planned deletion calls willSave`(kind: Kind) throws {
    let calls = try noted(kind) { office in
      let cyd = try office.person("Cyd")
      try office.context.save(deleting: office.context.deletionPlan(for: [cyd.objectID]))
    }
    #expect(
      calls == ["prepareForDeletion Cyd", "willSave Cyd", "validateForDelete Cyd", "didSave "])
  }

  // Core Data: NSManagedObject.willSave(): a common one stamps every object, deleted or not.
  @Test(arguments: stores) func `what willSave sets in a deleted object is ignored`(kind: Kind)
    throws
  {
    final class Stamp: ManagedObject {
      override func willSave() {
        if self["height"] != 2.5 { self["height"] = 2.5 }
        if !isDeleted { self["code"] = "stamped" }
        object(forKey: "manager")?["height"] = 2.5
      }
    }
    let office = try Office(kind)
    office.context.register(Stamp.self, forEntity: "Person")
    for name in ["Ada", "Bob"] { try office.context.delete(office.person(name)) }
    try office.context.save()
    #expect(!office.context.hasChanges)
    #expect(try office.anotherContext().names() == ["Cyd"])
  }

  // Core Data: hooks are called for objects with changes only.
  @Test(arguments: stores) func `hooks of unchanged objects are not called`(kind: Kind) throws {
    let calls = try noted(kind) {
      _ = try $0.person("Bob")["age"]
      try $0.context.named("Acme", "Company")["name"] = "ACME"
      try $0.context.save()
    }
    #expect(calls.isEmpty)
  }

  // Core Data: NSManagedObject.didSave() is not called if the save fails.
  @Test(arguments: stores) func `didSave is not called when the save fails`(kind: Kind) throws {
    let calls = try noted(kind) { office in
      _ = try office.context.insert(entityName: "Person")
      #expect(throws: ManagedObjectError.self) { try office.context.save() }
    }
    #expect(calls == ["willSave ", "validateForInsert "])
  }

  // Core Data: NSManagedObject.willSave(): what it changes is part of the save.
  @Test(arguments: stores) func `what willSave changes is saved`(kind: Kind) throws {
    final class Stamp: ManagedObject {
      override func willSave() { if self["height"] != 2.5 { self["height"] = 2.5 } }
    }
    let office = try Office(kind)
    office.context.register(Stamp.self, forEntity: "Person")
    try office.person("Ada")["age"] = 1
    try office.context.save()
    #expect(try office.stored("Ada", "height") == 2.5 && !office.context.hasChanges)
  }

  // Core Data: NSEntityDescription.managedObjectClassName: sub-entities inherit the class.
  @Test(arguments: stores) func `the class of a super-entity is that of its sub-entities`(
    kind: Kind
  )
    throws
  {
    let office = try Office(kind)
    office.context.register(Witness.self, forEntity: "Person")
    #expect(try office.person("Cyd") is Witness)
    #expect(try !(office.context.named("Acme", "Company") is Witness))
  }

  // Core Data: NSManagedObject.validateForInsert() may refuse the save.
  @Test(arguments: stores) func `an error of an object's own validation refuses the save`(
    kind: Kind
  )
    throws
  {
    struct TooYoung: Error {}
    final class Adult: ManagedObject {
      override func validateForUpdate() throws {
        if let age = integer("age"), age < 18 { throw TooYoung() }
      }
    }
    let office = try Office(kind)
    office.context.register(Adult.self, forEntity: "Person")
    let ada = try office.person("Ada")
    ada["age"] = 17
    #expect(throws: TooYoung.self) { try office.context.save() }
    #expect(try office.stored("Ada", "age") == 36)
    ada["age"] = 18
    try office.context.save()
  }
}
