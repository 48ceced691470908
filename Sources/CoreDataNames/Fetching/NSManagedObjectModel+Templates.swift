import Foundation
import ManagedObjects
public import ObjectModel

extension ManagedObjectModel {
  /// The fetch request template with a name, with its variables as they are in the model.
  ///
  /// Traps if its predicate cannot be parsed, where Core Data raises an exception.
  ///
  /// - Parameter name: The name.
  /// - Returns: A new request; nil if the model has no such template.
  public func fetchRequestTemplate(forName name: String) -> NSFetchRequest<
    any NSFetchRequestResult
  >? {
    fetchRequestFromTemplate(withName: name, substitutionVariables: [:])
  }

  /// The request of a fetch request template, with values for its variables.
  ///
  /// Traps as ``fetchRequestTemplate(forName:)`` does, and if a value cannot be compared.
  ///
  /// - Parameters:
  ///   - name: The name of the template.
  ///   - variables: The values by name, without `$`. Fetching a request with a variable that has no
  ///     value is an error.
  /// - Returns: A new request; nil if the model has no such template.
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let template = details.fetchRequestTemplates[name] else { return nil }
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: template.entityName)
    if let format = template.predicate {
      do {
        let predicate = try FetchPredicate(format: format)
        request.predicate = FormatPredicate(
          predicate.withSubstitutionVariables(variables.mapValues(predicateArgument)))
      } catch {
        preconditionFailure("The predicate of the template '\(name)' is not valid: \(error)")
      }
    }
    request.sortDescriptors = template.sortDescriptors.map {
      NSSortDescriptor(key: $0.keyPath, ascending: $0.isAscending)
    }
    request.fetchLimit = template.fetchLimit
    return request
  }
}
