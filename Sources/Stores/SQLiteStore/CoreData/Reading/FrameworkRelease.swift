/// The system releases that versions of the persistence framework came with: core-data-stores 2.
enum FrameworkRelease {
  /// The release of a version.
  ///
  /// - Parameter version: The value of NSPersistenceFrameworkVersion.
  /// - Returns: The release, as `macOS 14, iOS 17`; nil for versions before Mac OS X 10.4.
  static func words(for version: Int) -> String? {
    guard let place = releases.lastIndex(where: { $0.from <= version }) else { return nil }
    return releases[place].words
  }

  /// The first version of each release.
  ///
  /// Versions in between belong to updates of the earlier release.
  private static let releases: [(from: Int, words: String)] = [
    (1, "Mac OS X 10.4"),
    (185, "Mac OS X 10.5"),
    (230, "Mac OS X 10.6, iOS 3"),
    (310, "Mac OS X 10.6, iOS 4"),
    (358, "Mac OS X 10.7, iOS 5"),
    (407, "OS X 10.8, iOS 6"),
    (479, "OS X 10.9, iOS 7"),
    (510, "OS X 10.10, iOS 8"),
    (620, "OS X 10.11, iOS 9"),
    (740, "macOS 10.12, iOS 10"),
    (840, "macOS 10.13, iOS 11"),
    (860, "macOS 10.14, iOS 12"),
    (960, "macOS 10.15, iOS 13"),
    (1040, "macOS 11, iOS 14"),
    (1140, "macOS 12, iOS 15"),
    (1240, "macOS 13, iOS 16"),
    (1330, "macOS 14, iOS 17"),
    (1400, "macOS 15, iOS 18"),
    (1500, "macOS 26, iOS 26"),
    (1600, "a release after macOS 26"),
  ]
}
