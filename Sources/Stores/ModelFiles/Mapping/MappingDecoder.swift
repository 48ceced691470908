package import Foundation
package import ObjectModel

/// Decodes a compiled mapping model (`.cdm`): the keyed archive of an NSMappingModel.
///
/// The archive is untrusted: all work is counted.
package struct MappingDecoder {
  private var budget = DecodingBudget()

  private init() {}

  /// Decodes a mapping model.
  ///
  /// - Parameter data: The bytes of the file.
  /// - Returns: The mapping model, with the version hashes of its entities.
  /// - Throws: ``ModelFileError`` if it is no mapping model, or has an expression that cannot be read.
  package static func model(of data: Data) throws(ModelFileError) -> MappingModel {
    guard let root = try KeyedArchive(data).root, root.className == "NSMappingModel" else {
      throw ModelFileError(.malformed, detail: "it is no archive of a mapping model")
    }
    var decoder = MappingDecoder()
    var mappings: [EntityMapping] = []
    for object in try decoder.budget.members(of: root["NSEntityMappings"]) {
      mappings.append(try decoder.entityMapping(object))
    }
    return MappingModel(mappings)
  }

  /// Decodes an archived expression, as Xcode's mapping models have them; the request of a fetch.
  package static func expression(of data: Data) throws(ModelFileError) -> FetchPredicate.Expression
  {
    guard let root = try KeyedArchive(data).root else {
      throw ModelFileError(.malformed, detail: "an expression is empty")
    }
    var budget = DecodingBudget()
    return try PredicateDecoder.mappingExpression(root["NSFRExpression"] ?? root, &budget)
  }

  private mutating func entityMapping(_ object: ArchivedObject) throws(ModelFileError)
    -> EntityMapping
  {
    let source = object["NSSourceEntityName"]?.string
    let isRemoved = object["NSMappingType"]?.integer == 3
    var mapping = EntityMapping(
      source, to: isRemoved ? nil : object["NSDestinationEntityName"]?.string,
      name: object["NSMappingName"]?.string,
      attributes: try properties(object["NSAttributeMappings"]),
      relationships: try properties(object["NSRelationshipMappings"]),
      policyName: object["NSEntityMigrationPolicyClassName"]?.string)
    mapping.sourceVersionHash = object["NSSourceEntityVersionHash"]?.data
    mapping.destinationVersionHash = object["NSDestinationEntityVersionHash"]?.data
    if let request = object["NSSourceExpression"] {
      let fetch = request["NSFRExpression"] ?? request
      try mapping.setSource(PredicateDecoder.mappingExpression(fetch, &budget))
    }
    return mapping
  }

  private mutating func properties(_ list: ArchivedObject?) throws(ModelFileError)
    -> [PropertyMapping]
  {
    var properties: [PropertyMapping] = []
    for object in try budget.members(of: list) {
      guard let name = object["NSDestinationPropertyName"]?.string,
        let value = object["NSValueExpression"]
      else { continue }
      do {
        properties.append(
          PropertyMapping(name, try PredicateDecoder.mappingExpression(value, &budget)))
      } catch {
        throw error.of(name)
      }
    }
    return properties
  }
}

extension ModelFileError {
  /// The error with the property that it is about.
  package func of(_ name: String) -> ModelFileError {
    var error = self
    error.detail = "\(name): \(detail)"
    return error
  }
}

extension EntityMapping {
  /// Takes the entity and the predicate of
  /// `FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", entity, predicate)`.
  ///
  /// - Throws: ``ModelFileError`` if it is another expression, or the predicate cannot be read.
  package mutating func setSource(_ expression: FetchPredicate.Expression) throws(ModelFileError) {
    guard
      case .function("fetchRequestForSourceEntityNamed:predicateString:", let arguments) =
        expression,
      arguments.count == 3, case .constant(.string(let entity)) = arguments[1],
      case .constant(let predicate) = arguments[2]
    else {
      throw ModelFileError(.unsupported, detail: "\(name) has a source that is no fetch by entity")
    }
    sourceEntityName = entity
    if case .string(let text) = predicate { try setPredicate(text) }
  }

  /// Takes the text of a predicate for the objects of the source.
  package mutating func setPredicate(_ text: String) throws(ModelFileError) {
    if text.isEmpty || text == "TRUEPREDICATE" { return }
    do throws(FetchPredicateError) { sourcePredicate = try FetchPredicate(format: text) } catch {
      throw ModelFileError(.unsupported, detail: "\(name): \(error)")
    }
  }
}
