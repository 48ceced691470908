import Foundation
import NcursesTerminal
public import TerminalApplications
import TerminalKit

extension Application {
  /// Runs a program on the terminal, and exits the process with its status.
  ///
  /// - Parameter makeScreen: Makes the first screen, before the terminal is taken, so that an error
  ///   is one line on standard error and exit status 1.
  public static func run(_ makeScreen: () throws -> Screen) -> Never {
    let status: Int32
    do {
      let screen = try makeScreen()
      let terminal = try NcursesTerminal()
      status = Application(screen, terminal: terminal).run()
      terminal.close()
    } catch {
      let name = ProcessInfo.processInfo.processName
      FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
      status = 1
    }
    exit(status)
  }
}
