import Foundation

/// A model folder: a `.momd`, `.xcdatamodeld` or `.xcdatamodel`.
struct ModelFolder {
  /// The format of the folder.
  private enum Kind {
    /// A `.momd`: compiled versions (`.mom`) and a `VersionInfo.plist`.
    case compiled
    /// An `.xcdatamodeld`: a folder `.xcdatamodel` for each version, and an `.xccurrentversion`.
    case source
    /// An `.xcdatamodel`: one source model, in its `contents`.
    case single
  }

  let versions: ModelVersions
  private let path: String
  private let kind: Kind

  /// Lists a folder and recognizes its format.
  ///
  /// - Throws: ``ModelFileError`` without a subject when the folder cannot be listed or contains no
  ///   model.
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
      throw ModelFileError.xcode3Model
    } else if names.contains(where: { $0.hasSuffix(".mom") }) {
      kind = .compiled
      versions = Self.compiled(names, in: path)
    } else if names.contains(where: { $0.hasSuffix(Self.sourceEnding) }) {
      kind = .source
      versions = Self.source(names, in: path)
    } else {
      throw ModelFileError(
        .malformed, detail: "the folder contains no model",
        remedy: "give the path of the .momd or .xcdatamodeld folder itself")
    }
  }

  /// Reads one version of the model; nil for the current one.
  ///
  /// - Throws: ``ModelFileError`` when the version does not exist or cannot be read, or when
  ///   `version` is nil and the folder does not say which version is current.
  func model(version: String?) throws(ModelFileError) -> DecodedModel {
    guard let name = version ?? versions.current else {
      throw ModelFileError(
        .unknownVersion("current", suggestions: versions.names),
        remedy: "give the name of a version")
    }
    guard versions.names.contains(name) else {
      throw ModelFileError(.unknownVersion(name, suggestions: versions.names))
    }
    let file =
      switch kind {
      case .compiled: "\(path)/\(name).mom"
      case .source: "\(path)/\(name)\(Self.sourceEnding)/contents"
      case .single: "\(path)/contents"
      }
    do throws(ModelFileError) {
      let decoded = try ModelFile.model(of: FileBytes.read(file))
      if let hashes = versions.hashes[name] { KnownVersionHashes.note(hashes, of: decoded.model) }
      return decoded
    } catch {
      if kind == .source, error.reason == .unreadable,
        case let folder = "\(path)/\(name)\(Self.sourceEnding)",
        FileManager.default.fileExists(atPath: folder + "/elements")
      {
        throw ModelFileError.xcode3Model.withSubject(folder)
      }
      throw error.withSubject(file)
    }
  }

  private static let sourceEnding = ".xcdatamodel"

  /// The names of the files with an ending, without it, in numeric order: `Model 2` before `Model
  /// 10`.
  private static func names(_ files: [String], endingIn ending: String) -> [String] {
    files.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }.map {
      String($0.dropLast(ending.count))
    }
    .sorted { first, second in
      let order = first.compare(second, options: [.numeric, .caseInsensitive])
      return order == .orderedSame ? first < second : order == .orderedAscending
    }
  }

  /// The versions in a `.momd`, from its files and its `VersionInfo.plist` (core-data-stores 3.2).
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

  /// The versions in an `.xcdatamodeld`, from its folders and its `.xccurrentversion`
  /// (core-data-stores 3.3).
  private static func source(_ files: [String], in path: String) -> ModelVersions {
    let ending = sourceEnding
    let names = names(files, endingIn: ending)
    let current = propertyList("\(path)/.xccurrentversion")?["_XCCurrentVersionName"]?.string
    let name = current.map { $0.hasSuffix(ending) ? String($0.dropLast(ending.count)) : $0 }
    return ModelVersions(current: chosen(name, of: names), names: names)
  }

  /// The current version: the named one if it exists, else the only one; nil if there are several.
  private static func chosen(_ name: String?, of names: [String]) -> String? {
    if let name, names.contains(name) { return name }
    return names.count == 1 ? names[0] : nil
  }

  /// A property list in the folder; nil if it is missing or damaged, because the versions can be
  /// read without it.
  private static func propertyList(_ path: String) -> PropertyListValue? {
    do throws(ModelFileError) {
      return try PropertyListValue.read(FileBytes.read(path))
    } catch {
      return nil
    }
  }
}
