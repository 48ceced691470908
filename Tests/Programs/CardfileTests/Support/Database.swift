import Foundation
import GRDB

/// Databases as another program sees them.
enum Database {
  static func write(_ path: String, _ sql: String) throws {
    var configuration = Configuration()
    // The program under test may be reading.
    configuration.busyMode = .timeout(10)
    try DatabaseQueue(path: path, configuration: configuration).writeWithoutTransaction {
      try $0.execute(sql: sql)
    }
  }

  static func rows(_ path: String, _ sql: String) throws -> [Row] {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: path, configuration: configuration).read {
      try Row.fetchAll($0, sql: sql)
    }
  }

  static func strings(_ path: String, _ sql: String) throws -> [String] {
    try rows(path, sql).map { String.fromDatabaseValue($0[0] as DatabaseValue) ?? "" }
  }

  /// A few people with pets and orders: a cascade, a SET NULL and a RESTRICT.
  static let people = """
    PRAGMA foreign_keys = ON;
    CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATE, height REAL, photo BLOB,
      manager_id INTEGER REFERENCES person(id) ON DELETE SET NULL);
    CREATE TABLE pet(id INTEGER PRIMARY KEY, name TEXT NOT NULL,
      owner_id INTEGER NOT NULL REFERENCES person(id) ON DELETE CASCADE);
    CREATE TABLE invoice(id INTEGER PRIMARY KEY, total REAL,
      person_id INTEGER NOT NULL REFERENCES person(id) ON DELETE RESTRICT);
    INSERT INTO person VALUES
      (1, 'Ana', '1980-05-01', 1.5, x'00ff', NULL), (2, 'Björn', '1975-12-31', 1.82, NULL, 1),
      (3, 'zoe', NULL, NULL, x'', 1), (4, 'Émile', '2001-02-03', 1e300, NULL, 2);
    INSERT INTO pet VALUES (1, 'Rex', 2), (2, 'Tom', 2), (3, 'Ada', 3);
    INSERT INTO invoice VALUES (1, 9.5, 4), (2, 0.1, 4);
    """
}
