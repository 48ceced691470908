import Foundation
import ObjectModel
import Synchronization
import TerminalApplications
import TerminalKit
import TestSupport
import Testing

@testable import CardfileApp

/// The migration that is offered for a store that is shown with a model which it does not have.
@MainActor @Suite struct OfferedMigrationTests {
  private func stage(_ offered: @escaping @Sendable () throws -> OfferedMigration?) throws -> Stage
  {
    var services = StoreServices()
    services.migration = offered
    let stage = try Stage(services: services)
    finish(stage)
    return stage
  }

  private func finish(_ stage: Stage) {
    stage.wait {
      stage.settle()
      return !stage.app.session.jobs.isRunning
    }
    stage.draw()
  }

  @Test func `the plan is shown, and nothing is done without a y`() throws {
    let done = Count()
    let stage = try stage {
      OfferedMigration(lines: ["~ Person", "Lost: 12 values of Person.note"], refusals: []) {
        done.add()
        return "/a/people.backup.sqlite"
      }
    }
    #expect(stage.text.contains("Migrate the store to this model?"), "\(stage.text)")
    #expect(stage.text.contains("Lost: 12 values of Person.note"))
    stage.press(.escape)
    finish(stage)
    #expect(done.count == 0 && !stage.text.contains("Migrate the store"))

    stage.app.offerMigration()
    finish(stage)
    stage.press(.character("y"))
    finish(stage)
    #expect(done.count == 1)
  }

  @Test func `Esc cancels it while it runs`() throws {
    let begun = DispatchSemaphore(value: 0)
    let stage = try stage {
      OfferedMigration(lines: [], refusals: []) {
        FetchControl.current?.report(completed: 1, total: 4)
        begun.signal()
        while true {
          try FetchControl.check(doing: "migrating")
          usleep(1000)
        }
      }
    }
    stage.app.handle(.key(.character("y")))
    begun.wait()
    stage.draw()
    #expect(stage.status.contains("Migrating … 25 %  1/4   Esc cancel"), "\(stage.status)")
    stage.press(.escape)
    finish(stage)
    #expect(!stage.status.contains("Migrating … 25"))
  }

  @Test func `why it cannot be done is shown`() throws {
    let stage = try stage {
      OfferedMigration(lines: ["+ Section"], refusals: ["Post.sections is required"]) { nil }
    }
    #expect(stage.text.contains("The store cannot get this model"))
    #expect(stage.text.contains("Post.sections is required"))
  }

  @Test func `a store that has the model is not asked about`() throws {
    let stage = try stage { nil }
    #expect(!stage.text.contains("Migrate"))
  }

  /// How often the migration was carried out.
  private final class Count: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
  }
}
