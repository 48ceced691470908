import CoreDataNames
import Foundation
import Testing

/// Programs in the manner of public ones do what they do with Core Data.
@MainActor @Suite(.serialized)
struct ProgramTests {
  let stack = CoreDataStack(name: "Garage")
  var context: NSManagedObjectContext { stack.viewContext }

  init() throws {
    for (name, cars) in [("Fiat", [("500", 10), ("Panda", 8)]), ("Saab", [("900", 20)])] {
      let brand = Brand(context: context)
      brand.name = name
      for (name, price) in cars {
        let car = Car(context: context)
        (car.name, car.price, car.brand) = (name, price, brand)
      }
    }
    try context.save()
  }

  private func names(_ cars: [Car]) -> [String] { cars.compactMap(\.name).sorted() }

  @Test func `a context of the coordinator has the classes of the container`() throws {
    let derived = stack.newDerivedContext()
    let entity = try #require(NSEntityDescription.entity(forEntityName: "Car", in: derived))
    let car = Car(entity: entity, insertInto: derived)
    car.name = "Uno"
    try derived.save()
    #expect(try derived.fetchAll(Brand.self).map(\.name).sorted() == ["Fiat", "Saab"])
    #expect(names(try context.fetchAll(Car.self)) == ["500", "900", "Panda", "Uno"])
  }

  @Test func `helpers for all entities fetch, count and delete`() async throws {
    #expect(Car.entityName == "Car" && Car.entity().name == "Car")
    #expect(names(try context.fetchAll(Car.self, sortedBy: "price")) == ["500", "900", "Panda"])
    #expect(try context.count(Car.self, where: "price > %@", [9]) == 2)
    let nobody: Brand? = nil
    #expect(try context.count(Car.self, where: "brand == %@", [nobody as Any]) == 0)
    let car = try #require(try context.fetchAll(Car.self).first { $0.name == "500" })
    car.name = "600"
    #expect(car.committedValue(forKey: "name") as? String == "500")
    #expect(car.hasChangedValue(forKey: "name") && !car.hasChangedValue(forKey: "price"))
    changeLater(car)
    #expect(car.price == 10)
    await context.perform {}
    #expect(car.price == 11 && !car.hasChanges)
    let predicate = NSPredicate(format: "price > 15")
    #expect(try context.batchDelete(Car.self, predicate: predicate).count == 1)
    #expect(names(try context.fetchAll(Car.self)) == ["600", "Panda"])
  }

  private func changeLater(_ car: Car) {
    context.performChanges { car.price += 1 }
  }

  @Test func `a protocol of the program has defaults for each entity`() throws {
    #expect(try context.fetch(Car.sortedFetchRequest).map(\.name) == ["900", "500", "Panda"])
    let predicate = NSPredicate(format: "name == %@", "Panda")
    let car = Car.findOrCreate(in: context, matching: predicate) { _ in Issue.record() }
    #expect(car.price == 8)
    #expect(Car.materializedObject(in: context, matching: predicate) === car)
    let new = Car.findOrCreate(in: context, matching: NSPredicate(format: "name == 'x'")) {
      $0.name = "x"
    }
    #expect(new.isInserted && context.registeredObjects.contains(new))
    #expect(Car.predicate(predicate) == Car.predicate(NSPredicate(format: "name == 'Panda'")))
    #expect(Car.predicate(predicate) != Car.predicate(NSPredicate(format: "name == 'x'")))
  }

  @Test func `records find and make themselves`() throws {
    let brand = Brand.firstOrCreate(with: ["name": "Saab"], in: context)
    #expect(brand.cars.count == 1)
    let none: String? = nil
    #expect(Car.first(with: ["name": none as Any], in: context) == nil)
    let car = Car.create(with: ["name": none as Any, "brand": brand], in: context)
    #expect(Car.first(with: ["name": none as Any], in: context) === car)
    #expect(Car.first(with: ["name": "Panda", "price": 20], type: .or, in: context) != nil)
    #expect(Brand.values(for: "name", in: context) as? [String] == ["Fiat", "Saab"])
    car.delete(from: context)
    #expect(car.isDeleted)
    context.processPendingChanges()
    #expect(!car.isDeleted && brand.cars.count == 1)
  }

  @Test func `finders with a prefix sort, aggregate and have IDs`() async throws {
    let car = Car.mrCreateEntity(in: context)
    car.name = "Uno"
    let found = Car.mrFindAll(
      sortedBy: "brand.name,price", ascending: false,
      withPredicate: NSPredicate(format: "brand != nil"), in: context)
    #expect((found as? [Car])?.map(\.name) == ["900", "500", "Panda"])
    #expect(Car.mrAggregateOperation("max:", onAttribute: "price", in: context) == 20)
    #expect(Car.mrAggregateOperation("sum:", onAttribute: "price", in: context) == 38)
    let ids = Car.mrObjectIDs(in: context)
    #expect(ids.count == 4 && ids["Uno"] == car.objectID)
    #expect((ids["900"].map(context.object) as? Car)?.price == 20)
    let error: Error? = await withCheckedContinuation { continuation in
      stack.persistentContainer.saveWithBlock(
        { context in
          _ = Car.mrCreateEntity(in: context)
        }, completion: { continuation.resume(returning: $0) })
    }
    #expect(error == nil)
    #expect(try context.fetchAll(Car.self).count == 5)
  }

