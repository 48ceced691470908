import GRDBSQLite
import ObjectModel

extension SaveTransaction {
  /// Puts an object in.
  func insert(_ change: RowChange) throws(StoreError) {
    let scope = try scope(change.id.entityName)
    var columns = try self.columns(of: change, in: scope)
    if let id = permanentIDs[change.id], case .rowid(let name) = scope.table.key,
      case .integer(let key) = id.key
    {
      columns.removeAll { $0.name == name }
      columns.insert((name, .integer(key)), at: 0)
    }
    if coreData != nil {
      columns += try ownColumns(of: change, besides: Set(columns.map(\.name)), in: scope)
    } else if let column = scope.table.entityColumn, let mark = column.marks[scope.entity.name] {
      columns.append((column.name, mark))
    }
    let keyNames = scope.table.keyColumnNames
    let sql = insertion(of: columns.map(\.name), into: scope).binding(columns.map(\.value))
    let key = try naming(change.id) { () throws(StoreError) in
      try statements.row(sql, columns: keyNames.count)
    }
    guard
      let key,
      let id = ObjectID(
        storeIdentifier: storeIdentifier, entityName: change.id.entityName, keyValues: key,
        isRowid: scope.table.hasRowid)
    else {
      throw StoreError(
        .constraint, doing: request.phrase, subject: change.id.phrase,
        detail: "its key (\(keyNames.joined(separator: ", "))) must have a value",
        objectIDs: [change.id])
    }
    permanentIDs[change.id] = id
    coreData?.noteInserted(id)
  }

  /// The statement that puts in a row, its values not yet bound.
  private func insertion(of columns: [String], into scope: QueryScope) -> SQL {
    let known = insertions[scope.entity.name] ?? []
    if let same = known.first(where: { $0.columns == columns }) { return same.sql }
    let values =
      columns.isEmpty
      ? SQL.raw(" DEFAULT VALUES")
      : columns.map(SQL.name).joined(", ").inParentheses + .raw(" VALUES ")
        + .list(columns.map { _ in .null })
    let sql =
      .raw("INSERT INTO ") + SQL.name(scope.table.name) + .raw(" ") + values + .raw(" RETURNING ")
      + scope.table.keyColumnNames.map(SQL.name).joined(", ")
    insertions[scope.entity.name] = known.suffix(7) + [(columns, sql)]
    return sql
  }

  /// Changes an object's columns, only those that the change names.
  func update(_ change: RowChange) throws(StoreError) {
    let scope = try scope(change.id.entityName)
    let columns = try columns(of: change, in: scope)
    guard !columns.isEmpty else { return }
    for name in scope.table.keyColumnNames where columns.contains(where: { $0.name == name }) {
      throw StoreError(
        .unsupported, doing: request.phrase, subject: change.id.phrase,
        detail: "\(name) is part of its key, which stays as long as the object is there",
        remedy: "make a new object and delete this one", objectIDs: [change.id])
    }
    try naming(change.id) { () throws(StoreError) in
      try set(columns, of: change.id)
    }
    if sqlite3_changes(connection.handle) == 0 {
      throw StoreError(SaveDifference(deleted: [change.id]), doing: request.phrase)
    }
    coreData?.note(
      change.id, Set(change.values.keys).union(change.toOne.keys))
  }

  /// Writes columns of an object's row, and counts the change where rows are counted.
  func set(_ columns: [(name: String, value: Value)], of id: ObjectID) throws(StoreError) {
    let scope = try scope(id.entityName)
    var assignments = columns.map { SQL.name($0.name) + .raw(" = ") + .value($0.value) }
    if let counting = coreData?.counting(id) { assignments.append(counting) }
    guard !assignments.isEmpty else { return }
    try statements.run(
      .raw("UPDATE ") + SQL.name(scope.table.name) + .raw(" SET ") + assignments.joined(", ")
        + .raw(" WHERE ") + (try identity(id)))
    coreData?.noteCounted(id)
  }

  /// Takes an object out.
  ///
  /// One that the database's own cascade took before is gone as it should be.
  func delete(_ deletion: RowDeletion) throws(StoreError) {
    let scope = try scope(deletion.id.entityName)
    let sql =
      .raw("DELETE FROM ") + SQL.name(scope.table.name) + .raw(" WHERE ")
      + (try identity(deletion.id))
    try naming(deletion.id) { () throws(StoreError) in try statements.run(sql) }
    if sqlite3_changes(connection.handle) == 0 { untouched.append(deletion.id) }
  }

