import Foundation
import ModelFiles
import ObjectModel

/// The rows of an XML store with the model that they are read with: the one that is named, else one
/// beside the file that has all of its names, else one that is derived.
struct XMLModelSource {
  let rows: InMemoryRows
  var notes: [String] = []
  private(set) var isDerived = false

  /// Finds the model.
  ///
  /// - Throws: ``StoreError`` if a model that is named cannot be read or does not fit, or a value is
  ///   none of its type.
  init(
    _ database: XMLDatabase, _ file: StoreFile, _ identifier: String, _ modelPath: String?,
    given: ManagedObjectModel?
  ) throws(StoreError) {
    if let given {
      rows = try InMemoryRows(database, model: given, storeIdentifier: identifier, file)
    } else if let modelPath {
      let decoded: DecodedModel
      do throws(ModelFileError) { decoded = try ModelFile.read(path: modelPath) } catch {
        throw StoreError(
          error.reason == .unreadable ? .notFound : .unsupported, doing: "reading the model",
          subject: error.subject,
          detail: error.detail.isEmpty ? error.description : error.detail, remedy: error.remedy)
      }
      notes = decoded.notes
      rows = try InMemoryRows(database, model: decoded.model, storeIdentifier: identifier, file)
    } else if let (name, found) = Self.beside(file, database, identifier) {
      rows = found
      notes = ["the model is \(name), which is beside the store"]
    } else {
      let derived = XMLModel(of: database)
      rows = try InMemoryRows(database, model: derived.model, storeIdentifier: identifier, file)
      isDerived = true
      notes = [
        "the model is derived from the file, where names have lost their capitals: --model MODEL"
          + " gives another"
      ]
      if !derived.inheritance.isEmpty {
        notes.append(
          "as references show, " + derived.inheritance.joined(separator: ", "))
      }
    }
  }

  /// The rows with the first model in the file's folder by which it can be read.
  private static func beside(_ file: StoreFile, _ database: XMLDatabase, _ identifier: String)
    -> (String, InMemoryRows)?
  {
    // A file without objects fits every model.
    if database.objects.isEmpty { return nil }
    let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent().path
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    let models = endings.flatMap { ending in
      names.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }
    }
    for name in models.prefix(mostCandidates) {
      let path = folder + "/" + name
      for version in (try? ModelFile.versions(path: path))?.names ?? [] {
        guard let decoded = try? ModelFile.read(path: path, version: version),
          let rows = try? InMemoryRows(
            database, model: decoded.model, storeIdentifier: identifier, file)
        else { continue }
        return (name, rows)
      }
    }
    return nil
  }

  private static let endings = [".momd", ".mom", ".xcdatamodeld", ".xcdatamodel"]
  private static let mostCandidates = 16
}

extension InMemoryRows {
  /// Reads the rows of a file, which errors name.
  init(
    _ database: XMLDatabase, model: ManagedObjectModel, storeIdentifier: String, _ file: StoreFile
  ) throws(StoreError) {
    do throws(StoreError) {
      try self.init(database, model: model, storeIdentifier: storeIdentifier)
    } catch {
      var error = error
      if error.subject.isEmpty { error.subject = file.path }
      throw error
    }
  }
}
