// The one import of an application: `import Cardfile`, as of Core Data, whose header imports
// Foundation. Names of stores, models as files and output are in the single libraries.
@_exported public import FetchedResults
@_exported public import Foundation
@_exported public import ListProviders
@_exported public import ManagedObjects
@_exported public import NcursesApplications
@_exported public import ObjectModel
@_exported public import PersistentContainers
@_exported public import RESTStore
@_exported public import TerminalApplications
@_exported public import TerminalKit
