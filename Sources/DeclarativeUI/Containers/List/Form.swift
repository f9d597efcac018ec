/// A list of controls for settings, with its sections on cards. Matches SwiftUI's `Form`.
///
/// ```swift
/// Form {
///     Section("Playback") {
///         Toggle("Loop", isOn: $isLooping)
///         Slider(value: $volume) { Text("Volume") }
///     }
/// }
/// .formStyle(.grouped)
/// ```
public struct Form<Content: View>: View {
    let content: Content
    @Environment(\.formStyle) private var style
    /// Creates a form whose rows are the views of `content`.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var body: some View {
        let style = style
        List { content }.listStyle(FormListStyle(kind: style))
            // In the style `.columns`, the form has no background, so that the views behind it stay visible.
            .transformEnvironment(\.scrollContentBackground) {
                if style != .grouped, $0 == .automatic { $0 = .hidden }
            }
    }
}

/// A style of forms. Matches SwiftUI's `FormStyle`; only the styles of this module are supported.
public protocol FormStyle { var _isGrouped: Bool { get } }
/// A form style that shows sections on cards. Forms have this style by default.
public struct GroupedFormStyle: FormStyle {
    /// Creates the style. The short form is `.grouped`.
    public init() {}
    public var _isGrouped: Bool { true }
}
/// The default form style: sections on cards, as in `GroupedFormStyle`.
public struct AutomaticFormStyle: FormStyle {
    /// Creates the style. The short form is `.automatic`.
    public init() {}
    public var _isGrouped: Bool { true }
}
/// A form style that shows rows from edge to edge, without cards.
public struct ColumnsFormStyle: FormStyle {
    /// Creates the style. The short form is `.columns`.
    public init() {}
    public var _isGrouped: Bool { false }
}
extension FormStyle where Self == GroupedFormStyle {
    /// A style that shows sections on cards.
    public static var grouped: GroupedFormStyle { GroupedFormStyle() }
}
extension FormStyle where Self == AutomaticFormStyle {
    /// The default style, the same as `grouped`.
    public static var automatic: AutomaticFormStyle { AutomaticFormStyle() }
}
extension FormStyle where Self == ColumnsFormStyle {
    /// A style that shows rows from edge to edge, without cards.
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
    /// Sets the style of the forms in this view.
    public func formStyle<S: FormStyle>(_ style: S) -> some View {
        setting(\.formStyle, style._isGrouped ? .grouped : .plain)
    }
}
