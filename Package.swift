// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let collections = Target.Dependency.product(name: "Collections", package: "swift-collections")

let package = Package(
  name: "cardfile",
  products: [
    .library(name: "ObjectModel", targets: ["ObjectModel"]),
    .library(name: "ManagedObjects", targets: ["ManagedObjects"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: [
    .target(name: "ObjectModel", dependencies: [collections], swiftSettings: strict),
    .target(name: "ManagedObjects", dependencies: ["ObjectModel"], swiftSettings: strict),
    .testTarget(
      name: "ObjectModelTests", dependencies: ["ObjectModel"], swiftSettings: strict),
    .testTarget(
      name: "ManagedObjectsTests", dependencies: ["ManagedObjects", "ObjectModel"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
