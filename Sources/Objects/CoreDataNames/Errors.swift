@_exported public import class CoreDataPredicates.NSPredicate
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
/// The code of an error about a number that is too large.
public let NSValidationNumberTooLargeError = 1610
/// The code of an error about a number that is too small.
public let NSValidationNumberTooSmallError = 1620
/// The code of an error about a date that is too late.
public let NSValidationDateTooLateError = 1630
/// The code of an error about a date that is too early.
public let NSValidationDateTooSoonError = 1640
/// The code of an error about a date that breaks another rule.
public let NSValidationInvalidDateError = 1650
/// The code of an error about a text that is too long.
public let NSValidationStringTooLongError = 1660
/// The code of an error about a text that is too short.
public let NSValidationStringTooShortError = 1670
/// The code of an error about a text that does not match a pattern, or breaks another rule.
public let NSValidationStringPatternMatchingError = 1680
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
/// The key of the object that a validation error is about.
///
/// There is none in an error that has left the isolation domain of the object, as that of an
/// asynchronous `performBackgroundTask`; use the object only in that domain.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The key of the value that is not valid.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The key of the rule of the model that a value breaks, an `NSPredicate`.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The key of the objects that an error is about, an array.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"

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
      case 1: problems[0].errorCode
      default: NSValidationMultipleErrorsError
      }
    case .conflict: NSManagedObjectMergeError
    case .readOnly: CocoaError.fileWriteNoPermission.rawValue
    case .store:
      switch storeError?.reason {
      case .constraint: NSManagedObjectConstraintMergeError
      case .readOnly: CocoaError.fileWriteNoPermission.rawValue
      default: NSCoreDataError
      }
    default: NSCoreDataError
    }
  }

  /// The message; the object, property, value and rule of the only problem, or the several errors;
  /// the conflicts, and the objects.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: description]
    if !mergeConflicts.isEmpty {
      info[NSPersistentStoreSaveConflictsErrorKey] = mergeConflicts
    } else if !constraintConflicts.isEmpty {
      info[NSPersistentStoreSaveConflictsErrorKey] = constraintConflicts
    }
    let affected = objectIDs.compactMap(object)
    if !affected.isEmpty { info[NSAffectedObjectsErrorKey] = affected }
    if problems.count == 1 {
      info[NSValidationKeyErrorKey] = problems[0].key
      info[NSValidationObjectErrorKey] = object(problems[0].objectID)
      info[NSValidationValueErrorKey] = problems[0].value.any
      info[NSValidationPredicateErrorKey] = problems[0].predicate.map(NSPredicate.init)
    } else if !problems.isEmpty {
      info[NSDetailedErrorsKey] = problems.map { problem in
        var single = self
        single.problems = [problem]
        single.objectIDs = [problem.objectID]
        return single as NSError
      }
    }
    return info
  }

  /// The message.
  public var errorDescription: String? { description }
}

extension ManagedObjectError.Problem {
  /// The rule that the value breaks.
  fileprivate var predicate: FetchPredicate? {
    rule.isEmpty ? nil : try? FetchPredicate(format: rule)
  }

  /// Core Data's code, of a rule by the kind of the value and the bound that it exceeds.
  fileprivate var errorCode: Int {
    guard code == .rule else { return code.rawValue }
    let bound = predicate?.bound
    switch value {
    case .string:
      switch bound {
      case .upper: return NSValidationStringTooLongError
      case .lower: return NSValidationStringTooShortError
      case nil: return NSValidationStringPatternMatchingError
      }
    case .date:
      switch bound {
      case .upper: return NSValidationDateTooLateError
      case .lower: return NSValidationDateTooSoonError
      case nil: return NSValidationInvalidDateError
      }
    default: return bound == .lower ? NSValidationNumberTooSmallError : code.rawValue
    }
  }
}

extension FetchPredicate {
  fileprivate enum Bound { case lower, upper }

  /// Which bound of a value the predicate is; nil if it sets no bound.
  fileprivate var bound: Bound? {
    guard case .comparison(let comparison) = node else { return nil }
    switch comparison.operation {
    case .less, .lessOrEqual: return .upper
    case .greater, .greaterOrEqual: return .lower
    default: return nil
    }
  }
}

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