  private final class Table: TableUpdating {
    var calls: [String] = []
    func beginUpdates() { calls.append("begin") }
    func insertRows(at indexPaths: [IndexPath]) { calls += indexPaths.map { "insert \($0.item)" } }
    func deleteRows(at indexPaths: [IndexPath]) { calls += indexPaths.map { "delete \($0.row)" } }
    func reloadRows(at indexPaths: [IndexPath]) { calls += indexPaths.map { "reload \($0.row)" } }
    func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
      calls.append("move \(indexPath.row) \(newIndexPath.row)")
    }
    func endUpdates() { calls.append("end") }
  }

  @Test func `a data source of a table hears of what closures change`() throws {
    let table = Table()
    let source = FetchedDataSource(
      request: Car.sortedFetchRequest, context: context, table: table)
    #expect(source.numberOfItems(inSection: 0) == 3 && source.object(at: 0).name == "900")
    context.performAndWait { context.delete(source.object(at: 1)) }
    #expect(table.calls == ["begin", "delete 1", "end"] && source.objects.count == 2)
    table.calls = []
    try context.performAndWait {
      for price in 1...3 { Car(context: context).price = price }
      try context.save()
    }
    #expect(table.calls == ["begin", "insert 2", "insert 3", "insert 4", "end"])
  }

  @Test func `the fields of a form are one predicate`() throws {
    let fiat = Brand.firstOrCreate(with: ["name": "Fiat"], in: context)
    let cases: [(CarSearch, [String])] = [
      (CarSearch(), ["500", "900", "Panda"]), (CarSearch(text: "SAA"), ["900"]),
      (CarSearch(text: "a", prices: 8...9), ["Panda"]), (CarSearch(brand: fiat), ["500", "Panda"]),
      (CarSearch(names: ["500", "900"]), ["500", "900"]),
    ]
    for (search, expected) in cases {
      #expect(names(try context.fetchAll(Car.self, predicate: search.predicate)) == expected)
      for (other, _) in cases where other.text != search.text {
        #expect(search.predicate != other.predicate)
      }
      #expect(search.predicate == search.predicate)
    }
    let cheap = NSPredicate(format: "price < 10")
    let fiats = NSPredicate(format: "brand.name == 'Fiat'")
    #expect(names(try context.fetchAll(Car.self, predicate: !cheap && fiats)) == ["500"])
    #expect(names(try context.fetchAll(Car.self, predicate: cheap || !fiats)) == ["900", "Panda"])
  }

  @Test func `an alert names the objects that are not valid`() throws {
    _ = Brand(context: context)
    var error = try #require(stack.saveContext())
    #expect(ValidationAlert(error).messages == ["Brand.name is missing"])
    for _ in 0..<2 { _ = Brand(context: context) }
    error = try #require(stack.saveContext())
    #expect(ValidationAlert(error).messages == Array(repeating: "Brand.name is missing", count: 2))
  }

  @Test func `an observer gets the changes of one save at once`() throws {
    let request: NSFetchRequest<Car> = Car.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "price", ascending: true)]
    let observer = try ChangeObserver(request, context)
    var heard: [[Change]] = []
    observer.onChange = { changes, _ in heard.append(changes) }
    let new = (1...3).map { price -> Car in
      let car = Car(context: context)
      car.price = price
      return car
    }
    try context.save()
    #expect(heard == [[.insert(0), .insert(1), .insert(2)]])
    heard = []
    for price in [4, 5] { Car(context: context).price = price }
    context.processPendingChanges()
    new[0].price = 9
    try context.save()
    #expect(heard == [[.insert(3), .insert(4)], [.move(0, 5)]])
    #expect(observer.results.map(\.price) == [2, 3, 4, 5, 8, 9, 10, 20])
  }

  @Test func `a layer reads at once and writes in transactions`() async throws {
    let store = ContainerStore(stack.persistentContainer)
    #expect(store.read { (try? $0.fetchAll(Car.self).count) ?? 0 } == 3)
    try store.writeSync {
      try $0.batchDelete(Car.self, predicate: NSPredicate(format: "price = 8"))
    }
    #expect(throws: (any Error).self) {
      try store.writeSync { _ = Brand(context: $0) }
    }
    let error: Error? = await withCheckedContinuation { continuation in
      store.writeAsync({ Car.create(with: ["name": "Uno"], in: $0) }) {
        continuation.resume(returning: $0)
      }
    }
    #expect(error == nil)
    #expect(names(store.read { (try? $0.fetchAll(Car.self)) ?? [] }) == ["500", "900", "Uno"])
  }

  @Test func `a transient attribute is kept and makes changes, and nothing is written`() throws {
    let car = try #require(try context.fetchAll(Car.self).first { $0.name == "Panda" })
    car.speed = 50
    #expect(car.hasChanges && context.hasChanges && context.updatedObjects == [car])
    #expect(car.changedValues()["speed"] as? Int == 50)
    try context.save()
    #expect(!context.hasChanges && car.speed == 50)
    let other = stack.newDerivedContext()
    #expect((try other.existingObject(with: car.objectID) as? Car)?.speed == 0)
    car.speed = 60
    context.undo()
    #expect(car.speed == 50 && !context.hasChanges)
    context.redo()
    #expect(car.speed == 60)
    context.refresh(car, mergeChanges: false)
    #expect(car.speed == 0 && !car.hasChanges)
  }
}
