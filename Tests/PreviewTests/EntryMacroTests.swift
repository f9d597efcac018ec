import Testing

@Suite("Expansion of @Entry")
struct EntryMacroTests {
    /// The minimum of the types that an expansion uses, so that it compiles.
    private static let stub = """
        protocol EnvironmentKey {
            associatedtype Value
            static var defaultValue: Value { get }
        }
        protocol FocusedValueKey { associatedtype Value }
        struct EnvironmentValues {
            subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
                get { K.defaultValue }
                set {}
            }
            subscript<M, V>(_entry key: M.Type, default value: @autoclosure () -> V) -> V {
                get { value() }
                set {}
            }
        }
        struct FocusedValues {
            subscript<K: FocusedValueKey>(key: K.Type) -> K.Value? {
                get { nil }
                set {}
            }
        }
        struct Transaction {}
        final class Model {}
        @attached(accessor) @attached(peer, names: prefixed(__Key_))
        macro Entry() = #externalMacro(module: "PreviewMacros", type: "EntryMacro")
        """

    private func expanded(_ property: String, in type: String = "EnvironmentValues") async throws -> MacroExpansion {
        try await MacroExpansion(of: "extension \(type) {\n\(property)\n}", with: EntryMacroTests.stub)
    }

    @Test("a property with a type becomes a key, getter and setter")
    func typed() async throws {
        let expansion = try await expanded("@Entry var count: Int = 3")
        #expect(expansion.isCompiled)
        let key =
            "private struct __Key_count: DeclarativeUI.EnvironmentKey {\ntypealias Value = Int\n"
            + "static var defaultValue: Value {\nreturn 3\n}\n}"
        for part in [key, "self[__Key_count.self]\n", "self[__Key_count.self] = newValue"] {
            #expect(expansion.text.contains(part), "\(expansion.text)")
        }
    }

    @Test("the type of a property without an annotation is inferred")
    func inferred() async throws {
        let expansion = try await expanded("@Entry var name = \"x\"")
        #expect(expansion.isCompiled)
        for part in ["private enum __Key_name {", "self[_entry: __Key_name.self, default: \"x\"] = newValue"] {
            #expect(expansion.text.contains(part), "\(expansion.text)")
        }
    }

    @Test(
        "default values are nil, closures, members and objects that aren't Sendable",
        arguments: [
            ("@Entry var a: Model?", "return nil"), ("@Entry var a: Model!", "typealias Value = Model?"),
            ("@Entry var a: Optional<Model>", "return nil"), ("@Entry var a: () -> Void = {}", "return {\n}"),
            ("@Entry var a: Model = Model()", "return Model()"), ("@Entry var a = Model()", "default: Model()"),
            ("@Entry var `default`: Int = .max", "struct __Key_default"),
            ("@Entry fileprivate var a: (any Equatable)? = nil", "typealias Value = (any Equatable)?"),
        ])
    func values(_ property: String, _ part: String) async throws {
        let expansion = try await expanded(property)
        #expect(expansion.isCompiled && expansion.text.contains(part), "\(expansion.text)")
    }

    @Test("an entry of FocusedValues has a key of the wrapped type")
    func focused() async throws {
        let expansion = try await expanded("@Entry var note: String?", in: "FocusedValues")
        let key = "private struct __Key_note: DeclarativeUI.FocusedValueKey {\ntypealias Value = String\n}"
        #expect(expansion.isCompiled && expansion.text.contains(key), "\(expansion.text)")
    }

    @Test(
        "a wrong use is an error at the code to be changed",
        arguments: [
            ("EnvironmentValues", "@Entry static var a: Int = 3", 8, "Remove “static”."),
            ("EnvironmentValues", "@Entry let a: Int = 3", 8, "Write “var” instead of “let”."),
            ("EnvironmentValues", "@Entry var a: Int { 3 }", 19, "Replace the body of “a” with a default value."),
            ("EnvironmentValues", "@Entry var a: Int", 12, "“a” requires a default value."),
            ("FocusedValues", "@Entry var a: Int", 12, "“a” of FocusedValues requires an optional type"),
            ("FocusedValues", "@Entry var a: Int? = 3", 22, "Remove the default value."),
            ("Transaction", "@Entry var a: Int = 3", 1, "can't add values to Transaction on Linux."),
            ("String", "@Entry var a: Int = 3", 1, "an extension of EnvironmentValues or FocusedValues."),
        ])
    func mistakes(_ type: String, _ property: String, _ column: Int, _ words: String) async throws {
        let expansion = try await expanded(property, in: type)
        let error = expansion.text.split(separator: "\n").first { $0.contains("Player.swift:2:\(column): error: ") }
        #expect(!expansion.isCompiled && error?.contains(words) == true, "\(expansion.text)")
    }

    @Test("an entry outside of an extension is an error", arguments: ["struct S {", "func f() {"])
    func outside(_ start: String) async throws {
        let expansion = try await MacroExpansion(
            of: "\(start)\n@Entry var a: Int = 3\n}", with: EntryMacroTests.stub)
        #expect(
            !expansion.isCompiled
                && expansion.text.contains("Player.swift:2:1: error: @Entry requires a property of an extension"),
            "\(expansion.text)")
    }
}
