import Foundation
import ObjectModel
import TerminalKit

/// The person's editor, `$VISUAL` or `$EDITOR`, for one text.
struct ExternalEditor {
  /// The editor's command with its arguments.
  let command: String
  /// The most bytes of a text before and afterwards: what is shown and compared while keys wait.
  private static let limit = 16 << 20
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
  /// afterwards with what the editor may have left there: by the next start, if the program is
  /// killed meanwhile.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - name: The name of the file, whose extension the editor takes the kind of text from.
  /// - Returns: The text when the editor has ended; nil if it is unchanged.
  func edit(_ text: String, named name: String) -> Result<String?, InputError> {
    let tooLong = { (count: Int) in
      InputError(
        "the text has \(counted(count, "byte")), and \(groupedDigits(Self.limit)) at most can be "
          + "edited: nothing was changed")
    }
    guard text.utf8.count <= Self.limit else { return .failure(tooLong(text.utf8.count)) }
    let name = Self.fileName(name)
    let folder: PrivateFolder
    do {
      folder = try PrivateFolder(roomFor: text.utf8.count, subject: name, doing: "editing")
      let file = try folder.contents.makeFile(named: name)
      defer { close(file) }
      guard Array(text.utf8).withUnsafeBytes({ writeAll($0, to: file) }) else {
        throw FileError(errno, folder.path)
      }
    } catch {
      return .failure(InputError("no temporary file can be made: \(error)"))
    }
    defer { folder.remove() }
    let path = folder.path + "/" + name
    let status = run(["/bin/sh", "-c", "\(command) \"$@\"", command, path])
    guard status == 0 else {
      return .failure(
        InputError(
          status == 127
            ? "\(command) was not found: set $EDITOR to your editor"
            : "\(command) failed with status \(status): nothing was changed"))
    }
    let data: Data
    do {
      data = try contents(ofFile: path, atMost: Self.limit)
    } catch {
      switch error.code {
      case ENOENT: return .failure(InputError("the editor removed the file: nothing was changed"))
      case EFBIG:
        return .failure(tooLong(folder.contents.status(of: name).map { Int($0.st_size) } ?? 0))
      default:
        return .failure(InputError("the file cannot be read: \(error); nothing was changed"))
      }
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

  /// A name without anything that a path or a shell could take for something else.
  private static func fileName(_ name: String) -> String {
    let safe = name.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "_" }
    return String(safe.suffix(60))
  }
}
