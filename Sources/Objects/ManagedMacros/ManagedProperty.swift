#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// A property of a class with `@Managed` whose value is in the context.
  struct ManagedProperty {
    let variable: VariableDeclSyntax
    let binding: PatternBindingSyntax
    /// The name as written, perhaps in backquotes.
    let identifier: TokenSyntax
    let type: TypeSyntax

    /// The name in the model.
    var name: String { identifier.text.trimming { $0 == "`" } }

    var initialValue: ExprSyntax? { binding.initializer?.value }

    func marker(_ marker: Marker) -> AttributeSyntax? {
      variable.attributes.all.first { $0.marker == marker }
    }

    /// Whether the context stores the values of a variable: it is a `var` of the object that is
    /// neither computed nor marked as transient.
    static func isManaged(_ variable: VariableDeclSyntax) -> Bool {
      variable.bindingSpecifier.tokenKind == .keyword(.var)
        && !variable.isOfType && !variable.attributes.all.contains { $0.marker == .transient }
        && variable.bindings.count == 1
        && variable.bindings.allSatisfy { $0.accessorBlock == nil }
        && !variable.modifiers.has(.lazy)
    }

    /// Reads a variable of a class with `@Managed`.
    ///
    /// - Returns: The property; nil if the variable is not stored, or if a mistake was reported.
    init?(_ variable: VariableDeclSyntax, in context: some MacroExpansionContext) {
      let markers = variable.attributes.all.filter { $0.marker != nil }
      if let transient = markers.first(where: { $0.marker == .transient }) {
        if let other = markers.first(where: { $0.marker != .transient }) {
          context.report(
            "@\(other.shortName) has no effect on a property that is not stored; remove it, or"
              + " @\(transient.shortName).", at: other)
        }
        return nil
      }
      if variable.isOfType || variable.isComputed {
        if let marker = markers.first {
          context.report(
            "@\(marker.shortName) is for stored properties of objects: write var without { … }"
              + " and without static.", at: marker)
        }
        return nil
      }
      guard Self.checkSpecifier(of: variable, in: context),
        let binding = variable.bindings.first,
        let (identifier, type) = Self.checkName(of: binding, in: context)
      else { return nil }
      self.variable = variable
      self.binding = binding
      self.identifier = identifier
      self.type = type
      guard checkMarkers(markers, in: context), checkInitialValue(in: context) else { return nil }
    }
  }

  extension VariableDeclSyntax {
    /// Whether it belongs to the class instead of its objects.
    var isOfType: Bool { modifiers.has(.static) || modifiers.has(.class) }

    /// Whether it has a getter.
    var isComputed: Bool {
      bindings.contains { binding in
        switch binding.accessorBlock?.accessors {
        case .getter: true
        case .accessors(let list):
          !list.contains { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
        case nil: false
        }
      }
    }
  }

  extension String {
    fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> String {
      String(drop(while: isTrimmed).reversed().drop(while: isTrimmed).reversed())
    }
  }
#endif
