import ArgumentParser
import Foundation
import ManagedObjects
import ModelFiles
import ObjectModel
import RowOutput
import SQLiteStore

extension Cardfile {
  /// Runs the program and exits with its status.
  static func main() {
    // Let write(2) fail with EPIPE, which StandardOutput handles, instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    // Let write(2) fail with EFBIG beyond the limit of `ulimit -f`: SQLite rolls back then.
    signal(SIGXFSZ, SIG_IGN)
    openMissingStandardStreams()
    var offersCopy = false
    do {
      var command = try parsed()
      offersCopy = !(command is Delete || command is Import)
      if command is Browse || command is Demo {
        try Interruption.checkThreads()
        try command.run()  // The screen has its own handlers.
      } else {
        try Interruption.watching { try command.run() }
      }
    } catch {
      if let signal = Interruption.signal {
        writeToStandardError(
          "cardfile: interrupted; nothing was written to the store, and the output is incomplete")
        Interruption.end(by: signal)
      }
      Foundation.exit(report(offersCopy ? error.offeringCopy : error))
    }
  }

  /// The arguments, of which bytes that are no UTF-8 stay known: a file may have any name.
  ///
  /// `CommandLine.arguments` would have U+FFFD for them.
  private static var arguments: [String] {
    (1..<max(Int(CommandLine.argc), 1)).compactMap { index in
      CommandLine.unsafeArgv[index].map { String(fileSystemPath: $0) }
    }
  }

  /// Opens /dev/null for standard streams that are closed.
  ///
  /// Otherwise a database could get their file descriptors and receive what the program prints.
  private static func openMissingStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // Read-only: writing to a closed stream must still fail.
      _ = open("/dev/null", O_RDONLY)
    }
  }

  /// Prints an error in the form that suits its type, and returns the exit status.
  private static func report(_ error: any Error) -> Int32 {
    switch error {
    case let error as ExitCode: return error.rawValue
    case is StandardOutput.ReaderGone: return ExitStatus.done.rawValue
    case let failure as Failure: return report(failure)
    case let error as StoreError: return report(Failure(error))
    case let error as ModelFileError: return report(Failure(error))
    case let error as ManagedObjectError: return report(Failure(error))
    case _ where exitCode(for: error) == .success: return printHelp(fullMessage(for: error))
    default: return report(Failure(.refused, "\(error)"))
    }
  }

  private static func report(_ failure: Failure) -> Int32 {
    for line in failure.lines { writeToStandardError(line) }
    return failure.status.rawValue
  }

  /// Parses the arguments.
  ///
  /// A parsing error is thrown as a ``Failure``; the parser's "errors" that ask for help or the
  /// version are thrown unchanged.
  private static func parsed() throws -> any ParsableCommand {
    do {
      return try parseAsRoot(arguments)
    } catch let error where exitCode(for: error) != .success {
      throw Failure(.usage, withoutFarName(message(for: error)), try: helpCommand)
    }
  }

  /// A message without the name that it suggests, if that has little in common with what was typed.
  private static func withoutFarName(_ message: String) -> String {
    guard let match = message.firstMatch(of: #/'-*([^']*)'\. Did you mean '-*([^']*)'\?/#),
      NearestNames.suggestions(for: String(match.1), in: [String(match.2)]).isEmpty
    else { return message }
    return message.replacing(#/ Did you mean '[^']*'\?/#, with: "")
  }

  /// Prints the help, the version or a completion script, and returns the exit status.
  private static func printHelp(_ text: String) -> Int32 {
    do {
      var output = StandardOutput()
      try output.writeUnchanged(text)
      try output.flush()
      return ExitStatus.done.rawValue
    } catch {
      return report(error)
    }
  }

  /// The command that shows the help for the command that was typed.
  private static var helpCommand: String {
    let word = arguments.first ?? ""
    let isCommand = configuration.subcommands.contains { $0.configuration.commandName == word }
    return isCommand ? "cardfile \(word) --help" : "cardfile --help"
  }
}
