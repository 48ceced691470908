import ObjectModel

/// Reads objects of a store over a connection.
///
/// A reader is a value without state: it may be used on any connection whose functions are registered
/// (``SQLFunctions/register(on:)``), from any thread that owns the connection.
package struct StoreReader: Sendable {
  let layout: StoreLayout
  let storeIdentifier: String
  let externalFolder: ExternalFolder?

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - layout: Where entities stand.
  ///   - storeIdentifier: The identifier that object IDs carry.
  ///   - externalFolder: Where values are that stand in files of their own; nil to hand out the names of the files.
  package init(
    layout: StoreLayout, storeIdentifier: String, externalFolder: ExternalFolder? = nil
  ) {
    self.layout = layout
    self.storeIdentifier = storeIdentifier
    self.externalFolder = externalFolder
  }

  var compiler: QueryCompiler { QueryCompiler(layout: layout, storeIdentifier: storeIdentifier) }
}
