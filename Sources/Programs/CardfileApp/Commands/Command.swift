/// A command of the command line `:`.
struct Command {
  /// What can be typed after a command's name, by which it is completed.
  enum Argument: Hashable {
    case none, keyPaths, sections, columns, kind, predicate, entity, path, setting, command
    case assignment
  }

  /// The names; the help shows the first one.
  let names: [String]
  /// The argument as the help shows it, such as `KEYS`; empty for none.
  let label: String
  let argument: Argument
  /// Whether the command needs its argument.
  let isArgumentRequired: Bool
  /// What it does, for the help.
  let help: String
  /// Runs it; an error in the argument is thrown as a ``TypedTextError`` in it.
  let run: (App, String) throws(TypedTextError) -> Void

  init(
    _ names: String..., argument: Argument = .none, label: String = "", isRequired: Bool = false,
    help: String, run: @escaping (App, String) throws(TypedTextError) -> Void
  ) {
    self.names = names
    self.argument = argument
    self.label = label
    isArgumentRequired = isRequired
    self.help = help
    self.run = run
  }

  /// The command as it is typed: `:sort KEYS`; an argument that can be left out is in brackets.
  var usage: String {
    let shown = names.map { ":\($0)" }.joined(separator: " ")
    guard !label.isEmpty else { return shown }
    return shown + (isArgumentRequired ? " \(label)" : " [\(label)]")
  }
}
