import ArgumentParser
import Foundation
import ManagedObjects
import ModelFiles
import ObjectModel

extension Cardfile {
  /// Runs the program: every way out but a signal goes through here.
  static func main() {
    // A reader that goes away is an error of write(2), which ends us quietly.
    signal(SIGPIPE, SIG_IGN)
    keepStandardStreamsTaken()
    do {
      var command = try parsed()
      try command.run()
    } catch {
      Foundation.exit(report(error))
    }
  }

  /// Points standard streams that are closed at nothing, so that no database is ever opened in their place.
  private static func keepStandardStreamsTaken() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // For reading alone: writing to a closed stream stays an error.
      _ = open("/dev/null", O_RDONLY)
    }
  }

  /// Tells an error the way its kind asks for, and returns the exit status.
  private static func report(_ error: any Error) -> Int32 {
    switch error {
    case let error as ExitCode: return error.rawValue
    case is StandardOutput.ReaderGone: return ExitStatus.done.rawValue
    case let failure as Failure: return tell(failure)
    case let error as StoreError: return tell(Failure(error))
    case let error as ModelFileError: return tell(Failure(error))
    case let error as ManagedObjectError: return tell(Failure(error))
    case _ where exitCode(for: error) == .success: return show(fullMessage(for: error))
    default: return tell(Failure(.refused, "\(error)"))
    }
  }

  private static func tell(_ failure: Failure) -> Int32 {
    writeToStandardError(failure.description)
    return failure.status.rawValue
  }

  /// Reads the arguments; what the parser cannot read is a failure of ours, but help and the like go their way.
  private static func parsed() throws -> any ParsableCommand {
    do {
      return try parseAsRoot()
    } catch let error where exitCode(for: error) != .success {
      throw Failure(.usage, message(for: error), try: helpCommand)
    }
  }

  /// Prints help, a version or a completion script: "errors" of the parser that are none.
  private static func show(_ text: String) -> Int32 {
    do {
      var output = StandardOutput()
      try output.writeLine(text)
      try output.flush()
      return ExitStatus.done.rawValue
    } catch {
      return report(error)
    }
  }

  /// The command that shows the help for what was typed.
  private static var helpCommand: String {
    let word = CommandLine.arguments.dropFirst().first ?? ""
    let isCommand = configuration.subcommands.contains { $0.configuration.commandName == word }
    return isCommand ? "cardfile \(word) --help" : "cardfile --help"
  }
}
