import ListProviders
import Foundation
import ObjectModel
import TerminalKit

/// A way to look at a value, which its bytes suggest.
struct ViewerForm {
  /// Its name, as `tree` or `hex`.
  let name: String
  /// What the value is in this form, as `JSON, 1,204 bytes`.
  let summary: String
  var view: any ValueView
  /// What `w` writes.
  let content: ValueContent
  /// The extension of the file that `w` suggests.
  let fileExtension: String

  /// The largest size that is unpacked, in bytes.
  static let largestUnpacked = 64 << 20
  /// How often what was unpacked is unpacked again.
  private static let deepestPacking = 3

  /// The forms of a value, the most readable first; its text or its bytes are always one.
  static func forms(
    of content: ValueContent, services: StoreServices, signs: Signs
  ) -> [ViewerForm] {
    switch content {
    case .text(let text): forms(of: text, prefix: "", services, signs)
    case .bytes(let data): forms(of: data, prefix: "", depth: 0, services, signs)
    }
  }

  private static func forms(
    of text: String, prefix: String, _ services: StoreServices, _ signs: Signs
  ) -> [ViewerForm] {
    let size = self.size(text.utf8.count)
    var forms: [ViewerForm] = []
    var fileExtension = "txt"
    if let tree = JSONTree.tree(of: text) {
      fileExtension = "json"
      forms.append(
        ViewerForm(
          name: prefix + "tree", summary: "JSON, \(size)", view: TreeView(tree),
          content: .text(text), fileExtension: fileExtension))
    } else if isXML(text), let tree = services.archiveTree?(Data(text.utf8)) {
      fileExtension = "plist"
      forms.append(
        ViewerForm(
          name: prefix + "tree", summary: "property list, \(size)", view: TreeView(tree),
          content: .text(text), fileExtension: fileExtension))
    }
    forms.append(
      ViewerForm(
        name: prefix + "text", summary: "text, \(size)", view: TextPager(text, signs: signs),
        content: .text(text), fileExtension: fileExtension))
    return forms
  }

  private static func isXML(_ text: String) -> Bool {
    text.hasPrefix("<?xml") || text.hasPrefix("<plist") || text.hasPrefix("<!DOCTYPE plist")
  }

  private static func forms(
    of data: Data, prefix: String, depth: Int, _ services: StoreServices, _ signs: Signs
  ) -> [ViewerForm] {
    let kind = BytesKind(data)
    var summary = [kind?.name, size(data.count)].compactMap(\.self).joined(separator: ", ")
    var forms: [ViewerForm] = []
    if let unpack = services.unpack, kind?.name == "gzip" || kind?.name == "zlib",
      depth < deepestPacking
    {
      do {
        let inner = try unpack(data, largestUnpacked)
        forms = self.forms(of: inner, prefix: "unpacked ", depth: depth + 1, services, signs)
      } catch {
        summary += " — not unpacked: \(error)"
      }
    }
    if data.starts(with: Array("bplist".utf8)), let tree = services.archiveTree?(data) {
      forms.append(
        ViewerForm(
          name: prefix + "tree", summary: summary, view: TreeView(tree), content: .bytes(data),
          fileExtension: "plist"))
    } else if !data.isEmpty, let text = TextBytes.text(of: data) {
      forms += self.forms(of: text, prefix: prefix, services, signs)
    } else if kind == nil, let tree = MessageTree.tree(of: data) {
      forms.append(
        ViewerForm(
          name: prefix + "fields", summary: "may be protobuf, \(summary)", view: TreeView(tree),
          content: .bytes(data), fileExtension: "pb"))
    }
    forms.append(
      ViewerForm(
        name: prefix + "hex", summary: summary, view: HexView(data), content: .bytes(data),
        fileExtension: kind?.fileExtension ?? "bin"))
    return forms
  }

  private static func size(_ count: Int) -> String {
    counted(count, "byte")
  }
}
