import ManagedObjects
import ObjectModel
import Testing

/// Transient attributes: kept with the object, never written.
struct TransientTests {
  private final class Car: ManagedObject, EntityClass {
    static let name = AttributeKey<Car, String>("name")
    static let speed = AttributeKey<Car, Int>("speed")
    static let properties: Properties = [name, Attribute(speed, isTransient: true)]
  }

  private let store: InMemoryStore
  private let coordinator: PersistentStoreCoordinator
  private let context: ManagedObjectContext
  private let car: Car

  init() throws {
    store = InMemoryStore(model: try ManagedObjectModel(Car.self))
    coordinator = PersistentStoreCoordinator(store: store, entityClasses: [Car.self])
    context = ManagedObjectContext(coordinator: coordinator)
    car = try Car.insert(into: context)
    car[Car.name] = "a"
    try context.save()
  }

  @Test func `a value is read as it was set, until the object is a fault`() throws {
    car[Car.speed] = 50
    #expect(car[Car.speed] == 50 && car["speed"] == 50)
    #expect(car.changedKeys == ["speed"] && car.isUpdated && car.hasChanges && context.hasChanges)
    #expect(context.changeCounts == (0, 0, 0))
    try context.save()
    #expect(!car.hasChanges && !context.hasChanges && car[Car.speed] == 50)
    car[Car.name] = "b"
    context.refresh(car, mergeChanges: true)
    #expect(car[Car.speed] == 50)
    try context.save()
    context.refresh(car, mergeChanges: true)
    #expect(car[Car.speed] == 0)
    car[Car.speed] = 60
    context.reset()
    #expect(car[Car.speed] == 0 && !context.hasChanges)
  }

  @Test func `an object with a value that was set is retained until the save`() throws {
    let other = ManagedObjectContext(coordinator: coordinator)
    (other.object(with: car.objectID) as? Car)?[Car.speed] = 50
    #expect((other.object(with: car.objectID) as? Car)?[Car.speed] == 50)
    try other.save()
    #expect((other.object(with: car.objectID) as? Car)?[Car.speed] == 0)
  }

  @Test func `undo and rollback take a value back, and observers hear of it`() throws {
    var keys: [Set<String>] = []
    let observation = context.observe { [id = car.objectID] event in
      if case .changed(let change) = event { keys.append(change.changedKeys[id] ?? []) }
    }
    car[Car.speed] = 50
    context.processPendingChanges()
    context.undoHistory.undo()
    #expect(car[Car.speed] == 0 && !context.hasChanges)
    context.undoHistory.redo()
    #expect(car[Car.speed] == 50 && context.hasChanges)
    context.rollback()
    #expect(car[Car.speed] == 0 && !context.hasChanges)
    #expect(keys == Array(repeating: ["speed"], count: 4))
    observation.cancel()
  }

  @Test func `a new object has its values after the save, and a wrong value is refused`() throws {
    let new = try Car.insert(into: context)
    new[Car.name] = "n"
    new[Car.speed] = 7
    try context.save()
    #expect(new[Car.speed] == 7 && !new.objectID.isTemporary)
    #expect(throws: ManagedObjectError.self) { try new.setValue("fast", forKey: "speed") }
    let written = try store.snapshots(of: [new.objectID])
    #expect(written[new.objectID]?.values.count == 1)
  }
}
