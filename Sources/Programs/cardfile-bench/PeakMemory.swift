import Foundation
import Glibc

/// The peak of the process's resident memory, as Linux reports it.
enum PeakMemory {
  /// The goal for a list of a number of rows, in megabytes: 60 up to a million rows, 200 beyond.
  static func goal(rows: Int) -> Double { rows <= 1_000_000 ? 60 : 200 }

  /// Gives freed memory back to the system, so that what ran before is not counted.
  static func trim() {
    // Glibc's module does not declare it.
    guard let trim = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
  }

  /// Sets the peak to the current size.
  static func reset() {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  /// The peak since the last reset, in megabytes; nil if the system does not report it.
  static var megabytes: Double? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = Double(line.filter(\.isNumber))
    else { return nil }
    return kilobytes / 1024
  }
}
