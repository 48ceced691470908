// One import is enough, as of Core Data, whose header imports Foundation.
@_exported public import FetchedResults
@_exported public import Foundation
@_exported public import ManagedObjects
@_exported public import ObjectModel
@_exported public import PersistentContainers
