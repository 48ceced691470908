import Cardfile

extension MODVD {
  static func insert(
    _ title: String, of owner: MOPerson, bought date: Date, into context: ManagedObjectContext
  ) throws -> MODVD {
    let dvd = try MODVD.insert(into: context)
    (dvd.title, dvd.purchaseDate, dvd.owner) = (title, date, owner)
    return dvd
  }
}
