import ManagedObjects
import ModelFiles
import ObjectModel

extension Failure {
  init(_ error: StoreError) {
    self.init(ExitStatus(error.reason), error.description)
  }

  init(_ error: ModelFileError) {
    self.init(ExitStatus(error.reason), error.description)
  }

  init(_ error: ManagedObjectError) {
    self.init(.refused, error.description)
  }
}

extension Error {
  /// The error; that of a lock with the advice to read a copy.
  var offeringCopy: any Error {
    guard var error = self as? StoreError, error.reason == .locked else { return self }
    error.remedy = "--copy reads it as it was, or close the other program"
    return error
  }
}

extension ExitStatus {
  /// The exit status for an error of a store.
  init(_ reason: StoreError.Reason) {
    self =
      switch reason {
      case .notFound, .notAFile, .notADatabase, .permissionDenied, .locked, .corrupt, .disk,
        .replaced, .unreachable, .other:
        .unreadable
      case .unknownName, .unsupported: .usage
      case .readOnly, .conflict, .keyTaken, .constraint, .cancelled: .refused
      }
  }

  /// The exit status for an error of a model file.
  init(_ reason: ModelFileError.Reason) {
    self =
      switch reason {
      case .unreadable, .malformed, .tooLarge, .unsupported, .incomplete: .unreadable
      case .unknownVersion: .usage
      }
  }
}
