public import ObjectModel

extension FetchRequest {
  /// Makes the request that a template describes; its variables are not replaced.
  ///
  /// - Parameter template: The template, of a model or a fetched property.
  /// - Throws: `FetchPredicateError` if its predicate cannot be parsed.
  public init(_ template: FetchRequestTemplate) throws(FetchPredicateError) {
    var predicate: FetchPredicate?
    if let format = template.predicate { predicate = try FetchPredicate(format: format) }
    self.init(
      entityName: template.entityName, predicate: predicate,
      sortDescriptors: template.sortDescriptors.map {
        FetchSortDescriptor($0.keyPath, ascending: $0.isAscending)
      })
    fetchLimit = template.fetchLimit
  }
}

extension ManagedObjectContext {
  /// The request of a fetch request template of the model, with values for its variables.
  ///
  /// A template is what a model file calls a fetch request; the predicate of one is
  /// `title BEGINSWITH[c] $START`, for example.
  ///
  /// - Parameters:
  ///   - name: The name of the template.
  ///   - variables: The values by name, without `$`. A variable without a value stays, and fetching
  ///     the request is an error.
  /// - Returns: The request; setting its properties does not change the template.
  /// - Throws: ``ManagedObjectError`` if the model has no such template; `FetchPredicateError` if its
  ///   predicate cannot be parsed.
  public func fetchRequest(
    fromTemplate name: String, substituting variables: [String: any PredicateArgument] = [:]
  ) throws -> FetchRequest<ManagedObject> {
    let templates = model.details.fetchRequestTemplates
    guard let template = templates[name] else {
      throw ManagedObjectError.unknownKey(
        name, among: templates.keys.sorted(), doing: "making a fetch request",
        detail: "the model has no fetch request template of that name")
    }
    var request = try FetchRequest<ManagedObject>(template)
    request.predicate = request.predicate?.withSubstitutionVariables(variables)
    return request
  }
}
