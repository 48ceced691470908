import Foundation

/// A folder that holds a model, or versions of one.
struct ModelFolder {
  /// What a folder can be.
  private enum Kind {
    /// A `.momd`: compiled versions, and a list of them.
    case compiled
    /// An `.xcdatamodeld`: folders of Xcode, and a note of the current one.
    case source
    /// An `.xcdatamodel`: one model of Xcode.
    case single
  }

  let versions: ModelVersions
  private let path: String
  private let kind: Kind

  /// Looks at a folder.
  ///
  /// - Parameter path: The folder.
  /// - Throws: ``ModelFileError`` when it holds no model.
  init(_ path: String) throws(ModelFileError) {
    self.path = path
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw ModelFileError(.unreadable, detail: "permission denied")
    }
    if names.contains("contents") {
      kind = .single
      let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      versions = ModelVersions(current: name, names: [name])
    } else if names.contains("elements") {
      throw ModelFileError(
        .unsupported, detail: "it is a model of Xcode 3",
        remedy: "open and save it with a later Xcode, or give the compiled .mom")
    } else if names.contains(where: { $0.hasSuffix(".mom") }) {
      kind = .compiled
      versions = Self.compiled(names, in: path)
    } else if names.contains(where: { $0.hasSuffix(".xcdatamodel") }) {
      kind = .source
      versions = Self.source(names, in: path)
    } else {
      throw ModelFileError(
        .malformed, detail: "the folder has no model in it",
        remedy: "name the .momd or .xcdatamodeld folder itself")
    }
  }

  /// Reads a version.
  ///
  /// - Parameter version: Its name; nil for the current one.
  /// - Returns: The model.
  /// - Throws: ``ModelFileError`` when there is no such version, or none is current, or it cannot be read.
  func model(version: String?) throws(ModelFileError) -> DecodedModel {
    guard let name = version ?? versions.current else {
      throw ModelFileError(
        .unknownVersion("current", suggestions: versions.names),
        remedy: "name the version that you mean")
    }
    guard versions.names.contains(name) else {
      throw ModelFileError(.unknownVersion(name, suggestions: versions.names))
    }
    let file =
      switch kind {
      case .compiled: "\(path)/\(name).mom"
      case .source: "\(path)/\(name).xcdatamodel/contents"
      case .single: "\(path)/contents"
      }
    do throws(ModelFileError) {
      return try ModelFile.model(of: FileBytes.read(file))
    } catch {
      throw error.about(file)
    }
  }

  /// The names of files with an ending, without it, in the order a person counts.
  private static func names(_ files: [String], endingIn ending: String) -> [String] {
    files.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }.map {
      String($0.dropLast(ending.count))
    }
    .sorted { first, second in
      let order = first.compare(second, options: [.numeric, .caseInsensitive])
      return order == .orderedSame ? first < second : order == .orderedAscending
    }
  }

  /// The versions in a compiled folder, by its `VersionInfo.plist` (core-data-stores 3.2).
  private static func compiled(_ files: [String], in path: String) -> ModelVersions {
    let names = names(files, endingIn: ".mom")
    let list = propertyList("\(path)/VersionInfo.plist")
    let current = list?["NSManagedObjectModel_CurrentVersionName"]?.string
    var hashes: [String: [String: Data]] = [:]
    for (version, entities) in list?["NSManagedObjectModel_VersionHashes"]?.dictionary ?? [:] {
      hashes[version] = entities.dictionary?.compactMapValues(\.data)
    }
    return ModelVersions(current: chosen(current, of: names), names: names, hashes: hashes)
  }

  /// The versions in a folder of Xcode, by its `.xccurrentversion` (core-data-stores 3.3).
  private static func source(_ files: [String], in path: String) -> ModelVersions {
    let ending = ".xcdatamodel"
    let names = names(files, endingIn: ending)
    let current = propertyList("\(path)/.xccurrentversion")?["_XCCurrentVersionName"]?.string
    let name = current.map { $0.hasSuffix(ending) ? String($0.dropLast(ending.count)) : $0 }
    return ModelVersions(current: chosen(name, of: names), names: names)
  }

  /// The version that is named, or the only one there is.
  private static func chosen(_ name: String?, of names: [String]) -> String? {
    if let name, names.contains(name) { return name }
    return names.count == 1 ? names[0] : nil
  }

  /// A list beside the versions; nil where it is missing or damaged, for the versions are there without it.
  private static func propertyList(_ path: String) -> PropertyListValue? {
    do throws(ModelFileError) {
      return try PropertyListValue.read(FileBytes.read(path))
    } catch {
      return nil
    }
  }
}
