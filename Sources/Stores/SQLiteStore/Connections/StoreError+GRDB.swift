import GRDB
import ObjectModel

extension StoreError {
  /// Creates a store error for an error of GRDB or SQLite; a ``StoreError`` stays as it is.
  init(_ error: any Error, doing: String, subject: String) {
    switch error {
    case let error as StoreError:
      self = error
    case let error as FileError:
      self = DatabaseFile.systemError(error.code, path: subject, doing: doing)
      if error.path != subject { detail = "\(error.path): \(error)" }
    case let error as DatabaseError:
      self.init(
        sqlite: error.extendedResultCode.rawValue, connection: nil, doing: doing, subject: subject,
        sql: error.sql ?? "")
      // GRDB takes the message of a connection, which may not know of the error.
      if let message = error.message, message != "not an error",
        ![.constraint, .locked, .replaced].contains(reason)
      {
        detail = message
      }
    default:
      self.init(.other, doing: doing, subject: subject, detail: String(describing: error))
    }
  }
}
