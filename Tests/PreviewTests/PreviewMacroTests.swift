import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

@testable import PreviewMacros

@Suite("What #Preview writes")
struct PreviewMacroTests {
    private func expanded(_ source: String) -> (text: String, errors: [String]) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(sourceFiles: [
            file: .init(moduleName: "App", fullFilePath: "/src/App/Player.swift")
        ])
        let result = file.expand(
            macros: ["Preview": PreviewMacro.self, "Previewable": PreviewableMacro.self],
            contextGenerator: { syntax in
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: syntax.allMacroLexicalContexts())
            })
        // Without what is only for the eye.
        let text = result.description.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }.joined(
            separator: "\n")
        return (text, context.diagnostics.map(\.message))
    }

    @Test("a type that tells where it stands and makes the preview, its name and its lines as they were written")
    func named() {
        let (text, errors) = expanded(
            """
            struct V {}
            #Preview("Two") {
                let n = 2
                V(n)
            }
            """)
        #expect(errors.isEmpty)
        #expect(text.contains(": DeclarativeUI.PreviewRegistry {"))
        #expect(text.contains("static var fileID: Swift.String {\n\"App/Player.swift\"\n}"))
        #expect(text.contains("static var line: Swift.Int {\n2\n}"))
        #expect(text.contains("return DeclarativeUI.Preview(\"Two\") {\nlet n = 2\nV(n)\n}"), "\(text)")
    }

    @Test("traits are handed on; without a name there is none; a function is called by the preview")
    func arguments() {
        #expect(
            expanded("#Preview(\"A\", traits: .portrait, .fixedLayout(width: 1, height: 2)) { V() }").text
                .contains(
                    "DeclarativeUI.Preview(\"A\", traits: .portrait, .fixedLayout(width: 1, height: 2)) {\nV()\n}"))
        #expect(expanded("#Preview { V() }").text.contains("DeclarativeUI.Preview() {\nV()\n}"))
        #expect(expanded("#Preview(body: make)").text.contains("DeclarativeUI.Preview(body: make)"))
        #expect(expanded("#Preview(\"A\", body: make)").text.contains("DeclarativeUI.Preview(\"A\", body: make)"))
    }

    @Test("properties marked @Previewable become those of a view around the other lines")
    func previewable() {
        let text = expanded(
            """
            #Preview {
                @Previewable @State var isOn = false
                Toggle("On", isOn: $isOn)
            }
            """
        ).text
        #expect(
            text.contains(
                ": DeclarativeUI.View {\n@State var isOn = false\nvar body: some DeclarativeUI.View {\nToggle(\"On\", isOn: $isOn)\n}\n}"
            ), "\(text)")
        #expect(!text.contains("@Previewable"))
    }

    @Test("without a closure it says what it needs")
    func missing() {
        #expect(expanded("#Preview(\"A\")").errors == ["#Preview needs a closure that makes a view"])
    }
}
