import ManagedObjects
import ObjectModel

/// Counting the rows of a windowed list, and those before the held ones.
extension ResultsController {
  /// A count that is under way.
  struct WindowCount {
    let read: BackgroundRead<(all: Int, before: Int?)>
    /// The first held row; nil if those before it are not counted.
    let first: ObjectID?
    let changeNumber: Int
  }

  func startCounting() {
    guard let window, part != nil, windowCount == nil, wake != nil, !isSuspended,
      !window.countsNothing, !window.isCounted || window.offset == nil
    else { return }
    let first = window.offset == nil ? unchangedIDs(fromEnd: false).first : nil
    // Before an unsaved object there are rows that are not counted.
    let id = first == results?.ids.first && !managedObjectContext.hasChanges ? first : nil
    if window.isCounted, id == nil { return }
    let reader = window.reader
    windowCount = WindowCount(
      read: BackgroundRead(
        FetchControl(timeLimit: ListWindow.countLimit), isUrgent: false, wake: wake ?? {}
      ) { try reader.counts(before: id, $0) }, first: id, changeNumber: changeNumber)
  }

  func takeCount() -> Bool {
    guard let windowCount, let result = windowCount.read.take() else { return false }
    self.windowCount = nil
    guard window != nil, windowCount.changeNumber == changeNumber else {
      startCounting()
      return false
    }
    guard case .success(let counts) = result else {
      // It takes too long: the estimate stays.
      window?.countsNothing = true
      return false
    }
    window?.storedCount = counts.all
    window?.isCounted = true
    if let before = counts.before, windowCount.first == results?.ids.first,
      window?.open.contains(.start) == true
    {
      window?.offset = before
    } else {
      startCounting()
    }
    return true
  }

  /// Notes that what was read and counted may be wrong.
  func windowIsOutdated(_ event: ContextEvent) {
    switch event {
    case .willSave: return
    case .changed: break
    case .didSave, .refreshed, .reset:
      window?.isCounted = false
      window?.areSectionsCurrent = false
    }
    changeNumber += 1
    if open.contains(.start) { window?.offset = nil }
  }
}
