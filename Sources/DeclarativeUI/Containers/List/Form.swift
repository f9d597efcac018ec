/// Controls for settings, in rows: a grouped list, its sections on cards. SwiftUI's view.
public struct Form<Content: View>: View {
    let content: Content
    @Environment(\.formStyle) private var style
    /// Makes a form whose rows are the views of `content`.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var body: some View {
        let style = style
        List { content }.listStyle(FormListStyle(kind: style))
            // In columns the rows stand on what is behind the form.
            .transformEnvironment(\.scrollContentBackground) {
                if style != .grouped, $0 == .automatic { $0 = .hidden }
            }
    }
}

/// How forms look. SwiftUI's protocol, with the styles below.
public protocol FormStyle { var _isGrouped: Bool { get } }
/// Sections on cards; the automatic one.
public struct GroupedFormStyle: FormStyle {
    /// Makes the style; `.grouped` is shorter.
    public init() {}
    public var _isGrouped: Bool { true }
}
/// The look of forms that say nothing: sections on cards, as `GroupedFormStyle`.
public struct AutomaticFormStyle: FormStyle {
    /// Makes the style; `.automatic` is shorter.
    public init() {}
    public var _isGrouped: Bool { true }
}
/// Rows from edge to edge, without cards.
public struct ColumnsFormStyle: FormStyle {
    /// Makes the style; `.columns` is shorter.
    public init() {}
    public var _isGrouped: Bool { false }
}
extension FormStyle where Self == GroupedFormStyle {
    /// Sections on cards.
    public static var grouped: GroupedFormStyle { GroupedFormStyle() }
}
extension FormStyle where Self == AutomaticFormStyle {
    /// The same as `grouped`.
    public static var automatic: AutomaticFormStyle { AutomaticFormStyle() }
}
extension FormStyle where Self == ColumnsFormStyle {
    /// Rows from edge to edge, without cards.
    public static var columns: ColumnsFormStyle { ColumnsFormStyle() }
}

struct FormListStyle: ListStyle {
    let kind: ListLook.Kind
    var _look: ListLook { ListLook(kind: kind) }
}

private struct FormStyleKey: EnvironmentKey { static let defaultValue = ListLook.Kind.grouped }
extension EnvironmentValues {
    var formStyle: ListLook.Kind {
        get { self[FormStyleKey.self] }
        set { self[FormStyleKey.self] = newValue }
    }
}
extension View {
    /// The look of the forms below.
    public func formStyle<S: FormStyle>(_ style: S) -> some View {
        setting(\.formStyle, style._isGrouped ? .grouped : .plain)
    }
}
