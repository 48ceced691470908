import ManagedObjects
import ObjectModel
import SQLiteStore

extension Workload {
  static let faults = Workload(
    name: "faults",
    meaning: "fire all faults in batches of 500; step the same columns",
    goal: .ratio(2.5)
  ) { setting in
    let store = try SQLiteStore.open(path: setting.path)
    let database = try RawDatabase(path: setting.path)
    return try Measurement(
      setting,
      ours: {
        let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
        let ids = try context.fetchIDs(FetchPlan(entityName: "people")).ids
        var letters = 0
        for start in stride(from: 0, to: ids.count, by: 500) {
          let batch = ids[start..<min(start + 500, ids.count)]
          try context.prefetch(batch)
          for id in batch {
            if case .string(let name) = context.object(with: id)["name"] {
              letters += name.utf8.count
            }
          }
        }
        consume(letters)
      },
      raw: {
        // Read all columns, as a fault does.
        let columns = PeopleDatabase.columns.joined(separator: ", ")
        let statement = try database.prepare("SELECT \(columns) FROM people ORDER BY id")
        var letters = 0
        while try statement.step() {
          for column in PeopleDatabase.columns.indices {
            letters += statement.text(at: Int32(column)).utf8.count
          }
        }
        consume(letters)
      })
  }

  static let save = Workload(
    name: "save",
    meaning: "insert and save 10,000 objects; the same INSERTs in one transaction",
    goal: .ratio(4)
  ) { setting in
    let store = try SQLiteStore.open(path: setting.path)
    let database = try RawDatabase(path: setting.path)
    var generator = SeededGenerator(seed: 7)
    let people = (0..<10_000).map { PeopleDatabase.person($0, &generator) }
    let attributes = store.model.entity(named: "people")?.attributes ?? []
    let values = people.map { person in
      zip(PeopleDatabase.columns, person).map { column, text in
        let stored = text.map(Value.string) ?? .null
        return attributes.first { $0.name == column }?.decode(stored) ?? stored
      }
    }
    let removal = "DELETE FROM people WHERE id > \(setting.rows)"
    return try Measurement(
      setting,
      ours: {
        let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
        for person in values {
          let object = try context.insert(entityName: "people")
          for (column, value) in zip(PeopleDatabase.columns, person) {
            try object.setValue(value, forKey: column)
          }
        }
        try context.save()
      },
      raw: {
        try database.execute("BEGIN IMMEDIATE")
        let columns = PeopleDatabase.columns.joined(separator: ", ")
        let statement = try database.prepare(
          "INSERT INTO people(\(columns)) VALUES (?, ?, ?, ?, ?, ?)")
        for person in people {
          for (index, text) in person.enumerated() { statement.bind(text, at: Int32(index + 1)) }
          _ = try statement.step()
          statement.reset()
        }
        try database.execute("COMMIT")
      },
      reset: { try database.execute(removal) })
  }

  static let update = Workload(
    name: "update",
    meaning: "read 10,000 objects, change a value of each and save; the same SELECT and UPDATEs",
    goal: .ratio(4)
  ) { setting in
    let store = try SQLiteStore.open(path: setting.path)
    let database = try RawDatabase(path: setting.path)
    let columns = PeopleDatabase.columns.joined(separator: ", ")
    return try Measurement(
      setting,
      ours: {
        let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
        var request = FetchRequest<ManagedObject>(entityName: "people")
        request.fetchLimit = 10_000
        for person in try context.fetch(request) {
          guard case .string(let name) = person["name"] else { continue }
          try person.setValue(.string(name + "x"), forKey: "name")
        }
        try context.save()
      },
      raw: {
        try database.execute("BEGIN IMMEDIATE")
        let selection = try database.prepare(
          "SELECT id, \(columns) FROM people ORDER BY id LIMIT 10000")
        var names: [(id: Int64, name: String)] = []
        while try selection.step() {
          var texts: [String] = []
          for column in PeopleDatabase.columns.indices {
            texts.append(selection.text(at: Int32(column + 1)))
          }
          names.append((selection.integer(at: 0), texts[0]))
        }
        let change = try database.prepare("UPDATE people SET name = ? WHERE id = ?")
        for (id, name) in names {
          change.bind(name + "x", at: 1)
          change.bind(id, at: 2)
          _ = try change.step()
          change.reset()
        }
        try database.execute("COMMIT")
      },
      reset: {
        try database.execute(
          "UPDATE people SET name = substr(name, 1, length(name) - 1) WHERE id <= 10000")
      })
  }
}
