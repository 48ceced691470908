import HeapModule
import ObjectModel

/// Decides which texts may be among the first *n* in the order of their folded forms.
///
/// A heap keeps the first *n* of the texts so far. A text that comes after all of them is not among
/// the first.
final class FirstTexts {
  /// A folded text in a bounded heap.
  private struct Entry: Comparable {
    let bytes: [UInt8]
    let isDescending: Bool

    static func < (left: Entry, right: Entry) -> Bool {
      let order = ByteOrder.compare(left.bytes, right.bytes)
      return left.isDescending ? order > 0 : order < 0
    }
  }

  private let limit: Int
  private let isDescending: Bool
  private let options: TextFolding.Options
  /// Whether an ASCII letter is folded by itself, unless a combining mark may follow.
  private let foldsLetters: Bool
  // They are looked at for each row, by what calls nothing that leads back to them.
  @exclusivity(unchecked) private var kept = Heap<Entry>()
  @exclusivity(unchecked) private var rejected = RejectedTexts()
  /// The last of the kept texts, if there are as many as the limit.
  ///
  /// An array would be retained for each row.
  @exclusivity(unchecked) private var last = GrowingBuffer<UInt8>(capacity: 64)
  /// The initial of the last of the kept texts, if it is a letter of ASCII; else 0.
  @exclusivity(unchecked) private var lastInitial: UInt8 = 0

  init(limit: Int, options: TextFolding.Options, isDescending: Bool) {
    self.limit = limit
    self.options = options
    self.isDescending = isDescending
    foldsLetters = options.contains(.case) && !options.contains(.numeric)
  }

  /// Whether there are as many kept texts as the limit.
  private var isFull: Bool { kept.count == limit }

  /// Adds a text.
  ///
  /// - Parameter text: Its UTF-8 bytes.
  /// - Returns: Whether the text may be among the first: fewer than the limit come before it so
  ///   far.
  func admits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // What comes after the last of the kept ones once does so for good.
    if isInitialAfterLast(text) || rejected.contains(text) { return false }
    if isFull, comesAfterLast(text) { return false }
    let isAdmitted = withUnsafeTemporaryAllocation(
      of: UInt8.self, capacity: TextFolding.capacity(for: text.count)
    ) { buffer in
      let count = TextFolding.fold(text, options, to: buffer)
      return admits(folded: UnsafeBufferPointer(rebasing: buffer[..<count]))
    }
    if !isAdmitted { rejected.insert(text) }
    return isAdmitted
  }

  private func admits(folded: UnsafeBufferPointer<UInt8>) -> Bool {
    guard isFull else {
      kept.insert(Entry(bytes: Array(folded), isDescending: isDescending))
      if isFull { noteLast() }
      return true
    }
    let order = ByteOrder.compare(
      UnsafeRawBufferPointer(folded), UnsafeRawBufferPointer(start: last.start, count: last.count))
    guard order != 0 else { return true }
    guard (order < 0) != isDescending else { return false }
    kept.replaceMax(with: Entry(bytes: Array(folded), isDescending: isDescending))
    noteLast()
    return true
  }

  private func noteLast() {
    guard let bytes = kept.max?.bytes else { return }
    last.removeAll()
    bytes.withUnsafeBufferPointer { last.append($0) }
    lastInitial = bytes.first.flatMap { $0 &- 97 < 26 ? $0 : nil } ?? 0
  }

  /// Whether the initial of a text alone shows that it comes after the last of the kept ones, as it
  /// does for most texts.
  private func isInitialAfterLast(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard lastInitial != 0, let first = text.first, foldsLetters,
      text.count == 1 || text[1] < 0x80
    else { return false }
    let letter = first | 0x20
    return letter &- 97 < 26 && letter != lastInitial && (letter > lastInitial) != isDescending
  }

  /// Whether the first ASCII letters of a text show that it comes after the last of the kept ones.
  private func comesAfterLast(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard foldsLetters else { return false }
    for index in 0..<min(text.count, last.count) {
      let letter = text[index] | 0x20
      guard letter &- 97 < 26, index + 1 == text.count || text[index + 1] < 0x80 else {
        return false
      }
      if letter != last[index] { return (letter > last[index]) != isDescending }
    }
    return false
  }
}
