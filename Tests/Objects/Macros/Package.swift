// swift-tools-version: 6.2
import PackageDescription

// A client of the package with the trait Macros. It is a package of its own, so that swift-syntax
// is compiled for these tests only: see `make macrocheck`.

let cardfile = ["FetchedResults", "ManagedObjects", "ObjectModel", "PersistentContainers"].map {
  Target.Dependency.product(name: $0, package: "cardfile")
}
func syntax(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "swift-syntax") }
}

let package = Package(
  name: "macro-tests",
  dependencies: [
    .package(name: "cardfile", path: "../../..", traits: ["Macros"]),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
  ],
  targets: [
    // The sources of the macro, through a symbolic link, as a library that tests can import: a
    // macro is a program, and no product of a package.
    .target(
      name: "ManagedMacroSources",
      dependencies: syntax(
        "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros"),
      path: "Sources/ManagedMacros", exclude: ["ManagedPlugin.swift"],
      swiftSettings: [.define("Macros")]),
    .testTarget(
      name: "ManagedMacroTests",
      dependencies: ["ManagedMacroSources"]
        + syntax(
          "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxMacroExpansion",
          "SwiftSyntaxMacros"),
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "ManagedClassTests", dependencies: cardfile,
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // The settings of a new project of Xcode: everything belongs to the main actor.
    .testTarget(
      name: "MainActorTests", dependencies: cardfile,
      swiftSettings: [
        .defaultIsolation(MainActor.self), .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
