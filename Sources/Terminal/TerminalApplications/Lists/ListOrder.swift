public import ObjectModel

/// An order that a ``ListScreen`` offers with `s`.
public struct ListOrder: Hashable, Sendable {
  /// The name in the menu and in the first line.
  public var title: String
  /// The order of the objects.
  package var sortDescriptors: [FetchSortDescriptor]
  /// What sections are made by; nil for no sections.
  package var sectionKey: SectionKey?

  /// Creates an order.
  public init(
    _ title: String, _ sortDescriptors: FetchSortDescriptor..., sectionKey: SectionKey? = nil
  ) {
    self.title = title
    self.sortDescriptors = sortDescriptors
    self.sectionKey = sectionKey
  }
}
