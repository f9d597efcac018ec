import SwiftCompilerPlugin
import SwiftSyntaxMacros

// The compiler plug-in that expands `#Preview`, `@Previewable` and `@Entry`. It is a separate target, because it
// depends on swift-syntax.
@main
struct PreviewMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [PreviewMacro.self, PreviewableMacro.self, EntryMacro.self]
}
