import TerminalKit
import Testing

@testable import CardfileApp

/// How fresh what is shown of a service is, in the title of its lists.
@MainActor @Suite struct FreshnessTests {
  private func title(_ problem: String?, width: Int, height: Int) throws -> String {
    var services = StoreServices()
    services.freshness = { (problem, "3 min old") }
    return try Stage("Person", width: width, height: height, services: services).lines[0]
  }

  @Test(arguments: [(200, 50), (80, 24), (40, 12), (20, 5)])
  func `a service that cannot be reached is said on any screen`(width: Int, height: Int) throws {
    let title = try title("offline", width: width, height: height)
    #expect(title.contains("offline"), "\(title)")
  }

  @Test func `its age comes last`() throws {
    #expect(try title("offline", width: 120, height: 35).hasSuffix("· 3 min old"))
    #expect(try title(nil, width: 120, height: 35).contains(" 20 objects ·"))
  }
}
