import CSQLite
import ObjectModel

/// An upper bound of the texts among the first rows, by which most rows are left out before they
/// are given to Swift: see text_bound.c.
///
/// It moves towards the start, so that a text that is excluded once is excluded for good. Without
/// one the first of 300,000 rows took 42 ms instead of 29, and its checks in Swift took a fifth of
/// the time for the first of a million.
final class TextBound {
  let known: UnsafeMutablePointer<cs_text_bound>
  private let isDescending: Bool
  /// The letter of each code point; nil if texts do not begin with folded letters.
  private let letters: [UInt8]?
  private var last: UInt8?

  /// Creates a bound that excludes nothing.
  ///
  /// - Parameters:
  ///   - column: The column of the texts.
  ///   - folding: How they are folded; nil for not at all.
  ///   - isDescending: Whether texts are excluded that are less than the bound.
  init(column: Int32, folding: TextFolding.Options?, isDescending: Bool) {
    known = .allocate(capacity: 1)
    known.initialize(to: cs_text_bound())
    known.pointee.column = column
    self.isDescending = isDescending
    letters = folding.flatMap {
      $0.contains(.case) && !$0.contains(.numeric) ? TextFolding.initials($0) : nil
    }
  }

  deinit { known.deallocate() }

  /// Moves the bound.
  ///
  /// - Parameter initial: The first byte of the last row's folded text; nil if that is empty or the
  ///   row has another value.
  func move(to initial: UInt8?) {
    guard let letters, let initial, initial != last else { return }
    last = initial
    withUnsafeMutableBytes(of: &known.pointee.initials) { excluded in
      for (code, letter) in letters.enumerated()
      where letter != 0 && letter != initial && (letter > initial) != isDescending {
        excluded[code] = 1
      }
    }
  }

  /// Notes a text that comes after the bound; other values have no effect.
  func exclude(_ value: UnsafePointer<cs_value>) { cs_exclude(known, value) }
}
