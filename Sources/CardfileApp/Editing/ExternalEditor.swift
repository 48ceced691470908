import Foundation
import TerminalKit

/// The person's editor, `$VISUAL` or `$EDITOR`, for one text.
struct ExternalEditor {
  /// The editor's command with its arguments.
  let command: String
  /// Gives the terminal to a program, and returns its exit status.
  let run: ([String]) -> Int32

  /// The editor of an environment; vi if it names none.
  init(environment: [String: String], run: @escaping ([String]) -> Int32) {
    let named = ["VISUAL", "EDITOR"].compactMap { environment[$0] }
    command = named.first { $0.contains { !$0.isWhitespace } } ?? "vi"
    self.run = run
  }

  /// Opens a text in the editor.
  ///
  /// It is in a file that only this user can read, in a folder of its own, which is removed
  /// afterwards with what the editor may have left there.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - name: The name of the file, which tells the editor the kind of text by its ending.
  /// - Returns: The text when the editor has ended; nil if it is unchanged.
  func edit(_ text: String, named name: String) -> Result<String?, InputError> {
    let folder: URL
    do {
      folder = try Self.makeFolder()
    } catch {
      return .failure(InputError("no temporary file can be made: \(error.localizedDescription)"))
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(Self.fileName(name))
    let isMade = FileManager.default.createFile(
      atPath: file.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    guard isMade else { return .failure(InputError("no temporary file can be made")) }
    let status = run(["/bin/sh", "-c", "\(command) \"$@\"", command, file.path])
    guard status == 0 else {
      return .failure(
        InputError(
          status == 127
            ? "\(command) was not found: set $EDITOR to your editor"
            : "\(command) failed with status \(status): nothing was changed"))
    }
    guard let data = FileManager.default.contents(atPath: file.path) else {
      return .failure(InputError("the editor removed the file: nothing was changed"))
    }
    guard var new = String(validating: data, as: UTF8.self) else {
      return .failure(InputError("the file is not UTF-8: nothing was changed"))
    }
    // Editors end the last line; that it was not ended before is not a change.
    if new.utf8.last == UInt8(ascii: "\n"), text.utf8.last != UInt8(ascii: "\n") {
      new.unicodeScalars.removeLast()
    }
    return .success(new.utf8.elementsEqual(text.utf8) ? nil : new)
  }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cardfile-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    return folder
  }

  /// A name without anything that a path or a shell could take for something else.
  private static func fileName(_ name: String) -> String {
    let safe = name.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "_" }
    return String(safe.suffix(60))
  }
}
