#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// The accessors of a property of a class with `@Managed`.
  enum ManagedPropertyMacro: AccessorMacro {
    static func expansion(
      of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
      guard let variable = declaration.as(VariableDeclSyntax.self),
        let pattern = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self),
        let type = context.lexicalContext.first?.as(ClassDeclSyntax.self)
      else { return [] }
      let key = "\(type.name.text).\(pattern.identifier.text)"
      let getter: AccessorDeclSyntax = "get { self[\(raw: key)] }"
      // The store computes a derived attribute.
      if variable.attributes.all.contains(where: { $0.marker == .derived }) { return [getter] }
      return [getter, "set { self[\(raw: key)] = newValue }"]
    }
  }

  /// `@Unique` and its like, which `@Managed` reads.
  enum MarkerMacro: PeerMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let type = context.lexicalContext.first?.asProtocol((any DeclGroupSyntax).self)
      let isRead =
        declaration.is(VariableDeclSyntax.self)
        && type?.attributes.all.contains { $0.shortName == "Managed" } == true
      if !isRead {
        context.report(
          "@\(node.shortName) is for properties in the body of a class with @Managed.", at: node)
      }
      return []
    }
  }
#endif
