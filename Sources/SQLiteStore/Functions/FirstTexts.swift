import Foundation
import ObjectModel

/// The first so many of the texts that come, by their folded forms: it tells which texts are surely not among them.
///
/// A heap whose root is the last of those that are kept.
final class FirstTexts {
  private let limit: Int
  private let isDescending: Bool
  private let options: TextFolding.Options
  private var kept: [[UInt8]] = []

  init(limit: Int, options: TextFolding.Options, isDescending: Bool) {
    self.limit = limit
    self.options = options
    self.isDescending = isDescending
  }

  /// Takes a text.
  ///
  /// - Parameter text: Its UTF-8 bytes.
  /// - Returns: False when so many have come before that go before it; such a text is not among the first.
  func admits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if kept.count == limit, goesAfterLast(text) { return false }
    return withUnsafeTemporaryAllocation(
      of: UInt8.self, capacity: TextFolding.capacity(for: text.count)
    ) { buffer in
      let count = TextFolding.fold(text, options, to: buffer)
      return admits(folded: UnsafeBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private func admits(folded: UnsafeBufferPointer<UInt8>) -> Bool {
    guard kept.count == limit else {
      kept.append(Array(folded))
      siftUp()
      return true
    }
    let order = kept[0].withUnsafeBufferPointer { compare(folded, $0) }
    if order < 0 {
      kept[0] = Array(folded)
      siftDown()
    }
    return order <= 0
  }

  /// Whether a text is seen to go after the last of those kept by the letters that it begins with.
  ///
  /// Letters of ASCII are folded one by one where no accent may follow.
  private func goesAfterLast(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard options.contains(.case), !options.contains(.numeric) else { return false }
    return kept[0].withUnsafeBufferPointer { last in
      for place in 0..<min(text.count, last.count) {
        let letter = text[place] | 0x20
        guard letter &- 97 < 26, place + 1 == text.count || text[place + 1] < 0x80 else {
          return false
        }
        if letter != last[place] { return (letter > last[place]) != isDescending }
      }
      return false
    }
  }

  /// Negative when a folded text goes before another, positive when it goes after it.
  private func compare(
    _ text: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let length = min(text.count, other.count)
    var order = 0
    if length > 0, let base = text.baseAddress, let otherBase = other.baseAddress {
      order = Int(memcmp(base, otherBase, length))
    }
    if order == 0 { order = text.count - other.count }
    return isDescending ? -order : order
  }

  private func goesBefore(_ place: Int, _ other: Int) -> Bool {
    kept[place].withUnsafeBufferPointer { text in
      kept[other].withUnsafeBufferPointer { compare(text, $0) < 0 }
    }
  }

  private func siftUp() {
    var place = kept.count - 1
    while place > 0, goesBefore((place - 1) / 2, place) {
      kept.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private func siftDown() {
    var place = 0
    while true {
      let children = [2 * place + 1, 2 * place + 2].filter { $0 < kept.count }
      guard let last = children.max(by: goesBefore), goesBefore(place, last) else { return }
      kept.swapAt(place, last)
      place = last
    }
  }
}
