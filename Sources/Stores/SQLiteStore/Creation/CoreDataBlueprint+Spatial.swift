import Foundation
import ObjectModel

extension CoreDataBlueprint {
  /// The key in a transient attribute's user info whose value names two coordinate attributes.
  private static let componentsKey = "_NSLocationAttributeDerivedComponents"

  /// Adds R-tree tables, and the triggers that update them: core-data-stores 4.5.
  ///
  /// There is one for each index with R-tree elements, and for each transient attribute that names
  /// its coordinates.
  mutating func addSpatialIndexes(of entity: EntityDescription) {
    for index in entity.details.fetchIndexes {
      guard !index.elements.isEmpty, index.elements.allSatisfy({ $0.kind == .rTree }) else {
        continue
      }
      addSpatialIndex(index.name, on: index.elements.map(\.property), of: entity)
    }
    for attribute in model.own(\.details.transientAttributes, by: \.name, of: entity) {
      guard let names = attribute.details.property.userInfo[Self.componentsKey] else { continue }
      addSpatialIndex(
        attribute.name,
        on: names.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) },
        of: entity)
    }
  }

  /// Adds an R-tree table, if each of its 1 to 5 coordinates has a column.
  private mutating func addSpatialIndex(
    _ name: String, on coordinates: [String], of entity: EntityDescription
  ) {
    let columns = coordinates.compactMap { column(of: $0, in: entity.name) }
    guard (1...5).contains(columns.count), columns.count == coordinates.count else { return }
    let table = CoreDataTable.identifier(naming.tableName(of: entity.name))
    let plain = "Z_RT_\(entity.name)_\(name)"
    guard indexNames.insert(plain.lowercased()).inserted else { return }
    let index = CoreDataTable.identifier(plain)
    let ends = columns.flatMap { ["\($0)_MIN", "\($0)_MAX"] }.map(CoreDataTable.identifier)
    let values = columns.map(CoreDataTable.identifier).flatMap { ["NEW.\($0)", "NEW.\($0)"] }
    let insertion =
      "INTO \(index) (Z_PK, \(ends.joined(separator: ", "))) "
      + "VALUES (NEW.Z_PK, \(values.joined(separator: ", ")))"
    func trigger(_ event: String, _ body: String) -> String {
      "CREATE TRIGGER \(CoreDataTable.identifier("\(plain)_\(event)")) AFTER \(event) ON \(table)"
        + " FOR EACH ROW BEGIN \(body) ; END"
    }
    additions += [
      "CREATE VIRTUAL TABLE \(index) USING RTREE (Z_PK INTEGER PRIMARY KEY, "
        + ends.map { "\($0) FLOAT" }.joined(separator: ", ") + ")",
      trigger("INSERT", "INSERT OR REPLACE \(insertion)"),
      trigger("UPDATE", "DELETE FROM \(index) WHERE Z_PK = NEW.Z_PK ; INSERT \(insertion)"),
      trigger("DELETE", "DELETE FROM \(index) WHERE Z_PK = OLD.Z_PK"),
    ]
  }
}
