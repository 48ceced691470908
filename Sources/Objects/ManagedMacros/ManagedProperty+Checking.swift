#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  extension ManagedProperty {
    /// Names that members of every class with an entity have.
    private static let reserved: Set<String> = [
      "entityName", "properties", "uniqueIdentifier", "KeyOwner", "Properties",
      "shouldAutoGenerateGloballyUniqueIdentifiers",
    ]

    /// Checks that a variable is one `var` whose value a context can store.
    static func checkSpecifier(
      of variable: VariableDeclSyntax, in context: some MacroExpansionContext
    ) -> Bool {
      if variable.bindingSpecifier.tokenKind == .keyword(.let) {
        context.report(
          "The context stores the value, so it is a var; mark what is not stored as @Transient.",
          at: variable.bindingSpecifier,
          fixIts: [
            .replacing(
              variable.bindingSpecifier,
              with: variable.bindingSpecifier.with(\.tokenKind, .keyword(.var)), "Write var")
          ])
        return false
      }
      if let modifier = variable.modifiers.first(where: {
        [.keyword(.lazy), .keyword(.weak), .keyword(.unowned)].contains($0.name.tokenKind)
      }) {
        context.report(
          "The context stores the value, not the object; remove \(modifier.name.text), or mark the"
            + " property as @Transient.", at: modifier)
        return false
      }
      if let second = variable.bindings.dropFirst().first {
        context.report("Write a var of its own for each property.", at: second)
        return false
      }
      if let block = variable.bindings.first?.accessorBlock {
        context.report(
          "The context stores the value, so willSet and didSet are not called; override willSave(),"
            + " or set this property in a computed one.", at: block)
        return false
      }
      return true
    }

    /// Checks that a property has a name and a type.
    static func checkName(
      of binding: PatternBindingSyntax, in context: some MacroExpansionContext
    ) -> (TokenSyntax, TypeSyntax)? {
      guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
        context.report("Write a var of its own for each property.", at: binding.pattern)
        return nil
      }
      let identifier = pattern.identifier
      if reserved.contains(identifier.text) {
        context.report(
          "“\(identifier.text)” is a member of every entity's class; choose another name.",
          at: identifier)
        return nil
      }
      guard let type = binding.typeAnnotation?.type else {
        let name = binding.initializer.flatMap { Self.literalType(of: $0.value) } ?? "<#Type#>"
        let typed = binding.with(
          \.pattern, PatternSyntax(pattern.with(\.identifier.trailingTrivia, []))
        ).with(
          \.typeAnnotation,
          TypeAnnotationSyntax(
            colon: .colonToken(trailingTrivia: .space), type: TypeSyntax("\(raw: name)"),
            trailingTrivia: binding.initializer == nil ? [] : .space))
        context.report(
          "\(identifier.text) needs a type: a macro sees only what is written.", at: binding,
          fixIts: [.replacing(binding, with: typed, "Write its type")])
        return nil
      }
      if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
        context.report(
          "A property without a value reads as nil or as 0, false or empty; write"
            + " \(unwrapped.wrappedType.trimmedDescription)? or"
            + " \(unwrapped.wrappedType.trimmedDescription).", at: unwrapped.exclamationMark)
        return nil
      }
      return (identifier, type)
    }

    static func literalType(of value: ExprSyntax) -> String? {
      switch value.kind {
      case .integerLiteralExpr: "Int"
      case .floatLiteralExpr: "Double"
      case .stringLiteralExpr: "String"
      case .booleanLiteralExpr: "Bool"
      default: nil
      }
    }

    /// Checks that markers agree with each other and with the type.
    func checkMarkers(
      _ markers: [AttributeSyntax], in context: some MacroExpansionContext
    ) -> Bool {
      let relationship = markers.first { $0.marker?.isRelationship == true }
      for marker in markers {
        switch marker.marker {
        case .attribute, .derived:
          guard relationship != nil || isCollection else { continue }
          let other = relationship.map { "@\($0.shortName)" } ?? "a set or an array"
          context.report(
            "@\(marker.shortName) is for attributes, and \(other) for relationships; remove one.",
            at: marker)
          return false
        case .unique where relationship?.marker == .toMany || isCollection:
          context.report("A to-many relationship cannot be unique; remove @Unique.", at: marker)
          return false
        case .indexed where relationship?.marker == .toMany || isCollection:
          context.report("A to-many relationship has no index; remove @Indexed.", at: marker)
          return false
        case .toOne:
          if markers.contains(where: { $0.marker == .toMany }) {
            context.report("A relationship is to-one or to-many; remove one.", at: marker)
            return false
          }
          guard !isOptional else { break }
          context.report(
            "@ToOne needs an optional: an object is nil until it is set. isOptional: false makes"
              + " saving it as nil an error.", at: type,
            fixIts: isCollection ? [] : [writing("\(type.trimmedDescription)?")])
          return false
        case .toMany:
          guard !isCollection else { break }
          let destination =
            type.as(OptionalTypeSyntax.self)?.wrappedType.trimmedDescription
            ?? type.trimmedDescription
          context.report(
            "@ToMany needs a set, or an array if it is ordered: Set<\(destination)> or"
              + " [\(destination)].", at: type,
            fixIts: [writing("Set<\(destination)>")])
          return false
        default: break
        }
        guard let inverse = marker.argument("inverse"), inverseKey(of: marker) == nil else {
          continue
        }
        context.report(
          "The inverse is written as a key path with its class, as in \\DVD.owner.", at: inverse)
        return false
      }
      return true
    }

    /// Another type in place of that of the property.
    private func writing(_ other: String) -> FixIt {
      .replacing(
        type, with: TypeSyntax("\(raw: other)").with(\.trailingTrivia, type.trailingTrivia),
        "Write \(other)")
    }

    /// Checks that only attributes that are not derived have a default value.
    func checkInitialValue(in context: some MacroExpansionContext) -> Bool {
      guard let initializer = binding.initializer, !initializer.value.is(NilLiteralExprSyntax.self)
      else { return true }
      let isRelationship = isCollection || marker(.toOne) != nil || marker(.toMany) != nil
      guard isRelationship || marker(.derived) != nil else { return true }
      let bare = binding.with(\.initializer, nil).with(
        \.typeAnnotation, binding.typeAnnotation?.with(\.type.trailingTrivia, []))
      context.report(
        isRelationship
          ? "A relationship has no default value: a new object has no destinations."
          : "A derived attribute has no default value: the store computes it.", at: initializer,
        fixIts: [.replacing(binding, with: bare, "Remove the value")])
      return false
    }

    var isOptional: Bool {
      type.is(OptionalTypeSyntax.self)
        || type.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
    }

    var isCollection: Bool {
      type.is(ArrayTypeSyntax.self)
        || ["Set", "Array"].contains(type.as(IdentifierTypeSyntax.self)?.name.text)
    }

    /// The key of an inverse that is written as a key path of instances: `DVD.owner`.
    func inverseKey(of marker: AttributeSyntax) -> String? {
      guard let path = marker.argument("inverse")?.as(KeyPathExprSyntax.self), path.root != nil
      else { return nil }
      return String(path.trimmedDescription.dropFirst())
    }
  }
#endif
