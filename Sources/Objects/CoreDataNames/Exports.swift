// One import is enough, as of Core Data, whose header imports Foundation.
// A class that is imported by its name goes before one of the same name in a module that is imported
// as a whole: so a file that imports Foundation too sees these in place of Foundation's. Every file
// of this module that names one imports it like this; else it would not be exported.
@_exported public import class CoreDataPredicates.NSComparisonPredicate
@_exported public import class CoreDataPredicates.NSCompoundPredicate
@_exported public import class CoreDataPredicates.NSExpression
@_exported public import class CoreDataPredicates.NSPredicate
@_exported public import FetchedResults
@_exported public import Foundation
@_exported public import ManagedObjects
@_exported public import ObjectModel
@_exported public import PersistentContainers
