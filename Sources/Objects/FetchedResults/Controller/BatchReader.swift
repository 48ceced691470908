import ManagedObjects
import ObjectModel

/// Reads the rows of a list in batches.
struct BatchReader {
  let context: ManagedObjectContext
  /// How many rows are read at once.
  let batchSize: Int
  /// The relationships whose objects are read with the rows.
  let relationships: [String]

  /// The object at an index; if it is a fault, a batch of rows around it is read.
  func object<Object: ManagedObject>(at index: Int, of ids: ObjectIDList) -> Object {
    let object = context.object(with: ids[index])
    if object.isFault { prefetch(index - batchSize / 4..<index + batchSize, of: ids) }
    guard let object = object as? Object else {
      preconditionFailure(
        "\(ids[index].entityName) objects are \(type(of: object)), not \(Object.self).")
    }
    return object
  }

  /// Reads the rows of a range that are still faults, in one query, and the objects of their
  /// relationships.
  ///
  /// An error is left to the reading of a single row, which the context reports.
  func prefetch(_ range: Range<Int>, of ids: ObjectIDList) {
    let range = range.clamped(to: ids.indices)
    guard !relationships.isEmpty else {
      try? context.prefetch(ids[range])
      return
    }
    do {
      try context.prefetch(relationships: relationships, of: Array(ids[range]))
    } catch {
      // A relationship that does not exist is found by no other read.
      context.report(error)
    }
  }
}
