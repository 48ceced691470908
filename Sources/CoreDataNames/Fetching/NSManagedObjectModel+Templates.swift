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
    let described: FetchRequest<ManagedObject>
    do { described = try FetchRequest(template) } catch {
      preconditionFailure("The predicate of the template '\(name)' is not valid: \(error)")
    }
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: described.entityName)
    request.predicate = described.predicate.map {
      FormatPredicate($0.withSubstitutionVariables(variables.mapValues(predicateArgument)))
    }
    request.sortDescriptors = described.sortDescriptors.map(KeySortDescriptor.init)
    request.fetchLimit = described.fetchLimit
    return request
  }
}
