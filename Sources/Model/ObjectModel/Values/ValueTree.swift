package import Foundation

/// A node in the tree of what a value holds: a member of a JSON text, of a property list, of an
/// archive, a field of a message.
///
/// Members are made when they are asked for, so a tree whose parts are shared, or that contains
/// itself, costs what is looked at.
package struct ValueTree: Sendable {
  /// What a node is.
  package enum Content: Sendable {
    /// A text.
    case text(String)
    /// Bytes.
    case bytes(Data)
    /// Any other value, as text: a number, `true`, a date.
    case plain(String)
    /// A node with members: its name or class, the number of members, and what makes them.
    case members(String, count: Int, @Sendable () -> [ValueTree])
  }

  /// The key or the index in the parent; empty for the root.
  package let label: String
  /// The value.
  package let content: Content

  /// Creates a node.
  package init(_ label: String, _ content: Content) {
    self.label = label
    self.content = content
  }

  /// The members in order; empty for a node without any.
  ///
  /// - Complexity: O(*n*) in the number of members, each time.
  package var members: [ValueTree] {
    if case .members(_, _, let make) = content { make() } else { [] }
  }

  /// Whether the node can have members.
  package var isContainer: Bool { if case .members = content { true } else { false } }

  /// The value in one line: text in quotes, bytes by their number, a container by its size.
  package var summary: String {
    switch content {
    case .text(let text): "\"\(text.prefix(500))\""
    case .bytes(let data): data.count == 1 ? "1 byte" : "\(data.count) bytes"
    case .plain(let text): text
    case .members(let name, let count, _):
      name + (name.isEmpty ? "" : ", ") + (count == 1 ? "1 member" : "\(count) members")
    }
  }
}
