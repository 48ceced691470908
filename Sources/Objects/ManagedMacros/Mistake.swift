#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// A mistake in a declaration, which the compiler shows at the place where it is.
  struct Mistake: DiagnosticMessage {
    let message: String
    let diagnosticID = MessageID(domain: "ManagedMacros", id: "mistake")
    let severity = DiagnosticSeverity.error

    init(_ message: String) { self.message = message }
  }

  /// What an editor offers to do about a mistake.
  struct Remedy: FixItMessage {
    let message: String
    let fixItID = MessageID(domain: "ManagedMacros", id: "remedy")

    init(_ message: String) { self.message = message }
  }

  extension MacroExpansionContext {
    func report(_ message: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
      diagnose(Diagnostic(node: node, message: Mistake(message), fixIts: fixIts))
    }
  }

  extension FixIt {
    /// Replaces a part of the source by another.
    static func replacing(
      _ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ message: String
    ) -> FixIt {
      FixIt(
        message: Remedy(message),
        changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }
  }
#endif
