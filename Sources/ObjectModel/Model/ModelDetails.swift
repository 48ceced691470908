/// What a compiled model says of itself as a whole.
public struct ModelDetails: Hashable, Sendable {
  /// The names of entities by the name of the configuration they belong to.
  public var configurations: [String: [String]]
  /// Fetches by their names.
  public var fetchRequestTemplates: [String: FetchRequestTemplate]
  /// The programmer's names for this version of the model, sorted.
  public var versionIdentifiers: [String]

  /// Describes details.
  ///
  /// - Parameters:
  ///   - configurations: The names of entities by configuration.
  ///   - fetchRequestTemplates: Fetches by name.
  ///   - versionIdentifiers: Names for this version.
  public init(
    configurations: [String: [String]] = [:],
    fetchRequestTemplates: [String: FetchRequestTemplate] = [:], versionIdentifiers: [String] = []
  ) {
    self.configurations = configurations
    self.fetchRequestTemplates = fetchRequestTemplates
    self.versionIdentifiers = versionIdentifiers
  }
}
