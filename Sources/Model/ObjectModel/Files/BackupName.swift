package import Foundation

/// The name of a copy of a store, beside it.
package enum BackupName {
  /// `Photos.backup-20240131-181500.sqlite`, and names for others of the same second.
  package static func names(of store: String, _ date: Date) -> some Sequence<String> {
    let url = URL(fileURLWithPath: store)
    let stem = url.deletingPathExtension().lastPathComponent + ".backup-" + stamp(date)
    let ending = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
    return (1...99).lazy.map { stem + ($0 == 1 ? "" : "-\($0)") + ending }
  }

  private static func stamp(_ date: Date) -> String {
    var seconds = time_t(date.timeIntervalSince1970)
    var parts = tm()
    localtime_r(&seconds, &parts)
    var characters = [CChar](repeating: 0, count: 32)
    let count = strftime(&characters, characters.count, "%Y%m%d-%H%M%S", &parts)
    return String(decoding: characters.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
