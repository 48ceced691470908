package import Foundation

/// Reads models of Xcode: the `contents` of an `.xcdatamodel` folder (core-data-stores 3.3).
package enum XCDataModel {
  /// What stands before the names of attributes in which this project keeps what Xcode's form has no place for.
  ///
  /// Xcode leaves out attributes that it does not know.
  static let ownPrefix = "cardfile:"

  /// Reads a model.
  ///
  /// - Parameter data: The XML of the `contents` file. External entities and declarations of its own are refused.
  /// - Returns: The model as its compiler would make it, and what was left out of it.
  /// - Throws: ``ModelFileError`` when it is damaged, too large, or no model.
  package static func model(from data: Data) throws(ModelFileError) -> DecodedModel {
    guard data.count <= maximumSize else {
      throw ModelFileError(.tooLarge, detail: "more than \(maximumSize >> 20) MB of XML")
    }
    let root = try MarkupElement.root(of: data)
    guard root.name == "model" else {
      throw ModelFileError(.malformed, detail: "its outermost element is <\(root.name.prefix(40))>")
    }
    return try XCDataModelReader.model(of: root)
  }

  /// The longest XML that is read: the largest model seen has 500 KB.
  private static let maximumSize = 32 << 20
}
