import ManagedObjects
import ObjectModel

/// Which rows of a list are held.
package enum ListExtent: Hashable, Sendable {
  /// All, or those that are looked at if the store says that the list is too long.
  case automatic
  /// All.
  case whole
  /// Those that are looked at, read so many at a time.
  case window(Int)
}

/// The rows of a long list that are held: those around what is looked at.
struct ListWindow {
  let reader: WindowReader
  /// How many rows are read at a time.
  let readCount: Int
  /// At which ends there may be rows that are not held.
  var open: OpenEnds = []
  /// How many rows there are before the first held one; nil if that is not known.
  var offset: Int?
  /// How many rows the store has, without unsaved changes: an estimate, or counted; nil if that is not
  /// known.
  var storedCount: Int?
  var isCounted = false
  /// Whether counting takes too long.
  var countsNothing = false
  /// The sections, as they were looked up; nil if they are not known.
  var sections: [LookedUpSection]?
  /// Whether they were looked up, or are being looked up, after the last change of the store.
  var areSectionsCurrent = false
  /// Whether there are too many of them, or it takes too long to look them up.
  var looksNoSectionsUp = false

  /// How many rows are held at most.
  var mostHeld: Int { 4 * readCount }
  /// How many rows beyond those that are shown are held at least.
  var margin: Int { readCount / 2 }
  /// How many rows a whole list would be read at a time.
  static let readCount = 1_000
  /// How long a count may take, in seconds.
  static let countLimit = 5.0
}
