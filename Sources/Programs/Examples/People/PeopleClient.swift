import Cardfile

/// What is known of a service of people: they are sorted by name there.
final class PeopleClient: RESTClient {
  override func capabilities(of entity: EntityDescription) -> RESTCapabilities {
    [.writing, .order]
  }
}
