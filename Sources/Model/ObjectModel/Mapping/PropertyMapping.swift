/// How a property of a new object gets its value: Core Data's `NSPropertyMapping`.
public struct PropertyMapping: Sendable {
  enum Content: Sendable {
    case expression(FetchPredicate.Expression)
    case value(@Sendable (MigrationSource) throws -> Value)
    case objects(@Sendable (MigrationSource, MigrationManager) throws -> [MigrationDestination])
  }

  /// The property of the new object.
  public let name: String
  let content: Content

  /// Makes an attribute's value.
  public init(_ name: String, value: @escaping @Sendable (MigrationSource) throws -> Value) {
    (self.name, content) = (name, .value(value))
  }

  /// Makes a relationship's objects, as ``MigrationManager/destinationInstances(of:mapping:)`` finds
  /// them.
  public init(
    _ name: String,
    objects:
      @escaping @Sendable (MigrationSource, MigrationManager) throws ->
      [MigrationDestination]
  ) { (self.name, content) = (name, .objects(objects)) }

  /// Takes the value of an attribute of the source.
  ///
  /// - Parameters:
  ///   - name: The property of the new object.
  ///   - key: The attribute.
  public init(_ name: String, copying key: String) {
    self.init(name, .variable(MigrationManager.sourceVariable, [key]))
  }

  /// Takes the objects that those of a relationship of the source have become.
  ///
  /// - Parameters:
  ///   - name: The property of the new object.
  ///   - relationship: The relationship of the source.
  ///   - mapping: The name of the mapping that made them; nil for all.
  public init(_ name: String, following relationship: String, mapping: String? = nil) {
    let function: MigrationManager.Function = mapping == nil ? .relationship : .mapping
    self.init(
      name,
      .function(
        function.rawValue,
        [
          .variable(MigrationManager.managerVariable, []),
          .constant(.string(mapping ?? relationship)),
          .variable(MigrationManager.sourceVariable, [relationship]),
        ]))
  }

  /// Takes what a key path from the source leads to: a value, or what objects have become.
  package init(_ name: String, keyPath: [String]) {
    self.init(name, .variable(MigrationManager.sourceVariable, keyPath))
  }

  /// Evaluates an expression with the variables of Core Data's mapping models: `$source`,
  /// `$manager`.
  package init(_ name: String, _ expression: FetchPredicate.Expression) {
    (self.name, content) = (name, .expression(expression))
  }

  /// The attribute of the source whose value is taken as it is; nil if another one is made.
  var copiedKey: String? {
    guard case .expression(.variable(MigrationManager.sourceVariable, let keys)) = content,
      keys.count == 1
    else { return nil }
    return keys[0]
  }
}
