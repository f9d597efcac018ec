import SwiftCompilerPlugin
import SwiftSyntaxMacros

// What the compiler runs beside itself for `#Preview`. Apart from everything else, because it brings swift-syntax.
@main
struct PreviewMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [PreviewMacro.self, PreviewableMacro.self]
}
