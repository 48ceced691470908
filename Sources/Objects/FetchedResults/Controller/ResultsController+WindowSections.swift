import ManagedObjects
import ObjectModel

/// Looking up all sections of a windowed list for its index strip, in the background.
extension ResultsController {
  /// The most sections that are looked up, and how long that may take in seconds.
  private static var mostSections: Int { 2_000 }
  private static var sectionTimeLimit: Double { 3 }

  /// The sections that have been looked up, and the index of the first held one among them; nil if
  /// they are not known, or the held ones are others by now.
  package var lookedUpSections: (all: [LookedUpSection], firstHeld: Int)? {
    guard isWindowed, let all = window?.sections, let held = results?.names,
      let first = all.firstIndex(where: { $0.name == held.first }),
      all[first...].lazy.map(\.name).starts(with: held)
    else { return nil }
    return (all, first)
  }

  /// Looks the sections up, unless that was done since the last change of the store, or there are
  /// too many.
  package func lookSectionsUp() {
    guard let window, results?.isSectioned == true, let wake, !isSuspended,
      sectionRead == nil, !window.areSectionsCurrent, !window.looksNoSectionsUp,
      let read = sectionReading(limit: Self.mostSections)
    else { return }
    self.window?.areSectionsCurrent = true
    sectionRead = BackgroundRead(
      FetchControl(timeLimit: Self.sectionTimeLimit), isUrgent: false, wake: wake, read)
  }

  /// Takes the sections; of too many, or if it takes too long, the strip has those of the held
  /// rows.
  ///
  /// - Returns: Whether there are any.
  func takeSections() -> Bool {
    guard let result = sectionRead?.take() else { return false }
    sectionRead = nil
    switch result {
    case .success(let found?):
      window?.sections = found
      return window != nil
    case .failure(let error) where error.storeError?.reason != .cancelled:
      // It is tried again after the next change.
      return false
    case .success(nil), .failure:
      window?.looksNoSectionsUp = true
      return false
    }
  }

  /// Stops looking them up; the next drawing begins again, if the list is still shown.
  func cancelSections() {
    guard let sectionRead else { return }
    sectionRead.control.cancel()
    self.sectionRead = nil
    window?.areSectionsCurrent = false
  }
}
