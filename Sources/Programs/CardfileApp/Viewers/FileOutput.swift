import Foundation
import TerminalApplications
import ObjectModel
import RowOutput
import TerminalKit

/// Writes values to files.
enum FileOutput {
  /// Writes a value to the file whose name was typed; a file that exists is replaced only when
  /// Enter is pressed a second time.
  ///
  /// The file is written under another name and renamed, so that it is whole or not there.
  ///
  /// - Returns: What was done; nil if the bar stays open with a note.
  static func write(_ content: ValueContent, to bar: PromptBar) -> Message? {
    guard !bar.text.isEmpty else {
      bar.problem = .init("Type the name of a file")
      return nil
    }
    let path = path(bar.text)
    let confirmation = PromptBar.Problem("\(bar.text) exists — ⏎ again replaces it")
    let data =
      switch content {
      case .text(let text): Data(text.utf8)
      case .bytes(let data): data
      }
    do {
      let target = try FileTarget(path: path)
      switch target.occupant {
      case .nothing: break
      case .file:
        guard bar.problem == confirmation else {
          bar.problem = confirmation
          return nil
        }
      case .folder, .other:
        bar.problem = refusal(of: target, named: bar.text).map { .init($0) }
        return nil
      }
      var file = try FileSink(target)
      file.bytes = Array(data)
      try file.commit()
      return .done("\(counted(data.count, "byte")) written to \(path)")
    } catch {
      bar.problem = .init("It cannot be written: \(error)")
      return nil
    }
  }

  /// Why nothing is written to what is there; nil if it is a file, or nothing.
  nonisolated static func refusal(of target: FileTarget, named name: String) -> String? {
    switch target.occupant {
    case .nothing, .file: nil
    case .folder: "\(name) is a folder — add a name"
    case .other(let kind): "\(name) is \(kind) — name a file"
    }
  }

  /// The path of a typed name; `~` is the home folder.
  nonisolated static func path(_ name: String) -> String {
    let path = HomeFolder.expanded(name)
    return path.hasSuffix("/") ? path : URL(fileURLWithPath: path).path
  }
}
