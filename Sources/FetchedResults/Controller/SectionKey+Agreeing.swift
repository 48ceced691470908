public import ObjectModel

extension SectionKey {
  /// Sort descriptors that keep the sections of this key together.
  ///
  /// - Parameter descriptors: The order that is wanted.
  /// - Returns: The same when its first key is the section's; else with a sort by the section's key before it. Sections
  ///   by the initial letter are compared in a person's order, since É stands with E.
  public func agreeing(_ descriptors: [FetchSortDescriptor]) -> [FetchSortDescriptor] {
    var descriptors = descriptors
    if descriptors.first?.keyPath != keyPath {
      descriptors.insert(FetchSortDescriptor(keyPath), at: 0)
    }
    if transform == .initial {
      switch descriptors[0].comparison {
      case .binary, .caseInsensitive: descriptors[0].comparison = .localized
      case .localized: break
      }
    }
    return descriptors
  }
}
