import Foundation
import RowOutput
import TerminalKit

/// Writes values to files.
enum FileOutput {
  /// Writes a value to the file whose name was typed; a file that exists is replaced only when
  /// Enter is pressed a second time.
  ///
  /// The file is written beside its place and renamed, so that it is whole or not there.
  ///
  /// - Returns: What was done; nil if the bar stays open with a note.
  static func write(_ content: ValueContent, to bar: PromptBar) -> Message? {
    guard !bar.text.isEmpty else {
      bar.note = "Type the name of a file"
      return nil
    }
    let path = path(bar.text)
    let confirmation = "\(bar.text) exists — ⏎ again replaces it"
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      guard !isFolder.boolValue else {
        bar.note = "\(bar.text) is a folder — add a name"
        return nil
      }
      guard bar.note == confirmation else {
        bar.note = confirmation
        return nil
      }
    }
    let data =
      switch content {
      case .text(let text): Data(text.utf8)
      case .bytes(let data): data
      }
    do {
      var file = try FileSink(path: path)
      do {
        file.bytes = Array(data)
        try file.commit(replacing: bar.note == confirmation)
      } catch {
        file.discard()
        throw error
      }
      return .done("\(groupedDigits(data.count)) bytes written to \(path)")
    } catch {
      bar.note = "It cannot be written: \(error)"
      return nil
    }
  }

  /// The path of a typed name; `~` is the home folder.
  nonisolated static func path(_ name: String) -> String {
    let expanded = name.hasPrefix("~/") ? NSHomeDirectory() + name.dropFirst() : name
    return URL(fileURLWithPath: expanded).path
  }
}
