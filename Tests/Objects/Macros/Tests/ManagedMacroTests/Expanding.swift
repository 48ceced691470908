import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import ManagedMacroSources

/// What the macro makes of a source.
struct Expansion {
  /// The source with everything that is added.
  let text: String
  /// Each mistake as `line:column: message`, and what is offered to correct it as `→ text`.
  let mistakes: [String]

  /// Expands a source.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - isSubclass: Whether the superclass of its class has an entity already.
  init(of source: String, isSubclass: Bool = false) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let markers = Marker.allCases.map { ($0.rawValue, MacroSpec(type: MarkerMacro.self)) }
    var specs = Dictionary(uniqueKeysWithValues: markers)
    specs["Managed"] = MacroSpec(
      type: ManagedMacro.self, conformances: isSubclass ? [] : ["EntityClass"])
    specs["ManagedProperty"] = MacroSpec(type: ManagedPropertyMacro.self)
    text =
      file.expand(
        macroSpecs: specs,
        contextGenerator: {
          BasicMacroExpansionContext(
            sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
        }, indentationWidth: .spaces(2)
      ).description.trimming("\n")
    mistakes = context.diagnostics.flatMap { diagnostic in
      let place = context.location(
        for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "Test.swift")
      let fixes = diagnostic.fixIts.flatMap(\.changes).compactMap { change in
        if case .replace(_, let new) = change { "→ \(new.trimmedDescription)" } else { nil }
      }
      return ["\(place.line):\(place.column): \(diagnostic.message)"] + fixes
    }
  }
}

extension String {
  /// The text without a prefix, which is left where an attribute was.
  fileprivate func trimming(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}
