import Foundation
package import ObjectModel
import Synchronization

/// A folder of Markdown files as a store of one entity, which has its name: each file is an object,
/// with the attributes `file` and `text`, and one for each key of front matter.
///
/// Files are written one after the other: each is whole, and a full disk is known before the first.
package final class MarkdownStore: WritableAtomicStore, BulkStore {
  package let identifier: String
  package let model: ManagedObjectModel
  package let cache = AtomicCache()
  private let folder: StoreFile
  private let readOnlyReason: String?
  /// The keys of front matter, and what their values are.
  private let columns: [(key: String, column: TextColumn)]
  private let contents: Mutex<Contents>

  private struct Contents {
    var files: [Int64: (name: String, file: MarkdownFile)] = [:]
    var lastKey: Int64 = 0
  }

  /// The largest file that is read.
  private static let limit = 64 << 20

  /// Whether a folder has Markdown files.
  package static func recognizes(_ path: String) -> Bool { !names(in: path).isEmpty }

  private static func names(in path: String) -> [String] {
    guard let folder = try? OpenFolder(path: path) else { return [] }
    return folder.names().filter(isName).sorted()
  }

  private static func isName(_ name: String) -> Bool {
    !name.hasPrefix(".") && !name.contains("/") && name.utf8.count <= 255
      && (name.hasSuffix(".md") || name.hasSuffix(".markdown"))
  }

  /// Opens a folder.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - isReadOnly: Whether it is only read.
  /// - Throws: `StoreError` if a file cannot be read.
  package init(path: String, isReadOnly: Bool = false) throws(StoreError) {
    let path = path.canonicalPath
    (folder, identifier) = (StoreFile(path: path), path)
    var contents = Contents()
    let defect = try Self.read(path, &contents)
    let files = contents.files.sorted { $0.key < $1.key }.map(\.value.file)
    var keys: [String] = []
    for key in files.flatMap(\.keys) where !keys.contains(key) { keys.append(key) }
    columns = zip(keys, attributeNames(keys, besides: ["file", "text"])).map { key, name in
      (key, TextColumn(name, files.compactMap { $0[key] }.filter { !$0.isEmpty }))
    }
    let attributes =
      [AttributeDescription("file", .string, isOptional: false)]
      + columns.map(\.column.attribute) + [AttributeDescription("text", .string)]
    model = ManagedObjectModel(entities: [
      EntityDescription(
        name: path.lastPathPart, attributes: attributes, uniquenessConstraints: [["file"]])
    ])
    readOnlyReason = isReadOnly ? "opened read-only" : defect ?? folder.readOnlyReason
    self.contents = Mutex(contents)
  }

  package var summary: StoreSummary {
    StoreSummary(
      name: folder.path.lastPathPart, path: folder.path, kind: "Markdown files",
      readOnlyReason: readOnlyReason)
  }

  package var stamp: FileStamp? {
    FileStamp([folder.path] + Self.names(in: folder.path).map { "\(folder.path)/\($0)" })
  }

  package func exclusively<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError)
    -> Result
  { try folder.locked(body) }

  /// Reads the files; one that was there before keeps its key.
  ///
  /// - Returns: Why they cannot be written back; nil if they can.
  private static func read(_ path: String, _ contents: inout Contents) throws(StoreError)
    -> String?
  {
    let known = Dictionary(firstOf: contents.files.map { ($0.value.name, $0.key) })
    var (files, defect): ([Int64: (String, MarkdownFile)], String?) = ([:], nil)
    for name in names(in: path) {
      let data = try StoreFile(path: "\(path)/\(name)").read(atMost: limit)
      let text = String(decoding: data, as: UTF8.self)
      if !text.utf8.elementsEqual(data) { defect = defect ?? "\(name) is not written in UTF-8" }
      if known[name] == nil { contents.lastKey += 1 }
      files[known[name] ?? contents.lastKey] = (name, MarkdownFile(text))
    }
    contents.files = files
    return defect
  }

  private func id(_ key: Int64) -> ObjectID {
    ObjectID(
      storeIdentifier: identifier, entityName: model.entities[0].name, key: .integer(key))
  }

  package func load() throws(StoreError) -> InMemoryRows {
    try contents.withLock { contents throws(StoreError) in
      _ = try Self.read(folder.path, &contents)
      return InMemoryRows(
        model: model, storeIdentifier: identifier,
        rows: contents.files.map { key, entry in
          let values = columns.map { $0.column.value(entry.file[$0.key]) }
          return RowSnapshot(
            id: id(key), version: 0,
            values: [.string(entry.name)] + values + [.string(entry.file.text)])
        })
    }
  }

  package func write(_ rows: InMemoryRows) throws(StoreError) {
    let old = contents.withLock { $0 }
    var new = Contents(lastKey: old.lastKey)
    var changed: [(name: String, text: String)] = []
    for id in rows.objectIDs.sorted() {
      guard case .integer(let key) = id.key, let row = rows.row(of: id) else { continue }
      let name = row.values[0].text ?? ""
      guard Self.isName(name) else {
        throw StoreError(
          .constraint, doing: "saving", subject: id.description,
          detail: "“\(name)” is no name of a Markdown file", remedy: "a name like note.md",
          objectIDs: [id])
      }
      var file = old.files[key]?.file ?? MarkdownFile("")
      for (index, (own, column)) in columns.enumerated()
      where column.value(file[own]) != row.values[index + 1] {
        file.set(own, column.text(of: row.values[index + 1]))
      }
      file.text = row.values[columns.count + 1].text ?? ""
      new.files[key] = (name, file)
      new.lastKey = max(new.lastKey, key)
      let before = old.files[key]
      if before?.name != name || before?.file.contents != file.contents {
        changed.append((name, file.contents))
      }
    }
    let names = Set(new.files.values.map(\.name))
    let before = Set(old.files.values.map(\.name))
    try put(changed, unlessThere: Set(changed.map(\.name)).subtracting(before))
    for name in before.subtracting(names) {
      let path = "\(folder.path)/\(name)"
      guard unlink(path.fileSystemBytes) == 0 || errno == ENOENT else {
        throw StoreError(FileError(errno, path), doing: "saving")
      }
    }
    contents.withLock { $0 = new }
  }

  /// Writes files, all drafts before the first gets its name.
  private func put(_ files: [(name: String, text: String)], unlessThere new: Set<String>)
    throws(StoreError)
  {
    do throws(FileError) {
      var drafts: [(FileTarget, Draft)] = []
      for (name, text) in files {
        let target = try FileTarget(path: "\(folder.path)/\(name)")
        if new.contains(name), target.occupant != .nothing {
          throw FileError(EEXIST, "\(folder.path)/\(name)")
        }
        let draft = try target.makeDraft()
        try draft.write(Array(text.utf8))
        drafts.append((target, draft))
      }
      for (target, draft) in drafts { try target.put(draft) }
    } catch {
      throw StoreError(error, doing: "saving")
    }
  }
}
