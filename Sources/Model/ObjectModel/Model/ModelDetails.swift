/// What only a Core Data model specifies for the whole model.
public struct ModelDetails: Hashable, Sendable {
  /// The configurations: names of entities by configuration name.
  public var configurations: [String: [String]]
  /// The fetch request templates, by name.
  public var fetchRequestTemplates: [String: FetchRequestTemplate]
  /// The version identifiers of the model, sorted.
  public var versionIdentifiers: [String]

  /// Creates details.
  public init(
    configurations: [String: [String]] = [:],
    fetchRequestTemplates: [String: FetchRequestTemplate] = [:], versionIdentifiers: [String] = []
  ) {
    self.configurations = configurations
    self.fetchRequestTemplates = fetchRequestTemplates
    self.versionIdentifiers = versionIdentifiers
  }
}
