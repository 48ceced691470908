/// The JSON of a model.
///
/// Version 1 says nothing of what compiled models have beside; all that version 2 adds may be missing.
struct ModelRecord: Codable {
  static let currentVersion = 2

  var version: Int
  var entities: [EntityRecord]
  var configurations: [String: [String]]?
  var fetchRequestTemplates: [String: FetchRequestRecord]?
  var versionIdentifiers: [String]?

  init(_ model: ManagedObjectModel) {
    version = Self.currentVersion
    entities = model.entities.map(EntityRecord.init)
    configurations = model.details.configurations.nonEmpty
    fetchRequestTemplates =
      model.details.fetchRequestTemplates.mapValues(FetchRequestRecord.init).nonEmpty
    versionIdentifiers = model.details.versionIdentifiers.nonEmpty
  }

  var details: ModelDetails {
    ModelDetails(
      configurations: configurations ?? [:],
      fetchRequestTemplates: (fetchRequestTemplates ?? [:]).mapValues(\.description),
      versionIdentifiers: versionIdentifiers ?? [])
  }
}

extension Collection {
  /// The collection; nil when it is empty.
  var nonEmpty: Self? { isEmpty ? nil : self }
}

extension Bool {
  /// True; nil when it is false.
  var ifTrue: Bool? { self ? true : nil }
}
