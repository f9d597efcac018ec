import SwiftSyntax
import SwiftSyntaxMacros

/// The macro `@Previewable`, a mark that `#Preview` looks for. It generates no code itself.
public struct PreviewableMacro: PeerMacro {
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}
