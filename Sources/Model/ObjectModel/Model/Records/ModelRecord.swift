/// The JSON of a model; nil stands for the default value.
///
/// Version 1 had no details of Core Data models; all keys that version 2 added are optional.
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
  /// The collection; nil if it is empty.
  var nonEmpty: Self? { isEmpty ? nil : self }
}

extension Bool {
  /// True; nil if it is false.
  var ifTrue: Bool? { self ? true : nil }
}
