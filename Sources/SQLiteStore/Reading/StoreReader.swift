import ObjectModel
import SQLQueries

/// Reads objects of a store on a connection.
///
/// A reader has no state: it can be used on any connection whose functions are registered
/// (``SQLFunctions/register(on:)``), on any thread that has exclusive access to the connection.
struct StoreReader: Sendable {
  let layout: StoreLayout
  let storeIdentifier: String
  /// The folder of external files; nil to return their names instead.
  var externalFolder: ExternalFolder?

  var compiler: QueryCompiler { QueryCompiler(layout: layout, storeIdentifier: storeIdentifier) }
}
