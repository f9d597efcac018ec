import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The macro `#Preview("name", traits: …) { … }`, which declares a type that the program finds when a preview is
/// requested.
public struct PreviewMacro: DeclarationMacro {
    public static func expansion(of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext)
        throws -> [DeclSyntax]
    {
        let parts = try Parts(node)
        guard let place = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .fileID) else {
            throw PreviewMacroError(description: "#Preview can't determine its source location")
        }
        let type = context.makeUniqueName("Preview")
        let call = "DeclarativeUI.Preview(\(parts.arguments.joined(separator: ", ")))"
        let body = parts.content.makeBody(call, wrapper: context.makeUniqueName("Previewable"))
        return [
            """
            struct \(type): DeclarativeUI.PreviewRegistry {
                static var fileID: Swift.String { \(place.file) }
                static var line: Swift.Int { \(place.line) }
                static var column: Swift.Int { \(place.column) }
                @MainActor static func makePreview() throws -> DeclarativeUI.Preview {
            \(raw: body)
                }
            }
            """
        ]
    }

    /// The arguments and the closure of the macro.
    private struct Parts {
        /// The name and traits, as written in the source.
        var arguments: [String] = []
        var content: PreviewContent

        init(_ node: some FreestandingMacroExpansionSyntax) throws {
            var body: ExprSyntax?
            for argument in node.arguments {
                if argument.label?.text == "body" {
                    body = argument.expression
                } else {
                    arguments.append(argument.with(\.trailingComma, nil).trimmedDescription)
                }
            }
            if let trailing = node.trailingClosure { body = ExprSyntax(trailing) }
            guard let body else {
                throw PreviewMacroError(description: "#Preview requires a closure that returns a view")
            }
            content = PreviewContent(body)
        }
    }
}

/// The content of a preview.
private enum PreviewContent {
    /// An expression whose value is a function.
    case function(String)
    /// The lines of a closure. `properties` are those marked with `@Previewable`.
    case lines(properties: [String], rest: String)

    init(_ body: ExprSyntax) {
        guard let closure = body.as(ClosureExprSyntax.self) else {
            self = .function(body.trimmedDescription)
            return
        }
        var properties: [String] = []
        var rest: [String] = []
        for item in closure.statements {
            if let variable = item.item.as(VariableDeclSyntax.self), variable.isPreviewable {
                properties.append(variable.withoutPreviewable.trimmedDescription)
            } else {
                rest.append(item.trimmedDescription)
            }
        }
        self = .lines(properties: properties, rest: rest.joined(separator: "\n"))
    }

    func makeBody(_ call: String, wrapper: TokenSyntax) -> String {
        switch self {
        case .function(let function):
            let separator = call.hasSuffix("()") ? "" : ", "
            return "return \(call.dropLast())\(separator)body: \(function))"
        case .lines(let properties, let rest) where properties.isEmpty:
            return "return \(call) {\n\(rest)\n}"
        case .lines(let properties, let rest):
            return """
                struct \(wrapper): DeclarativeUI.View {
                \(properties.joined(separator: "\n"))
                var body: some DeclarativeUI.View {
                \(rest)
                }
                }
                return \(call) {
                \(wrapper)()
                }
                """
        }
    }
}

extension VariableDeclSyntax {
    fileprivate var isPreviewable: Bool { attributes.contains(where: VariableDeclSyntax.isPreviewable) }

    /// The declaration without `@Previewable`.
    fileprivate var withoutPreviewable: VariableDeclSyntax {
        with(\.attributes, attributes.filter { !VariableDeclSyntax.isPreviewable($0) })
    }

    private static func isPreviewable(_ element: AttributeListSyntax.Element) -> Bool {
        element.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "Previewable"
    }
}

/// An error that the compiler shows at the macro.
struct PreviewMacroError: Error, CustomStringConvertible {
    let description: String
}
