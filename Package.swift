// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]
/// The settings of the modules that use the screen: their declarations default to the main actor,
/// because ncurses has one global screen and is not thread-safe.
let onMainActor = strict + [.defaultIsolation(MainActor.self)]

let collections = Target.Dependency.product(name: "Collections", package: "swift-collections")
let orderedCollections = Target.Dependency.product(
  name: "OrderedCollections", package: "swift-collections")
let grdb: [Target.Dependency] = [
  .product(name: "GRDB", package: "GRDB.swift"),
  .product(name: "GRDBSQLite", package: "GRDB.swift"),
]
let arguments = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// The macro `@Managed` and what it is made with; with the trait only, so that nobody else compiles
/// swift-syntax.
let macros = Target.Dependency.byName(
  name: "ManagedMacros", condition: .when(traits: ["Macros"]))
let syntax = [
  "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder",
  "SwiftSyntaxMacros",
].map {
  Target.Dependency.product(
    name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"]))
}

/// PostgreSQL's client library, with the trait only, so that nobody else needs it.
let postgreSQL = Target.Dependency.byName(
  name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"]))

/// What the module Cardfile re-exports.
///
/// What imports Cardfile depends on these too, because SwiftPM compiles a target again only if a
/// module has changed that the target names.
let exported = [
  "NcursesApplications", "TerminalApplications", "PersistentContainers", "ListProviders",
  "FetchedResults", "ManagedObjects", "RESTStore", "ObjectModel", "TerminalKit",
]
let exports = exported.map { Target.Dependency.target(name: $0) }

/// An example program; its module has a name that no client has.
func example(_ name: String, resources: [Resource] = []) -> Target {
  .executableTarget(
    name: "cardfile-\(name.lowercased())",
    dependencies: ["Cardfile"] + exports, path: "Sources/Programs/Examples/\(name)",
    resources: resources, swiftSettings: [.treatAllWarnings(as: .error)])
}

/// The folders of Sources and Tests, with the targets that are in them.
///
/// A target imports from its own floor and those below. Objects and Stores are side by side; only
/// PersistentContainers and CoreDataNames join them.
let floors = [
  "Programs": [
    "cardfile", "CardfileApp", "RowOutput", "cardfile-bench", "cardfile-generate",
    "CardfileAppTests", "CardfileTests", "RepositoryTests",
  ],
  "Terminal": [
    "NcursesApplications", "TerminalApplications", "ListProviders", "TerminalKit",
    "NcursesTerminal", "TerminalApplicationsTests", "ListProvidersTests", "TerminalKitTests",
    "NcursesTerminalTests",
  ],
  "Objects": [
    "Cardfile", "PersistentContainers", "FetchedResults", "ManagedObjects", "ManagedMacros",
    "CoreDataNames", "CoreDataPredicates", "PersistentContainersTests", "FetchedResultsTests",
    "ManagedObjectsTests", "ContractTests", "ClientTests", "CoreDataNamesTests",
    "CoreDataProgramTests", "GeneratedModelTests",
  ],
  "Stores": [
    "SQLiteStore", "PostgreSQLStore", "SQLQueries", "AtomicStores", "ModelFiles", "RESTStore",
    "Transfers", "SQLiteStoreTests", "PostgreSQLStoreTests",
    "SQLQueriesTests", "AtomicStoresTests", "ModelFilesTests", "RESTStoreTests", "TransfersTests",
  ],
  "Model": ["ObjectModel", "ObjectModelTests"],
  "C": ["CSQLite", "CNcurses", "CZlib", "CSignals", "CPostgreSQL", "CCurl"],
]

let package = Package(
  name: "cardfile",
  products: [
    .executable(name: "cardfile", targets: ["cardfile"]),
    .library(name: "Cardfile", targets: ["Cardfile"] + exported),
    .library(name: "ObjectModel", targets: ["ObjectModel"]),
    .plugin(name: "CardfileModels", targets: ["CardfileModels"]),
    .library(name: "ManagedObjects", targets: ["ManagedObjects"]),
    .library(name: "PersistentContainers", targets: ["PersistentContainers"]),
    .library(name: "FetchedResults", targets: ["FetchedResults"]),
    .library(name: "RESTStore", targets: ["RESTStore"]),
    .library(name: "CoreDataNames", targets: ["CoreDataNames"]),
    .library(name: "TerminalKit", targets: ["TerminalKit"]),
    .library(name: "ListProviders", targets: ["ListProviders"]),
    .library(name: "TerminalApplications", targets: ["TerminalApplications"]),
    .library(name: "NcursesApplications", targets: ["NcursesApplications"]),
  ],
  traits: [
    .trait(
      name: "Macros", description: "The macro @Managed for classes of objects; needs swift-syntax."),
    .trait(name: "PostgreSQL", description: "Databases of PostgreSQL's servers; needs libpq."),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
  ],
  targets: [
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncursesw5-dev"])]),
    .target(name: "CSignals"),
    .target(name: "ObjectModel", swiftSettings: strict),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "ModelFiles", dependencies: ["ObjectModel", "CZlib"], swiftSettings: strict),
    .executableTarget(
      name: "cardfile-generate", dependencies: ["ModelFiles", "ObjectModel"], swiftSettings: strict),
    .plugin(
      name: "CardfileModels", capability: .buildTool(), dependencies: ["cardfile-generate"],
      path: "Sources/Plugins/CardfileModels"),
    .target(
      name: "AtomicStores", dependencies: ["ModelFiles", "ObjectModel"], swiftSettings: strict),
    .target(name: "SQLQueries", dependencies: ["ObjectModel"], swiftSettings: strict),
    .target(
      name: "SQLiteStore",
      dependencies: ["SQLQueries", "ObjectModel", "ModelFiles", "CSQLite"] + grdb,
      swiftSettings: strict),
    .target(name: "CCurl"),
    .target(
      name: "RESTStore", dependencies: ["ModelFiles", "ObjectModel", "CCurl"],
      swiftSettings: strict),
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "PostgreSQLStore", dependencies: ["SQLQueries", "ObjectModel", postgreSQL],
      swiftSettings: strict),
    .target(
      name: "Transfers", dependencies: ["ObjectModel", "CZlib"],
      swiftSettings: strict),
    .macro(name: "ManagedMacros", dependencies: syntax, swiftSettings: strict),
    .target(
      name: "ManagedObjects", dependencies: ["ObjectModel", orderedCollections, macros],
      swiftSettings: strict),
    .target(
      name: "PersistentContainers",
      dependencies: [
        "SQLiteStore", "AtomicStores", "RESTStore", "ModelFiles", "ManagedObjects", "ObjectModel",
      ],
      swiftSettings: strict),
    .target(
      name: "FetchedResults", dependencies: ["ManagedObjects", "ObjectModel", collections],
      swiftSettings: strict),
    .target(
      name: "CoreDataPredicates", dependencies: ["ManagedObjects", "ObjectModel"],
      swiftSettings: strict),
    .target(
      name: "CoreDataNames",
      dependencies: [
        "CoreDataPredicates", "FetchedResults", "PersistentContainers", "ManagedObjects",
        "ModelFiles", "ObjectModel",
      ],
      swiftSettings: strict),
    .target(name: "TerminalKit", swiftSettings: strict),
    .target(
      name: "NcursesTerminal", dependencies: ["TerminalKit", "CNcurses", "CSignals"],
      swiftSettings: onMainActor),
    .target(
      name: "ListProviders",
      dependencies: ["FetchedResults", "ManagedObjects", "ObjectModel", "TerminalKit"],
      swiftSettings: strict),
    .target(
      name: "TerminalApplications",
      dependencies: [
        "ListProviders", "FetchedResults", "ManagedObjects", "ObjectModel", "TerminalKit",
      ],
      swiftSettings: strict),
    .target(
      name: "NcursesApplications",
      dependencies: ["TerminalApplications", "NcursesTerminal", "TerminalKit"],
      swiftSettings: strict),
    .target(name: "Cardfile", dependencies: exports, swiftSettings: strict),
    .target(
      name: "RowOutput", dependencies: ["ObjectModel", "TerminalKit"], swiftSettings: strict),
    .target(
      name: "CardfileApp",
      dependencies: [
        "RowOutput", "TerminalApplications", "ListProviders", "FetchedResults", "ManagedObjects",
        "ObjectModel", "TerminalKit", orderedCollections,
      ],
      swiftSettings: onMainActor),
    .executableTarget(
      name: "cardfile",
      dependencies: [
        "CardfileApp", "RowOutput", "ListProviders", "FetchedResults", "ManagedObjects",
        "ObjectModel", "SQLiteStore", "PostgreSQLStore", "RESTStore", "Transfers", "AtomicStores",
        "ModelFiles", "TerminalKit", "NcursesTerminal", arguments, yams,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "cardfile-bench",
      dependencies: [
        "FetchedResults", "ManagedObjects", "ObjectModel", "RowOutput", "SQLiteStore",
        "PostgreSQLStore", "Transfers", "TerminalKit", "ListProviders", arguments,
      ] + grdb,
      swiftSettings: strict),
    example("TimeStamps"),
    example("People"),
    example("Colors", resources: [.embedInCode("colors.txt")]),
    example("DVDs", resources: [.copy("dvds.xcdatamodel"), .embedInCode("dvds.txt")]),
    example("Notes", resources: [.embedInCode("notes.txt")]),
    .target(
      name: "TestSupport", dependencies: ["ObjectModel"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .target(
      name: "TestStores",
      dependencies: ["ManagedObjects", "SQLiteStore", "ObjectModel", "TestSupport"],
      path: "Tests/TestStores", swiftSettings: strict),
    .testTarget(
      name: "ObjectModelTests", dependencies: ["ObjectModel", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "GeneratedModelTests", dependencies: ["ModelFiles", "ManagedObjects", "ObjectModel"],
      exclude: ["Library.xcdatamodel"], swiftSettings: strict),
    .testTarget(
      name: "ModelFilesTests", dependencies: ["ModelFiles", "ObjectModel", "TestSupport"] + grdb,
      swiftSettings: strict),
    .testTarget(
      name: "AtomicStoresTests",
      dependencies: ["AtomicStores", "ModelFiles", "ObjectModel", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "RESTStoreTests",
      dependencies: [
        "RESTStore", "SQLiteStore", "FetchedResults", "ManagedObjects", "ObjectModel",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TransfersTests",
      dependencies: [
        "Transfers", "SQLiteStore", "AtomicStores", "ObjectModel", "TestSupport",
      ] + grdb,
      swiftSettings: strict),
    .testTarget(
      name: "SQLQueriesTests", dependencies: ["SQLQueries", "ObjectModel"], swiftSettings: strict),
    .testTarget(
      name: "SQLiteStoreTests",
      dependencies: [
        "SQLiteStore", "CSQLite", "SQLQueries", "ModelFiles", "FetchedResults", "ManagedObjects",
        "ObjectModel", "TestStores", "TestSupport",
      ] + grdb,
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "PostgreSQLStoreTests",
      dependencies: [
        "PostgreSQLStore", "SQLQueries", "ManagedObjects", "ObjectModel", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ManagedObjectsTests", dependencies: ["ManagedObjects", "ObjectModel", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PersistentContainersTests",
      dependencies: [
        "PersistentContainers", "ManagedObjects", "SQLiteStore", "RESTStore", "ModelFiles",
        "ObjectModel", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ContractTests",
      dependencies: [
        "PersistentContainers", "FetchedResults", "ManagedObjects", "SQLiteStore", "ObjectModel",
        "TestStores", "TestSupport",
      ] + grdb,
      swiftSettings: strict),
    .testTarget(
      name: "FetchedResultsTests",
      dependencies: [
        "FetchedResults", "ManagedObjects", "SQLiteStore", "ObjectModel", "TestSupport",
      ],
      swiftSettings: strict),
    // The settings of a new project of Xcode: everything belongs to the main actor.
    .testTarget(
      name: "CoreDataNamesTests",
      dependencies: ["CoreDataNames", "ManagedObjects", "ObjectModel", "TestSupport"],
      resources: [.copy("DVDs.xcdatamodeld")],
      swiftSettings: [
        .defaultIsolation(MainActor.self), .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
      ]),
    // The settings of most public code: Swift 5, and warnings are warnings.
    .testTarget(
      name: "CoreDataProgramTests", dependencies: ["CoreDataNames"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "TerminalKitTests", dependencies: ["TerminalKit", "TestSupport"], exclude: ["Golden"],
      swiftSettings: strict),
    .testTarget(
      name: "NcursesTerminalTests", dependencies: ["NcursesTerminal", "TerminalKit", "CNcurses"],
      swiftSettings: strict),
    .testTarget(
      name: "RepositoryTests", dependencies: ["TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ListProvidersTests",
      dependencies: [
        "ListProviders", "FetchedResults", "ManagedObjects", "ObjectModel", "TerminalKit",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TerminalApplicationsTests",
      dependencies: [
        "TerminalApplications", "PersistentContainers", "ListProviders", "FetchedResults",
        "ManagedObjects", "ObjectModel", "TerminalKit", "TestSupport",
      ],
      swiftSettings: strict),
    // The settings of an ordinary client: Swift 6, and no upcoming feature.
    .testTarget(
      name: "ClientTests",
      dependencies: ["Cardfile", "CoreDataNames", "TestSupport"] + exports,
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "CardfileAppTests",
      dependencies: [
        "CardfileApp", "TerminalApplications", "ListProviders", "FetchedResults", "ManagedObjects",
        "ObjectModel", "TerminalKit", "SQLiteStore", "PostgreSQLStore", "TestStores", "TestSupport",
      ] + grdb,
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "CardfileTests",
      dependencies: [
        "cardfile", "cardfile-timestamps", "cardfile-colors", "cardfile-notes", "cardfile-dvds",
        "cardfile-people", "RowOutput", "ListProviders", "ManagedObjects", "SQLiteStore",
        "ModelFiles", "ObjectModel",
        "TerminalKit", "TestSupport", arguments,
      ] + grdb,
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

for (floor, targets) in floors {
  for target in package.targets where targets.contains(target.name) {
    target.path = "\(target.type == .test ? "Tests" : "Sources")/\(floor)/\(target.name)"
  }
}

/// Whether what draws is optimized in a debug build too: tests of screens take a third less of a
/// processor then, and building it little more. Assertions hold as in any debug build.
///
/// A package that depends on this one must not ask for it: SwiftPM would refuse the flags.
if Context.environment["CARDFILE_OPTIMIZED"] != nil {
  for target in package.targets where target.name == "TerminalKit" {
    target.swiftSettings = strict + [.unsafeFlags(["-O", "-assert-config", "Debug"])]
  }
}
