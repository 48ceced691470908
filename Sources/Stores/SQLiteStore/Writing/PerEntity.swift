/// Contents by the names of entities, of which the one that was asked for last is found at once:
/// most consecutive changes are of one entity.
struct PerEntity<Content> {
  private var contents: [String: Content] = [:]
  private var last: (name: String, content: Content)?

  /// The content of an entity; nil if it has none.
  subscript(name: String) -> Content? {
    mutating get {
      if let last, last.name == name { return last.content }
      guard let content = contents[name] else { return nil }
      last = (name, content)
      return content
    }
    set {
      contents[name] = newValue
      last = newValue.map { (name, $0) }
    }
  }
}
