import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The macro `@Entry`, which turns a property of an extension of `EnvironmentValues` or `FocusedValues` into an entry
/// with a key.
public enum EntryMacro {}

extension EntryMacro: AccessorMacro {
    /// Generates the getter and the setter, and reports wrong uses of the macro.
    public static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        let entry = try EntryProperty(node, declaration, in: context)
        let arguments = entry.arguments
        return ["get { self[\(raw: arguments)] }", "set { self[\(raw: arguments)] = newValue }"]
    }
}

extension EntryMacro: PeerMacro {
    /// Generates the key.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        // The expansion of the accessors reports the error.
        guard let entry = try? EntryProperty(node, declaration, in: context) else { return [] }
        return [entry.key]
    }
}

/// The property that `@Entry` is attached to.
private struct EntryProperty {
    private enum Value {
        /// A value with a type. The key's default value is computed, so that it doesn't have to be `Sendable`.
        case typed(TypeSyntax, defaultValue: ExprSyntax)
        /// A value whose type the compiler infers from its default value. A macro doesn't know the type, which a key
        /// needs.
        case inferred(defaultValue: ExprSyntax)
        /// A value of `FocusedValues`, by the type inside its optional type.
        case focused(TypeSyntax)
    }
    private let name: String
    private let value: Value

    init(_ node: AttributeSyntax, _ declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext)
        throws
    {
        guard let variable = declaration.as(VariableDeclSyntax.self), let binding = variable.bindings.first,
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
        else { throw EntryError.noProperty.error(at: node) }
        name = pattern.identifier.text.filter { $0 != "`" }
        let collection = try EntryCollection(node, in: context)
        let isOfType: Set<Keyword> = [.static, .class]
        if let modifier = variable.modifiers.first(where: { modifier in
            isOfType.contains { modifier.name.tokenKind == .keyword($0) }
        }) {
            throw EntryError.ofType(modifier.name.text).error(at: modifier)
        }
        guard variable.bindingSpecifier.tokenKind == .keyword(.var) else {
            throw EntryError.constant.error(at: variable.bindingSpecifier)
        }
        if let body = binding.accessorBlock { throw EntryError.computed(name).error(at: body) }

        let type = binding.typeAnnotation?.type.trimmed
        let defaultValue = binding.initializer?.value.trimmed
        switch (collection, type, defaultValue) {
        case (.environment, let type?, let defaultValue):
            let wrapped = type.wrappedInOptional
            guard let defaultValue = defaultValue ?? wrapped.map({ _ in "nil" }) else {
                throw EntryError.noDefaultValue(name).error(at: pattern)
            }
            // A type alias can't be an implicitly unwrapped optional.
            let isUnwrapped = type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
            value = .typed(isUnwrapped ? wrapped.map { "\($0)?" } ?? type : type, defaultValue: defaultValue)
        case (.environment, nil, let defaultValue?): value = .inferred(defaultValue: defaultValue)
        case (.environment, nil, nil): throw EntryError.noDefaultValue(name).error(at: pattern)
        case (.focused, let type, _):
            guard let wrapped = type?.wrappedInOptional else { throw EntryError.notOptional(name).error(at: pattern) }
            // A copy without layout has no position, so the error is at the original.
            if let original = binding.initializer?.value, !original.is(NilLiteralExprSyntax.self) {
                throw EntryError.focusedDefaultValue(name).error(at: original)
            }
            value = .focused(wrapped)
        }
    }

    private var keyName: String { "__Key_\(name)" }

    /// The arguments of the subscript that reads and writes the value.
    var arguments: String {
        switch value {
        case .typed, .focused: "\(keyName).self"
        case .inferred(let defaultValue): "_entry: \(keyName).self, default: \(defaultValue)"
        }
    }

    /// The declaration of the key.
    var key: DeclSyntax {
        switch value {
        case .typed(let type, let defaultValue):
            """
            private struct \(raw: keyName): DeclarativeUI.EnvironmentKey {
                typealias Value = \(type)
                static var defaultValue: Value { return \(defaultValue) }
            }
            """
        case .inferred: "private enum \(raw: keyName) {}"
        case .focused(let type):
            """
            private struct \(raw: keyName): DeclarativeUI.FocusedValueKey {
                typealias Value = \(type)
            }
            """
        }
    }
}

/// The type whose extension has the property.
private enum EntryCollection: String {
    case environment = "EnvironmentValues"
    case focused = "FocusedValues"

    init(_ node: AttributeSyntax, in context: some MacroExpansionContext) throws {
        let type = context.lexicalContext.first?.as(ExtensionDeclSyntax.self)?.extendedType
        let name = type?.as(MemberTypeSyntax.self)?.name.text ?? type?.as(IdentifierTypeSyntax.self)?.name.text
        switch name {
        case "Transaction"?, "ContainerValues"?: throw EntryError.unsupported(name ?? "").error(at: node)
        default:
            guard let collection = name.flatMap(Self.init(rawValue:)) else { throw EntryError.outside.error(at: node) }
            self = collection
        }
    }
}

extension TypeSyntax {
    /// The type inside an optional type; nil for other types.
    fileprivate var wrappedInOptional: TypeSyntax? {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType }
        if let member = self.as(MemberTypeSyntax.self), member.baseType.trimmedDescription == "Swift",
            member.name.text == "Optional"
        {
            return member.genericArgumentClause?.onlyType
        }
        guard let named = self.as(IdentifierTypeSyntax.self), named.name.text == "Optional" else { return nil }
        return named.genericArgumentClause?.onlyType
    }
}

extension GenericArgumentClauseSyntax {
    // Since version 601 of swift-syntax, a generic argument can also be an expression.
    fileprivate var onlyType: TypeSyntax? {
        arguments.count == 1 ? arguments.first.map { "\(raw: $0.argument.trimmedDescription)" } : nil
    }
}

/// A wrong use of `@Entry`, which the compiler shows at the code that has to change.
private enum EntryError: DiagnosticMessage {
    case noProperty, outside, constant
    case unsupported(String), ofType(String), computed(String)
    case noDefaultValue(String), notOptional(String), focusedDefaultValue(String)

    var message: String {
        switch self {
        case .noProperty: "@Entry requires a property. Attach it to a “var” with a name."
        case .outside: "@Entry requires a property of an extension of EnvironmentValues or FocusedValues."
        case .unsupported(let type):
            "@Entry can't add values to \(type) on Linux. Use an extension of EnvironmentValues or FocusedValues."
        case .ofType(let word): "@Entry requires a property of an instance. Remove “\(word)”."
        case .constant: "@Entry generates a setter. Write “var” instead of “let”."
        case .computed(let name):
            "@Entry generates the getter and the setter. Replace the body of “\(name)” with a default value."
        case .noDefaultValue(let name): "“\(name)” requires a default value. Add one, or make its type optional."
        case .notOptional(let name): "“\(name)” of FocusedValues requires an optional type, such as “String?”."
        case .focusedDefaultValue(let name):
            "“\(name)” of FocusedValues is nil where no view provides it. Remove the default value."
        }
    }
    var diagnosticID: MessageID { MessageID(domain: "Zoetrope", id: "Entry") }
    var severity: DiagnosticSeverity { .error }

    func error(at node: some SyntaxProtocol) -> DiagnosticsError {
        DiagnosticsError(diagnostics: [Diagnostic(node: node, message: self)])
    }
}
