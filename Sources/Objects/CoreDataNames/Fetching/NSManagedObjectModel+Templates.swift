@_exported public import class CoreDataPredicates.NSPredicate
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
      NSPredicate($0).withSubstitutionVariables(variables)
    }
    request.sortDescriptors = described.sortDescriptors.map(KeySortDescriptor.init)
    request.fetchLimit = described.fetchLimit
    return request
  }

  /// Sets the fetch request template with a name.
  ///
  /// A model is a value: set its templates in a variable before a container is made of it. As in
  /// Core Data, the model of a container does not change.
  ///
  /// Traps if the request has no entity, has a block as predicate or a Swift key path in its order,
  /// or has a property that changes its results and that no template has, such as `fetchOffset`.
  /// How objects are read, such as `fetchBatchSize`, is not part of a template.
  ///
  /// - Parameters:
  ///   - fetchRequestTemplate: The request as it is now, possibly with variables in its predicate;
  ///     nil removes the template.
  ///   - name: The name.
  public mutating func setFetchRequestTemplate(
    _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
  ) {
    var details = details
    do {
      details.fetchRequestTemplates[name] = try fetchRequestTemplate?.settings.template()
    } catch {
      preconditionFailure("The template '\(name)' cannot be set: \(error)")
    }
    self = ManagedObjectModel(entities: entities, details: details)
  }
}

extension NSFetchRequestSettings {
  /// The request as a template.
  ///
  /// - Throws: `ManagedObjectError` if it cannot be translated, or would fetch something else.
  fileprivate func template() throws -> FetchRequestTemplate {
    let request = try value()
    let isLost = [
      "fetchOffset": fetchOffset != 0, "includesSubentities": !includesSubentities,
      "includesPendingChanges": !includesPendingChanges,
      "resultType": resultType != .managedObjectResultType,
      "propertiesToFetch": propertiesToFetch != nil,
      "propertiesToGroupBy": propertiesToGroupBy != nil,
      "havingPredicate": havingPredicate != nil,
      "returnsDistinctResults": returnsDistinctResults,
      "selector of a sort descriptor": request.sortDescriptors.contains {
        $0.comparison != .binary
      },
    ]
    let lost = isLost.filter(\.value).keys.sorted()
    guard lost.isEmpty else {
      throw ManagedObjectError(
        .unsupported, doing: "making a fetch request template", subject: request.entityName,
        detail: "a template has no \(lost.joined(separator: ", no "))",
        remedy: "set it in the request that is made from the template")
    }
    return FetchRequestTemplate(
      request.entityName, predicate: request.predicate?.description,
      sortDescriptors: request.sortDescriptors.map {
        FetchRequestTemplate.SortKey($0.keyPath, isAscending: $0.ascending)
      }, fetchLimit: request.fetchLimit)
  }
}
