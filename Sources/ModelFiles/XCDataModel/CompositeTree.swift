import ObjectModel

/// An entity's own attributes by the composite that they stand in.
struct CompositeTree {
  typealias Leaf = (attribute: AttributeDescription, isTransient: Bool)

  private let leaves: [String: [Leaf]]
  private let composites: [String: [CompositeAttributeDescription]]

  init(composites: [CompositeAttributeDescription], attributes: [Leaf]) {
    let composites = composites.filter { !$0.name.isEmpty }
    let names = Set(composites.map(\.name))
    leaves = Dictionary(grouping: attributes) { leaf in
      leaf.attribute.details.compositeName.flatMap { names.contains($0) ? $0 : nil } ?? ""
    }
    self.composites = Dictionary(grouping: composites) { composite in
      let parent = composite.name.lastIndex(of: ".").map { String(composite.name[..<$0]) }
      return parent.flatMap { names.contains($0) ? $0 : nil } ?? ""
    }
  }

  /// The attributes in a composite, or in none.
  func leaves(in path: String?) -> [Leaf] { leaves[path ?? ""] ?? [] }

  /// The composites in a composite, or in none.
  func composites(in path: String?) -> [CompositeAttributeDescription] {
    composites[path ?? ""] ?? []
  }

  /// Whether what is in a composite is in no store.
  func isTransient(_ path: String) -> Bool {
    leaves(in: path).contains { $0.isTransient }
      || composites(in: path).contains { isTransient($0.name) }
  }

  /// The name of an attribute in its composite.
  func ownName(_ path: String, in composite: String?) -> String {
    guard let composite, path.hasPrefix(composite + ".") else { return path }
    return String(path.dropFirst(composite.count + 1))
  }
}
