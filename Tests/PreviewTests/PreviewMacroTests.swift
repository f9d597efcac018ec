import Testing

@Suite("Expansion of #Preview")
struct PreviewMacroTests {
    /// The minimum of the types that an expansion uses, so that it compiles.
    private static let stub = """
        protocol View {}
        protocol PreviewRegistry {
            static var fileID: String { get }
            static var line: Int { get }
            static var column: Int { get }
            @MainActor static func makePreview() throws -> Preview
        }
        struct Preview {
            enum Trait { case portrait, fixedLayout(width: Double, height: Double) }
            init(_ name: String? = nil, traits: Trait..., @ViewBuilder body: @escaping @MainActor () -> any View) {}
        }
        @resultBuilder enum ViewBuilder { static func buildBlock(_ view: any View) -> any View { view } }
        @propertyWrapper struct State<Value> {
            var wrappedValue: Value
            var projectedValue: Value { wrappedValue }
        }
        struct V: View { init(_ number: Int = 0) {} }
        struct Toggle: View {
            init(_ words: String, isOn: Bool) {}
            var body: some View { self }
        }
        func make() -> any View { V() }
        @freestanding(declaration)
        macro Preview(
            _ name: String? = nil, traits: Preview.Trait..., @ViewBuilder body: @escaping @MainActor () -> any View = make
        ) = #externalMacro(module: "PreviewMacros", type: "PreviewMacro")
        @attached(peer) macro Previewable() = #externalMacro(module: "PreviewMacros", type: "PreviewableMacro")
        """

    private func expanded(_ source: String) async throws -> (text: String, isCompiled: Bool) {
        let expansion = try await MacroExpansion(of: source, with: PreviewMacroTests.stub)
        return (expansion.text, expansion.isCompiled)
    }

    @Test("#Preview expands to a type with its position, name and body")
    func named() async throws {
        let (text, isCompiled) = try await expanded(
            """
            struct W {}
            #Preview("Two") {
                let n = 2
                V(n)
            }
            """)
        #expect(isCompiled)
        #expect(text.contains(": DeclarativeUI.PreviewRegistry {"), "\(text)")
        #expect(text.contains("static var fileID: Swift.String {\n\"DeclarativeUI/Player.swift\"\n}"), "\(text)")
        #expect(text.contains("static var line: Swift.Int {\n2\n}"), "\(text)")
        #expect(text.contains("return DeclarativeUI.Preview(\"Two\") {\nlet n = 2\nV(n)\n}"), "\(text)")
    }

    @Test(
        "the name, the traits and the body are passed on as written",
        arguments: [
            (
                "#Preview(\"A\", traits: .portrait, .fixedLayout(width: 1, height: 2)) { V() }",
                "DeclarativeUI.Preview(\"A\", traits: .portrait, .fixedLayout(width: 1, height: 2)) {\nV()\n}"
            ), ("#Preview { V() }", "DeclarativeUI.Preview() {\nV()\n}"),
            ("#Preview(body: make)", "DeclarativeUI.Preview(body: make)"),
            ("#Preview(\"A\", body: make)", "DeclarativeUI.Preview(\"A\", body: make)"),
        ])
    func arguments(_ source: String, _ expected: String) async throws {
        let (text, isCompiled) = try await expanded(source)
        #expect(isCompiled && text.contains(expected), "\(text)")
    }

    @Test("@Previewable properties become properties of a wrapper view")
    func previewable() async throws {
        let (text, isCompiled) = try await expanded(
            """
            #Preview {
                @Previewable @State var isOn = false
                Toggle("On", isOn: $isOn)
            }
            """)
        let wrapper =
            ": DeclarativeUI.View {\n@State var isOn = false\nvar body: some DeclarativeUI.View {\nToggle(\"On\", isOn: $isOn)\n}\n}"
        #expect(isCompiled && text.contains(wrapper), "\(text)")
        #expect(!text.contains("@Previewable"), "\(text)")
    }

    @Test("without a closure the compiler reports that one is required")
    func missing() async throws {
        let (text, isCompiled) = try await expanded("#Preview(\"A\")")
        #expect(!isCompiled && text.contains("#Preview requires a closure that returns a view"), "\(text)")
    }
}
