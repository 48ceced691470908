import CardfileApp
import Foundation
import ObjectModel
import SQLiteStore

/// Finds the databases to offer, and completes paths.
struct StoreFinder {
  /// The most files of a folder that are looked at.
  private static let limit = 5000

  let recent: RecentStores
  var folder = FileManager.default.currentDirectoryPath

  /// The databases that were opened before and still exist, then the others in the folder by name.
  var choices: [StoreChoice] {
    let recent = recent.paths.compactMap { choice($0, .recent) }
    let known = Set(recent.map(\.path))
    let names = names(in: folder).sorted { $0.localizedStandardCompare($1) == .orderedAscending }
    let here = names.compactMap { name -> StoreChoice? in
      let path = URL(fileURLWithPath: folder).appendingPathComponent(name)
      // A store that was opened before is not offered twice.
      guard !known.contains(path.resolvingSymlinksInPath().path) else { return nil }
      return choice(path.path, .here)
    }
    return recent + here
  }

  private func choice(_ path: String, _ group: StoreChoice.Group) -> StoreChoice? {
    guard let kind = StoreFileKind(path: path) else { return nil }
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return StoreChoice(
      path: path, group: group, kind: kind.name, byteCount: kind.byteCount,
      folder: parent == folder ? "" : HomeFolder.abbreviated(parent))
  }

  /// The names in a folder; without those that begin with a dot.
  private func names(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Array(names.filter { !$0.hasPrefix(".") }.prefix(Self.limit))
  }

  /// The paths that begin with a typed one: folders, with a slash at the end, and files.
  func completions(of typed: String) -> [String] {
    let slash = typed.lastIndex(of: "/")
    let start = slash.map { String(typed[...$0]) } ?? ""
    let beginning = slash.map { String(typed[typed.index(after: $0)...]) } ?? typed
    let parent = HomeFolder.expanded(start.isEmpty ? folder : start)
    let all = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    let hidden = beginning.hasPrefix(".")
    return all.filter { $0.hasPrefix(".") == hidden && $0.hasPrefix(beginning) }
      .sorted().prefix(Self.limit).map { name in
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: parent + "/" + name, isDirectory: &isFolder)
        return start + name + (isFolder.boolValue ? "/" : "")
      }
  }
}
