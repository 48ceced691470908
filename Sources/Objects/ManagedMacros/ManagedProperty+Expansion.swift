#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder

  extension ManagedProperty {
    /// The declaration of the typed key.
    func key(in className: String) -> DeclSyntax {
      """
      \(raw: variable.modifiers.access)static let \(identifier.trimmed) = \
      ManagedKey<\(raw: className)>.key("\(raw: name)", \(type.trimmed).self)
      """
    }

    /// The members of the entity that declare the property, as Swift expressions.
    func members(in className: String) -> [String] {
      let key = "\(className).\(identifier.text)"
      var members: [String] = []
      if let marker = marker(.toMany) ?? marker(.toOne) {
        members.append(relationship(key, marker))
      } else {
        members.append(attribute(key))
      }
      if marker(.unique) != nil { members.append("Unique(\(key))") }
      if marker(.indexed) != nil { members.append("FetchIndex(\(key))") }
      return members
    }

    /// The member of the entity that mentions a property with `@Transient`; nil for any other, and if
    /// its type is not written.
    static func transientMember(_ variable: VariableDeclSyntax, in className: String) -> String? {
      guard variable.attributes.all.contains(where: { $0.marker == .transient }),
        !variable.isOfType, variable.bindings.count == 1, let binding = variable.bindings.first,
        let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
        let type = binding.typeAnnotation?.type.trimmedDescription
          ?? binding.initializer.flatMap({ literalType(of: $0.value) })
      else { return nil }
      // Only the compiler knows whether the type is that of an attribute.
      let plain = name.filter { $0 != "`" }
      return "ManagedKey<\(className)>.transient(\"\(plain)\", (\(type)).self)"
    }

    private func relationship(_ key: String, _ marker: AttributeSyntax) -> String {
      var arguments = [key]
      if let inverse = inverseKey(of: marker) { arguments.append("inverse: \(inverse)") }
      arguments += written(["isOptional"], of: marker)
      if let rule = marker.argument(nil) {
        arguments.append("deleteRule: \(rule.trimmedDescription)")
      }
      arguments += written(["minCount", "maxCount", "renamingIdentifier", "userInfo"], of: marker)
      return "\(marker.shortName)(\(arguments.joined(separator: ", ")))"
    }

    private func attribute(_ key: String) -> String {
      var arguments = [key]
      if let initialValue, !initialValue.is(NilLiteralExprSyntax.self) {
        arguments.append("default: \(initialValue.trimmedDescription)")
      }
      let marker = marker(.attribute)
      if let marker { arguments += written(["encoding"], of: marker) }
      if let derivation = self.marker(.derived)?.argument(nil) {
        arguments.append("derivation: \(derivation.trimmedDescription)")
      }
      if let marker { arguments += written(["renamingIdentifier", "userInfo"], of: marker) }
      // Only the compiler knows whether an optional is an attribute or a to-one relationship; the
      // key alone declares either.
      return arguments.count == 1 ? key : "Attribute(\(arguments.joined(separator: ", ")))"
    }

    /// The arguments with some labels, as they are written.
    private func written(_ labels: [String], of marker: AttributeSyntax) -> [String] {
      labels.compactMap { label in
        marker.argument(label).map { "\(label): \($0.trimmedDescription)" }
      }
    }
  }
#endif
