import Foundation

/// A control that is on or off. Matches SwiftUI's `Toggle`.
///
/// ```swift
/// @State private var isLooping = false
///
/// var body: some View {
///     Toggle("Loop", isOn: $isLooping)
/// }
/// ```
/// The toggle is as large as its control and its label. The environment's `toggleStyle` determines its look. The toggle
/// shows the binding's value, even if the binding rejects the user's input.
public struct Toggle<Label: View>: View {
    let isOn: Binding<Bool>
    let label: Label
    @Environment(\.toggleStyle) private var style

    /// Creates a toggle with a custom label.
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.isOn = isOn
        self.label = label()
    }

    public var body: some View { style.make(ToggleStyleConfiguration(label: .init(view: AnyView(label)), isOn: isOn)) }
}

extension Toggle where Label == Text {
    /// Creates a toggle with a localized title.
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(titleKey) } }
    /// Creates a toggle with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(title) }
    }
}

extension Toggle where Label == DeclarativeUI.Label<Text, Image> {
    /// Creates a toggle with a symbol and a localized title.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { DeclarativeUI.Label(titleKey, systemImage: systemImage) }
    }
    /// Creates a toggle with a symbol and a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage: String, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { DeclarativeUI.Label(title, systemImage: systemImage) }
    }
    /// Creates a toggle with an image of an asset catalog and a localized title.
    public init(_ titleKey: LocalizedStringKey, image: ImageResource, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { DeclarativeUI.Label(titleKey, image: image) }
    }
    /// Creates a toggle with an image of an asset catalog and a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, image: ImageResource, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { DeclarativeUI.Label(title, image: image) }
    }
}

/// The properties of a toggle that a custom style uses. Matches SwiftUI's `ToggleStyleConfiguration`.
@MainActor @preconcurrency
public struct ToggleStyleConfiguration {
    /// The label of a toggle, with its type erased.
    public struct Label: View {
        let view: AnyView
        public var body: AnyView { view }
    }
    /// The label of the toggle, which the style includes in its view.
    public let label: Label
    /// Whether the toggle is on. Setting the property, or its binding `$isOn`, sets the toggle's own binding.
    @Binding public var isOn: Bool
    init(label: Label, isOn: Binding<Bool>) {
        self.label = label
        _isOn = isOn
    }
}

/// A custom style of toggles. Matches SwiftUI's `ToggleStyle`.
@MainActor @preconcurrency
public protocol ToggleStyle {
    /// The type of the view that represents the toggle.
    associatedtype Body: View
    /// The properties of a toggle: its label and its state.
    typealias Configuration = ToggleStyleConfiguration
    /// Returns the view that represents the toggle. The view itself must handle the user's input.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// A toggle style that shows a `GtkSwitch` after the label.
public struct SwitchToggleStyle: ToggleStyle {
    /// Creates the style. The short form is `.switch`. Can be called on any thread.
    nonisolated public init() {}
    /// Returns the label and a `GtkSwitch` after it.
    public func makeBody(configuration: Configuration) -> some View {
        ToggleSwitch(isOn: configuration.$isOn, label: configuration.label)
    }
}
/// A toggle style that shows a `GtkCheckButton` before the label. A click on the label also changes the toggle.
public struct CheckboxToggleStyle: ToggleStyle {
    /// Creates the style. The short form is `.checkbox`. Can be called on any thread.
    nonisolated public init() {}
    /// Returns a `GtkCheckButton` and the label after it.
    public func makeBody(configuration: Configuration) -> some View {
        ToggleBox(isOn: configuration.$isOn, look: .checkbox, label: configuration.label)
    }
}
/// A toggle style that shows the label in a `GtkToggleButton`.
public struct ButtonToggleStyle: ToggleStyle {
    /// Creates the style. The short form is `.button`. Can be called on any thread.
    nonisolated public init() {}
    /// Returns a `GtkToggleButton` that contains the label.
    public func makeBody(configuration: Configuration) -> some View {
        ToggleBox(isOn: configuration.$isOn, look: .button, label: configuration.label)
    }
}
/// The default toggle style, a switch.
public struct DefaultToggleStyle: ToggleStyle {
    /// Creates the style. The short form is `.automatic`. Can be called on any thread.
    nonisolated public init() {}
    /// Returns the label and a `GtkSwitch` after it, as `SwitchToggleStyle` does.
    public func makeBody(configuration: Configuration) -> some View {
        SwitchToggleStyle().makeBody(configuration: configuration)
    }
}
extension ToggleStyle where Self == SwitchToggleStyle {
    /// A style that shows a `GtkSwitch` after the label.
    public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
}
extension ToggleStyle where Self == CheckboxToggleStyle {
    /// A style that shows a `GtkCheckButton` before the label.
    public static var checkbox: CheckboxToggleStyle { CheckboxToggleStyle() }
}
extension ToggleStyle where Self == ButtonToggleStyle {
    /// A style that shows the label in a `GtkToggleButton`.
    public static var button: ButtonToggleStyle { ButtonToggleStyle() }
}
extension ToggleStyle where Self == DefaultToggleStyle {
    /// A style that shows a `GtkSwitch` after the label, the same as `switch`.
    public static var automatic: DefaultToggleStyle { DefaultToggleStyle() }
}

/// A toggle style with its type erased.
struct AnyToggleStyle: Sendable {
    let make: @MainActor (ToggleStyleConfiguration) -> AnyView
    static let automatic = AnyToggleStyle { configuration in
        AnyView(SwitchToggleStyle().makeBody(configuration: configuration))
    }
    private init(_ make: @escaping @MainActor (ToggleStyleConfiguration) -> AnyView) { self.make = make }
    @MainActor init<S: ToggleStyle>(style: S) { make = { AnyView(style.makeBody(configuration: $0)) } }
}

private struct ToggleStyleKey: EnvironmentKey { static let defaultValue = AnyToggleStyle.automatic }
extension EnvironmentValues {
    var toggleStyle: AnyToggleStyle {
        get { self[ToggleStyleKey.self] }
        set { self[ToggleStyleKey.self] = newValue }
    }
}
extension View {
    /// Sets the style of the toggles in this view.
    ///
    /// ```swift
    /// Toggle("Muted", systemImage: "speaker.slash", isOn: $isMuted)
    ///     .toggleStyle(.button)
    /// ```
    public func toggleStyle<S: ToggleStyle>(_ style: S) -> some View {
        fiberModifier(EnvironmentWriter(identity: nil) { $0.toggleStyle = AnyToggleStyle(style: style) })
    }
}
