import ManagedObjects
import ObjectModel

extension ManagedObjectError {
  /// The error of a value whose type no attribute has.
  static func unknownType(
    of value: Any?, doing: String, subject: String, objectIDs: [ObjectID] = []
  ) -> ManagedObjectError {
    let kind = value.map { String(describing: type(of: $0)) } ?? "nil"
    return ManagedObjectError(
      .wrongType, doing: doing, subject: subject,
      detail: "it cannot have a value of the type \(kind)", objectIDs: objectIDs)
  }
}
