public import Foundation
public import ManagedObjects
import ObjectModel

/// The code of an error that a validation of an object's own class has thrown.
public let NSManagedObjectValidationError = 1550
/// The code of an error with several ones in `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError = 1560
/// The code of an error about a required value that is missing.
public let NSValidationMissingMandatoryPropertyError = 1570
/// The code of an error about a relationship with too few objects.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// The code of an error about a relationship with too many objects.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// The code of an error about a deletion that a delete rule denies.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// The code of an error about a save that changes what the store has changed too.
public let NSManagedObjectMergeError = 133_020
/// The code of an error about a save that breaks a uniqueness constraint.
public let NSManagedObjectConstraintMergeError = 133_021
/// The code of any other error.
public let NSCoreDataError = 134_060

/// The key of the errors of one with the code `NSValidationMultipleErrorsError`.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The key of the property that a validation error is about.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The key of the object that a validation error is about: its `NSManagedObjectID` here, because an
/// object does not leave its isolation domain in an error.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"

/// The key of the conflicts of a save: an array of `NSMergeConflict` or `NSConstraintConflict`.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"

extension ContextConflict {
  /// The version of the row that was read; 0 if it was not read.
  public var oldVersionNumber: Int { Int(truncatingIfNeeded: oldVersion ?? 0) }

  /// The version of the row in the store; 0 if it was deleted there.
  public var newVersionNumber: Int { Int(truncatingIfNeeded: newVersion ?? 0) }
}

extension ManagedObjectError: CustomNSError, LocalizedError {
  /// Cocoa's.
  public static var errorDomain: String { NSCocoaErrorDomain }

  /// Core Data's code.
  public var errorCode: Int {
    switch reason {
    case .validation, .denied:
      switch problems.count {
      case 0: NSManagedObjectValidationError
      case 1: problems[0].code.rawValue
      default: NSValidationMultipleErrorsError
      }
    case .conflict: NSManagedObjectMergeError
    case .store where storeError?.reason == .constraint: NSManagedObjectConstraintMergeError
    default: NSCoreDataError
    }
  }

  /// The message; the property and the object, or the several errors.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: description]
    if !mergeConflicts.isEmpty {
      info[NSPersistentStoreSaveConflictsErrorKey] = mergeConflicts
    } else if !constraintConflicts.isEmpty {
      info[NSPersistentStoreSaveConflictsErrorKey] = constraintConflicts
    }
    if problems.count == 1 {
      info[NSValidationKeyErrorKey] = problems[0].key
      info[NSValidationObjectErrorKey] = problems[0].objectID
    } else if !problems.isEmpty {
      info[NSDetailedErrorsKey] = problems.map { problem in
        var single = self
        single.problems = [problem]
        return single as NSError
      }
    }
    return info
  }

  /// The message.
  public var errorDescription: String? { description }
}
