import Foundation
import ManagedObjects
import ObjectModel
import RowOutput

/// Objects as text to copy: values in full, as JSON as `cardfile fetch` prints them.
struct ObjectText {
  let session: Session

  /// The whole value of a property as text; empty for NULL.
  func text(_ property: DetailContents.Property, of object: ManagedObject) throws -> String {
    switch property {
    case .attribute(let name): return try text(of: object.wholeValue(forKey: name))
    case .relationship(let name):
      let isToMany = object.entity.relationship(named: name)?.isToMany ?? false
      let ids =
        isToMany
        ? object.objectIDs(forKey: name)
        : [object.objectID(forKey: name)]
          .compactMap(\.self)
      return ids.map { session.context.displayName(of: $0) }.joined(separator: "\n")
    case .identity("objectID"): return object.objectID.uriRepresentation
    case .identity("entity"): return object.entity.name
    case .identity: return identity(of: object)
    }
  }

  /// The value of a column of a list.
  func text(_ column: ListColumn, of object: ManagedObject) throws -> String {
    switch column.source {
    case .attribute(let attribute): try text(.attribute(attribute.name), of: object)
    case .toOne(let relationship): try text(.relationship(relationship.name), of: object)
    case .toMany(let relationship): "\(object.count(forKey: relationship.name))"
    case .object: session.context.displayName(of: object.objectID)
    }
  }

  private func text(of value: Value) -> String {
    if case .data = value { return value.plainText }
    return value.isNull ? "" : value.description
  }

  private func identity(of object: ManagedObject) -> String {
    let keys = object.entity.keyAttributes.map {
      "\($0)=\(text(of: object.truncatedValue(forKey: $0)))"
    }
    return ([object.entity.name] + keys).joined(separator: " ")
  }

  /// An object as one line of JSON: its attributes, and its to-one relationships as URIs.
  func json(of object: ManagedObject) throws -> String {
    let entity = object.entity
    let isCoreData = session.services.decodesValues
    let form = isCoreData ? ValueForm.logical : .stored
    let columns =
      isCoreData
      ? OutputColumn.whole(of: entity, relationships: false)
      : OutputColumn.all(of: entity, relationships: false)
    for attribute in entity.attributes where object.cutLength(forKey: attribute.name) != nil {
      // A long value that cannot be read is an error, not NULL.
      _ = try object.wholeValue(forKey: attribute.name)
    }
    let row = Self.row(of: object, columns: columns, form: form)
    var bytes = ByteBuffer()
    var writer = JSONWriter()
    try writer.write(row, to: &bytes)
    return String(decoding: bytes.bytes.dropLast(), as: UTF8.self)
  }
}

extension ObjectText {
  /// The row of an object with its unsaved changes.
  static func row(of object: ManagedObject, columns: [OutputColumn], form: ValueForm) -> OutputRow {
    var row = OutputRow()
    row.entityName = object.entity.name
    row.columns = columns
    row.fields = columns.map { column in
      switch column.kind {
      case .attribute(let attribute):
        form.field(object.storedValue(forKey: column.name), of: attribute)
      case .objectID: .object(object.objectID)
      case .entityName: .value(.string(object.entity.name))
      case .toOne: .object(object.objectID(forKey: column.name))
      case .toMany: .objects(object.objectIDs(forKey: column.name))
      }
    }
    return row
  }
}

/// Output that stays in memory.
nonisolated struct ByteBuffer: OutputSink {
  var bytes: [UInt8] = []
  mutating func flushIfLarge() {}
}
