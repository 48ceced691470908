import CoreDataNames
import Foundation

// 8. What a person is told about an error of a save.

struct ValidationAlert: Equatable {
  let messages: [String]

  init(_ anError: Error) {
    let error = anError as NSError
    guard error.domain == NSCocoaErrorDomain else {
      messages = [error.localizedDescription]
      return
    }
    var errors: [NSError] = []
    if error.code == NSValidationMultipleErrorsError {
      errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
    } else {
      errors = [error]
    }
    messages = errors.map { error in
      let property = error.userInfo[NSValidationKeyErrorKey] as? String ?? "?"
      let object = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
      let entity = object?.entity.name ?? "?"
      switch error.code {
      case NSValidationMissingMandatoryPropertyError: return "\(entity).\(property) is missing"
      case NSValidationRelationshipDeniedDeleteError: return "\(entity).\(property) denies"
      case NSValidationNumberTooLargeError, NSValidationNumberTooSmallError:
        return "\(entity).\(property) is out of range"
      case NSManagedObjectMergeError: return "changed by somebody else"
      case CocoaError.fileWriteNoPermission.rawValue: return "read-only"
      default: return "\(entity).\(property): \(error.code)"
      }
    }
  }
}
