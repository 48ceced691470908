import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore

/// The store of `cardfile demo`, created when it is first opened.
enum DemoStore {
  /// The entity to show first.
  static let firstEntity = "Color"

  /// Returns the path of the store, creating it if it does not exist.
  static func file() throws -> String {
    let folder = UserDirectory.data.folder.appendingPathComponent("demo")
    let file = folder.appendingPathComponent("demo.sqlite")
    if FileManager.default.fileExists(atPath: file.path) { return file.path }
    do {
      let open = try OpenFolder(making: folder.path)
      open.removeAbandonedDrafts()
      // Created in a folder of its own, so that an interrupted run leaves no incomplete demo store.
      let draft = try Draft(folderIn: open)
      try fill(draft.path + "/demo.sqlite")
      // Another program that was started at the same time may use its own by now.
      if FileManager.default.fileExists(atPath: file.path) { return file.path }
      try draft.contents.move(file.lastPathComponent, to: open)
    } catch let error as FileError {
      throw Failure(
        .refused, "the demo store cannot be created in \(folder.path): \(error)",
        try: "XDG_DATA_HOME=FOLDER cardfile demo")
    }
    return file.path
  }

  private static func fill(_ path: String) throws {
    let store = try SQLiteStore.create(path: path, model: DemoModel.model)
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    try insertColors(into: context)
    try insertPeople(into: context)
    try insertNotes(into: context)
    try insertMoments(into: context)
    try context.save()
  }

  private static func insertColors(into context: ManagedObjectContext) throws {
    for line in lines(DemoColors.text, fields: 2, lastIsText: false) {
      let color = try context.insert(entityName: "Color")
      color["name"] = .string(line[0])
      color["hex"] = .string(line[1])
    }
  }

  private static func insertPeople(into context: ManagedObjectContext) throws {
    var people: [String: ManagedObject] = [:]
    var genres: [String: ManagedObject] = [:]
    var discs: [String: ManagedObject] = [:]
    for line in lines(DemoPeople.people, fields: 2) {
      let person = try context.insert(entityName: "Person")
      person["username"] = .string(line[0])
      person["name"] = .string(line[1])
      people[line[0]] = person
    }
    for line in lines(DemoPeople.discs, fields: 4) {
      let disc = try context.insert(entityName: "DVD")
      disc["title"] = .string(line[3])
      disc["purchaseDate"] = day(line[0])
      try disc.setObject(people[line[1]], forKey: "owner")
      let genre = try genres[line[2]] ?? context.insert(entityName: "Genre")
      genre["name"] = .string(line[2].replacing("-", with: " "))
      genres[line[2]] = genre
      try disc.setObject(genre, forKey: "genre")
      discs[line[3]] = disc
    }
    for line in lines(DemoPeople.loans, fields: 4) {
      let loan = try context.insert(entityName: "Loan")
      loan["lentOn"] = day(line[0])
      loan["returnedOn"] = day(line[1])
      try loan.setObject(people[line[2]], forKey: "borrower")
      try loan.setObject(discs[line[3]], forKey: "dvd")
    }
  }

  static func day(_ text: String) -> Value {
    ISODate(text).map { .date(Date(timeIntervalSince1970: $0.seconds)) } ?? .null
  }

  /// Splits each line into fields separated by spaces.
  ///
  /// The last field, or the first if `lastIsText` is false, may contain spaces itself.
  private static func lines(_ text: String, fields: Int, lastIsText: Bool = true) -> [[String]] {
    text.split(separator: "\n").map { line in
      let words = line.split(separator: " ").map(String.init)
      let rest = words.count - fields + 1
      return lastIsText
        ? words.prefix(fields - 1) + [words.suffix(rest).joined(separator: " ")]
        : [words.prefix(rest).joined(separator: " ")] + words.suffix(fields - 1)
    }
  }
}
