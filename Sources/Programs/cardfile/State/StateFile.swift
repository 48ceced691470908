import CardfileApp
import Foundation
import ObjectModel

/// The file that keeps the state of one store between runs, in ``UserDirectory/state``.
@MainActor
final class StateFile: StateKeeping {
  /// The contents of the file.
  private struct Contents: Codable {
    static let version = 1

    var version = Self.version
    /// The store's real path: another store's file of the same name is not used.
    var store: String
    var state: StoreState
  }

  private let file: PrivateFile
  private let store: String
  /// Set when the file belongs to another store or a later version, and must not be replaced.
  private var isForeign = false
  private var problem: String?
  private var hasToldProblem = false

  /// The file of the store at a path, which need not exist.
  init(storePath: String, folder: URL = UserDirectory.state.folder) {
    store = URL(fileURLWithPath: storePath).resolvingSymlinksInPath().path
    file = PrivateFile(
      url: folder.appendingPathComponent("stores").appendingPathComponent(Self.name(of: store)))
  }

  func load() -> StoreState { read() ?? StoreState() }

  func update(_ change: (inout StoreState) -> Void) {
    var state = load()
    guard !isForeign else { return }
    change(&state)
    do {
      try file.write(data(of: state))
    } catch {
      report("The choices for this store cannot be kept in \(file.url.path): \(error.reason)")
    }
  }

  func takeProblem() -> String? {
    defer { problem = nil }
    return problem
  }

  private func report(_ text: String) {
    guard !hasToldProblem else { return }
    hasToldProblem = true
    problem = text
  }

  private func read() -> StoreState? {
    do {
      guard let data = try file.read() else { return nil }
      let contents = try? JSONDecoder().decode(Contents.self, from: data)
      let version =
        contents?.version ?? (try? JSONDecoder().decode(Version.self, from: data).version)
      guard let version else {
        report("\(file.url.path) is damaged; it is made anew with your next choice")
        return nil
      }
      guard version <= Contents.version else {
        isForeign = true
        report("\(file.url.path) is of a later version of cardfile; it is left as it is")
        return nil
      }
      guard let contents else {
        report("\(file.url.path) is damaged; it is made anew with your next choice")
        return nil
      }
      guard contents.store == store else {
        isForeign = true
        report("\(file.url.path) belongs to \(contents.store); it is left as it is")
        return nil
      }
      return contents.state
    } catch {
      report("\(file.url.path) cannot be read: \(error.reason)")
      return nil
    }
  }

  /// The version alone, which every version of the file has.
  private struct Version: Decodable {
    let version: Int
  }

  private func data(of state: StoreState) throws(PrivateFile.Problem) -> Data {
    var contents = Contents(store: store, state: state)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    var data = (try? encoder.encode(contents)) ?? Data()
    if data.count > PrivateFile.limit {
      contents.state.filterHistory = [:]
      data = (try? encoder.encode(contents)) ?? Data()
    }
    return data
  }

  /// The name of a store's file: its own, to be found by people, and a hash of its path.
  private static func name(of path: String) -> String {
    let name = URL(fileURLWithPath: path).lastPathComponent
    let plain = name.unicodeScalars.prefix(40).map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._-".contains(String(scalar)))
        ? Character(scalar) : "_"
    }
    return "\(String(plain))-\(String(path.stableHash, radix: 16)).json"
  }
}

/// Knows whether the program was started before, by a file in ``UserDirectory/state``.
enum FirstStart {
  /// Whether this is the first start; it is not the next time.
  ///
  /// False where that cannot be kept, so that the same hint is not shown at every start.
  static func take(folder: URL = UserDirectory.state.folder) -> Bool {
    let file = PrivateFile(url: folder.appendingPathComponent("started"))
    do {
      guard try file.read() == nil else { return false }
      try file.write(Data())
      return true
    } catch {
      return false
    }
  }
}

extension UserDirectory {
  /// The folder of this program in the directory.
  var folder: URL { url.appending(path: "cardfile", directoryHint: .isDirectory) }
}
