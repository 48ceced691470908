import CoreDataNames
import Foundation

// The classes of the programs' model. The programs beside them are written in the manner of public
// ones, for Core Data in Swift 5, but for the import.

final class Brand: NSManagedObject, EntityClass {
  var name: String {
    get { value(forKey: "name") as? String ?? "" }
    set { setValue(newValue, forKey: "name") }
  }
  var cars: Set<Car> {
    get { value(forKey: "cars") as? Set<Car> ?? [] }
    set { setValue(newValue, forKey: "cars") }
  }
}

final class Car: NSManagedObject, EntityClass {
  var name: String? {
    get { value(forKey: "name") as? String }
    set { setValue(newValue, forKey: "name") }
  }
  var price: Int {
    get { value(forKey: "price") as? Int ?? 0 }
    set { setValue(newValue, forKey: "price") }
  }
  var isOld: Bool {
    get { value(forKey: "isOld") as? Bool ?? false }
    set { setValue(newValue, forKey: "isOld") }
  }
  var built: Date? {
    get { value(forKey: "built") as? Date }
    set { setValue(newValue, forKey: "built") }
  }
  var brand: Brand? {
    get { value(forKey: "brand") as? Brand }
    set { setValue(newValue, forKey: "brand") }
  }
  /// Transient.
  var speed: Int {
    get { value(forKey: "speed") as? Int ?? 0 }
    set { setValue(newValue, forKey: "speed") }
  }
}

let garageModel = NSManagedObjectModel {
  Entity("Brand") {
    Attribute("name", .string, isOptional: false)
    ToMany("cars", "Car", inverse: "brand", deleteRule: .cascade)
  }
  Entity("Car") {
    Attribute("name", .string)
    Attribute("price", .integer64, isOptional: false, default: 0)
    Attribute("isOld", .boolean)
    Attribute("built", .date)
    Attribute("speed", .integer16, isTransient: true)
    ToOne("brand", "Brand", inverse: "cars")
  }
}
