import Foundation
import GRDB
import ObjectModel
import SQLQueries
import SQLiteStore
import TestSupport

/// A database in its own temporary directory, which is deleted with this object.
final class TemporaryDatabase: Sendable {
  private let temporaryFolder: TemporaryFolder
  let path: String

  /// Creates a database by running statements; without statements no file is created.
  init(_ statements: String = "", name: String = "test.sqlite") throws {
    temporaryFolder = try TemporaryFolder()
    path = temporaryFolder.path(name)
    if !statements.isEmpty { try run(statements) }
  }

  var folder: URL { temporaryFolder.url }

  /// Runs statements on a separate connection, as another program would; it waits while a store
  /// that is observed looks at the database.
  func run(_ statements: String) throws {
    let queue = try connect(busyTimeout: 5)
    try queue.writeWithoutTransaction { try $0.execute(sql: statements) }
    try queue.close()
  }

  /// Opens a separate connection, as another program would.
  func connect(busyTimeout: Double = 0) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(busyTimeout)
    configuration.allowsUnsafeTransactions = true
    configuration.acceptsDoubleQuotedStringLiterals = true
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Opens the database as a store.
  func open(_ options: SQLiteStore.Options = SQLiteStore.Options(busyTimeout: 1)) throws(StoreError)
    -> SQLiteStore
  {
    try SQLiteStore.open(path: path, options: options)
  }

  /// The names of the files in the directory, sorted.
  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }
}

extension ManagedObjectModel {
  /// The model as text, with one line per entity and property.
  var picture: String {
    entities.map(\.picture).joined(separator: "\n")
  }
}

extension EntityDescription {
  /// The entity as text, with one line per property.
  var picture: String {
    var lines = [
      name + (keyAttributes.isEmpty ? "" : " key " + keyAttributes.joined(separator: ","))
        + (readOnlyReason.map { " (\($0))" } ?? "")
    ]
    for attribute in attributes {
      var words = "  \(attribute.name): \(attribute.type)"
      if attribute.encoding != .native { words += " \(attribute.encoding)" }
      if !attribute.isOptional { words += " required" }
      if attribute.isReadOnly { words += " read-only" }
      if !attribute.defaultValue.isNull { words += " = \(attribute.defaultValue)" }
      lines.append(words)
    }
    for relationship in relationships {
      lines.append(
        "  \(relationship.name) \(relationship.isToMany ? "->>" : "->") "
          + relationship.destinationEntityName + " <- \(relationship.inverseName ?? "none") "
          + "\(relationship.deleteRule)" + (relationship.isOptional ? "" : " required")
          + (relationship.isOrdered ? " ordered" : ""))
    }
    for constraint in uniquenessConstraints {
      lines.append("  unique \(constraint.joined(separator: ","))")
    }
    return lines.joined(separator: "\n")
  }
}
