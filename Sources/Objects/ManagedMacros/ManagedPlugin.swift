// SwiftPM builds this target for the package itself without the trait Macros too, which decides
// whether swift-syntax is there.

#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  /// The program that the compiler asks for expansions.
  @main
  struct ManagedPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
      ManagedMacro.self, ManagedPropertyMacro.self, MarkerMacro.self,
    ]
  }
#else
  @main
  enum ManagedPlugin {
    static func main() {}
  }
#endif
