public import ObjectModel

extension SectionKey {
  /// Sort descriptors that keep the sections of this key together.
  ///
  /// - Parameter descriptors: The preferred order.
  /// - Returns: The same if its first key path is the section key's, otherwise with a sort by the
  ///   section key before it. Sections by initial letter use a localized comparison, which sorts É
  ///   with E.
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
