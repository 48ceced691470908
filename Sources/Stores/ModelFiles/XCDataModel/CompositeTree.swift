import ObjectModel

/// An entity's attributes and composites, grouped by the composite that contains them.
struct CompositeTree {
  typealias Leaf = (attribute: AttributeDescription, isTransient: Bool)

  private let leaves: [String: [Leaf]]
  private let composites: [String: [CompositeAttributeDescription]]

  init(composites: [CompositeAttributeDescription], attributes: [Leaf]) {
    var composites = composites.filter { !$0.name.isEmpty }
    var names = Set(composites.map(\.name))
    // A model made in code may name composites only in their leaves.
    for leaf in attributes {
      for name in Self.composites(of: leaf.attribute) where names.insert(name).inserted {
        composites.append(CompositeAttributeDescription(name))
      }
    }
    leaves = Dictionary(grouping: attributes) { leaf in
      leaf.attribute.details.compositeName.flatMap { names.contains($0) ? $0 : nil } ?? ""
    }
    self.composites = Dictionary(grouping: composites) { composite in
      let parent = composite.name.lastIndex(of: ".").map { String(composite.name[..<$0]) }
      return parent.flatMap { names.contains($0) ? $0 : nil } ?? ""
    }
  }

  /// The composites that contain an attribute, the outermost first.
  private static func composites(of leaf: AttributeDescription) -> [String] {
    guard let name = leaf.details.compositeName, leaf.name.hasPrefix(name + ".") else { return [] }
    let steps = name.split(separator: ".", omittingEmptySubsequences: false)
    guard !steps.contains("") else { return [] }
    return steps.indices.map { steps[...$0].joined(separator: ".") }
  }

  /// The attributes in a composite; with nil those outside of any.
  func leaves(in path: String?) -> [Leaf] { leaves[path ?? ""] ?? [] }

  /// The composites in a composite; with nil the outermost ones.
  func composites(in path: String?) -> [CompositeAttributeDescription] {
    composites[path ?? ""] ?? []
  }

  /// Whether a composite is transient: one of its leaf attributes is.
  func isTransient(_ path: String) -> Bool {
    leaves(in: path).contains { $0.isTransient }
      || composites(in: path).contains { isTransient($0.name) }
  }

  /// The name of an attribute within its composite: its key path without the composite's.
  func ownName(_ path: String, in composite: String?) -> String {
    guard let composite, path.hasPrefix(composite + ".") else { return path }
    return String(path.dropFirst(composite.count + 1))
  }
}
