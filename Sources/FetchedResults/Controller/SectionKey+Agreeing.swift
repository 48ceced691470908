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

  /// Reads a key path with a transform after a colon where wanted; all of it is the key path when there is no such transform.
  init(keyPathAndTransform text: String) { self = SectionKey(text) ?? SectionKey(text, .value) }

  /// The inverse of ``init(keyPathAndTransform:)``.
  var keyPathAndTransform: String {
    transform == .value ? keyPath : "\(keyPath):\(transform.rawValue)"
  }
}
