import Foundation

/// Reads Xcode's source models: the file `contents` of an `.xcdatamodel` folder (core-data-stores
/// 3.3).
enum XCDataModel {
  /// The namespace prefix of attributes for what Xcode's format cannot express; Xcode ignores them.
  static let cardfilePrefix = "cardfile:"

  /// Reads a `contents` file as Xcode's compiler would, with notes about what was left out;
  /// external entities and internal document type declarations are refused.
  ///
  /// - Throws: ``ModelFileError`` when the XML is damaged, too large, or not a model.
  static func model(from data: Data) throws(ModelFileError) -> DecodedModel {
    guard data.count <= maximumSize else {
      throw ModelFileError(.tooLarge, detail: "it has more than \(maximumSize >> 20) MB of XML")
    }
    let root = try MarkupElement.root(of: data)
    guard root.name == "model" else {
      throw ModelFileError(
        .malformed, detail: "its root element is <\(root.name.prefix(40))>, not <model>")
    }
    return try XCDataModelReader.model(of: root)
  }

  /// The maximum size of the XML in bytes; the largest model seen has 500 KB.
  private static let maximumSize = 32 << 20
}