  /// The columns that a change writes, each once.
  private func columns(of change: RowChange, in scope: QueryScope) throws(StoreError)
    -> [(name: String, value: Value)]
  {
    let names = scope.table.columns
    var values = [Value?](repeating: nil, count: names.count)
    var others: [String: Value] = [:]
    for (name, value) in change.values {
      guard let place = scope.entity.attributeIndex(name), place < names.count else {
        throw StoreError(
          .unknownName, doing: request.phrase, subject: change.id.phrase,
          detail: "there is no attribute \"\(name)\" in \(scope.entity.name)")
      }
      let attribute = scope.entity.attributes[place]
      guard !attribute.isReadOnly else { continue }
      values[place] = value
      if attribute.encoding == .externalData, let externalFiles {
        values[place] = try externalFiles.stored(value, old: change.otherColumns[names[place]])
      }
    }
    for (name, destination) in change.toOne {
      guard let toOne = scope.table.toOne[name] else {
        throw StoreError(
          .unknownName, doing: request.phrase, subject: change.id.phrase,
          detail: "there is no to-one relationship \"\(name)\" in \(scope.entity.name)")
      }
      if toOne.isInverse { continue }  // the other end writes it
      let referenced: [Value]
      if let destination {
        referenced = try self.values(
          ofColumns: toOne.referenced, of: destination, referredToBy: change.id)
      } else {
        referenced = toOne.columns.map { _ in .null }
      }
      for (column, value) in try companions(of: toOne, destination, referenced, change, in: scope) {
        others[column] = value
      }
      for (column, value) in zip(toOne.columns, referenced) {
        if let place = names.firstIndex(of: column) {
          values[place] = value
        } else {
          others[column] = value
        }
      }
    }
    // In one order, so that rows with the same columns share a statement.
    var columns: [(name: String, value: Value)] = []
    columns.reserveCapacity(change.values.count + others.count + 2)
    for (name, value) in zip(names, values) {
      if let value { columns.append((name, value)) }
    }
    for (name, value) in others.sorted(by: { $0.key < $1.key }) { columns.append((name, value)) }
    return columns
  }

  /// What stands in columns of an object that another refers to.
  func values(ofColumns names: [String], of id: ObjectID, referredToBy source: ObjectID)
    throws(StoreError) -> [Value]
  {
    let scope = try scope(id.entityName)
    if let stored = storedID(id) {
      let key: [Value] =
        switch stored.key {
        case .integer(let number): [.integer(number)]
        case .composite(let values): values
        case .temporary: []
        }
      let known = Dictionary(
        zip(scope.table.keyColumnNames, key), uniquingKeysWith: { first, _ in first })
      let values = names.compactMap { known[$0] }
      if values.count == names.count { return values }
      // The rowid may be meant by another of its names.
      if names.count == 1, key.count == 1, scope.table.hasRowid,
        scope.isRowidAlias(names[0])
      {
        return key
      }
    }
    if let change = request.inserted.first(where: { $0.id == id }) {
      let values = names.compactMap { scope.value(ofColumn: $0, in: change) }
      if values.count == names.count { return values }
    }
    if let stored = storedID(id) {
      let sql =
        .raw("SELECT ") + names.map(SQL.name).joined(", ") + .raw(" FROM ")
        + .name(scope.table.name) + .raw(" WHERE ") + (try identity(stored))
      if let row = try statements.row(sql, columns: names.count) { return row }
    }
    // Not there yet: tried again when it has been put in, refused when it never is.
    throw StoreError(
      .constraint, doing: request.phrase, subject: source.phrase,
      detail: "it refers to \(id.phrase), which is not there", objectIDs: [source, id])
  }

  /// What SQLite says of columns, in the names of Core Data's properties; of a plain database as it is.
  private func inModelWords(_ text: String, of id: ObjectID) throws(StoreError) -> String {
    guard coreData != nil else { return text }
    let scope = try scope(id.entityName)
    var columns = Array(zip(scope.table.columns, scope.entity.attributes.map(\.name)))
    columns += scope.table.toOne.flatMap { name, toOne in toOne.columns.map { ($0, name) } }
    // A longer name first, which may begin with a shorter one.
    return columns.sorted { $0.0.count > $1.0.count }.reduce(text) { text, pair in
      text.replacing("\(scope.table.name).\(pair.0)", with: pair.1)
    }
  }

  /// Runs a statement for an object, which an error of a rule then names.
  private func naming<Result>(_ id: ObjectID, _ body: () throws(StoreError) -> Result)
    throws(StoreError) -> Result
  {
    do {
      return try body()
    } catch {
      guard error.reason == .constraint else { throw error }
      var named = error
      named.detail = try inModelWords(error.detail, of: id)
      named.subject = id.phrase
      named.objectIDs = [id]
      throw named
    }
  }
}

extension QueryScope {
  /// Whether a name is SQLite's own name of the rowid, taken by no column.
  fileprivate func isRowidAlias(_ name: String) -> Bool {
    ["rowid", "_rowid_", "oid"].contains(name.lowercased())
      && !table.columns.contains { $0.lowercased() == name.lowercased() }
  }
}
