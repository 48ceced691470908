#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// `@Managed`: the keys of a class, what its entity consists of, and the accessors of its
  /// properties.
  enum ManagedMacro {
    /// The class, if the macro can be applied to it.
    static func checkedClass(
      _ declaration: some DeclGroupSyntax, _ node: AttributeSyntax,
      in context: some MacroExpansionContext
    ) -> ClassDeclSyntax? {
      guard let type = declaration.as(ClassDeclSyntax.self) else {
        context.report(
          "@Managed is for classes of objects: write final class … : ManagedObject.", at: node)
        return nil
      }
      if let generics = type.genericParameterClause {
        context.report("An entity has one class, so it cannot be generic.", at: generics)
        return nil
      }
      if type.inheritanceClause == nil {
        let inheriting = type.with(\.name.trailingTrivia, []).with(
          \.inheritanceClause,
          InheritanceClauseSyntax(
            colon: .colonToken(trailingTrivia: .space),
            inheritedTypes: [
              InheritedTypeSyntax(type: TypeSyntax("ManagedObject"), trailingTrivia: .space)
            ]))
        context.report(
          "A class with @Managed is a subclass of ManagedObject: a macro cannot add a superclass.",
          at: type.name,
          fixIts: [.replacing(type, with: inheriting, "Add the superclass ManagedObject")])
        return nil
      }
      return type
    }
  }

  extension ManagedMacro: MemberMacro {
    static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      guard let type = checkedClass(declaration, node, in: context) else { return [] }
      let variables = type.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
      let properties = variables.compactMap { ManagedProperty($0, in: context) }
      let className = type.name.text
      // A class that conforms already has a superclass with an entity, unless it says so itself.
      let isSubclass =
        protocols.isEmpty
        && !(type.inheritanceClause?.inheritedTypes.contains {
          $0.type.trimmedDescription == "EntityClass"
        } ?? false)
      let modifiers =
        type.modifiers.access + (isSubclass ? "override " : "")
        + (type.modifiers.has(.final) ? "static" : "class")
      let name = node.argument("entity")?.trimmedDescription ?? "\"\(className)\""
      let members =
        properties.flatMap { $0.members(in: className) }
        + variables.compactMap { ManagedProperty.transientMember($0, in: className) }
        + combined("unique", "Unique", of: node)
        + combined("indexes", "FetchIndex", of: node) + options(of: node)
      let list = members.map { "\n    \($0)," }.joined()
      return properties.map { $0.key(in: className) } + [
        "\(raw: modifiers) var entityName: String { \(raw: name) }",
        """
        \(raw: modifiers) var properties: EntityClass.Properties {
          [\(raw: list)\(raw: list.isEmpty ? "" : "\n  ")]
        }
        """,
      ]
    }

    /// Constraints or indexes of several properties, which are written as arrays of names.
    private static func combined(
      _ label: String, _ member: String, of node: AttributeSyntax
    ) -> [String] {
      guard let lists = node.argument(label)?.as(ArrayExprSyntax.self) else { return [] }
      return lists.elements.compactMap { list in
        list.expression.as(ArrayExprSyntax.self).map { names in
          "\(member)(\(names.elements.trimmedDescription))"
        }
      }
    }

    private static func options(of node: AttributeSyntax) -> [String] {
      let labels = ["isAbstract", "renamingIdentifier", "userInfo"]
      let arguments = labels.compactMap { label in
        node.argument(label).map { "\(label): \($0.trimmedDescription)" }
      }
      return arguments.isEmpty ? [] : ["EntityOptions(\(arguments.joined(separator: ", ")))"]
    }
  }

  extension ManagedMacro: MemberAttributeMacro {
    static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingAttributesFor member: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
      guard declaration.is(ClassDeclSyntax.self),
        let variable = member.as(VariableDeclSyntax.self), ManagedProperty.isManaged(variable)
      else { return [] }
      return ["@ManagedProperty"]
    }
  }

  extension ManagedMacro: ExtensionMacro {
    static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      guard !protocols.isEmpty, let declaration = declaration.as(ClassDeclSyntax.self),
        declaration.inheritanceClause != nil, declaration.genericParameterClause == nil
      else { return [] }
      return [
        try ExtensionDeclSyntax("nonisolated extension \(type.trimmed): EntityClass {}")
      ]
    }
  }
#endif
