import Foundation

/// Something that is on or off. SwiftUI's view; its look is the environment's `toggleStyle`.
///
/// It is as large as its control and its label. The binding has the last word: a value that it refuses is not shown.
public struct Toggle<Label: View>: View {
    let isOn: Binding<Bool>
    let label: Label
    @Environment(\.toggleStyle) private var style

    /// A toggle with any label.
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.isOn = isOn
        self.label = label()
    }

    public var body: some View { style.make(ToggleStyleConfiguration(label: .init(view: AnyView(label)), isOn: isOn)) }
}

extension Toggle where Label == Text {
    /// A toggle with a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(titleKey) } }
    /// A toggle with a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(title) }
    }
}

extension Toggle where Label == DeclarativeUI.Label<Text, Image> {
    /// A toggle with a symbol beside a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { DeclarativeUI.Label(titleKey, systemImage: systemImage) }
    }
}

/// What a style makes a toggle of.
@MainActor @preconcurrency
public struct ToggleStyleConfiguration {
    /// The toggle's label, whatever its type.
    public struct Label: View {
        let view: AnyView
        public var body: AnyView { view }
    }
    /// The toggle's label, to be placed in what the style makes.
    public let label: Label
    /// Whether the toggle is on; setting it, or its binding `$isOn`, writes the toggle's own binding.
    @Binding public var isOn: Bool
    init(label: Label, isOn: Binding<Bool>) {
        self.label = label
        _isOn = isOn
    }
}

/// How toggles look. SwiftUI's protocol.
@MainActor @preconcurrency
public protocol ToggleStyle {
    /// The type of the view that the style makes.
    associatedtype Body: View
    /// What the style is given: the toggle's label and its state.
    typealias Configuration = ToggleStyleConfiguration
    /// Makes what the toggle looks like; it is up to the view made here to take input.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// A GtkSwitch after the label.
public struct SwitchToggleStyle: ToggleStyle {
    /// Makes the style; `.switch` is shorter. On any thread.
    nonisolated public init() {}
    /// Puts the label before a GtkSwitch.
    public func makeBody(configuration: Configuration) -> some View {
        ToggleSwitch(isOn: configuration.$isOn, label: configuration.label)
    }
}
/// A GtkCheckButton before the label; the label can be pressed too.
public struct CheckboxToggleStyle: ToggleStyle {
    /// Makes the style; `.checkbox` is shorter. On any thread.
    nonisolated public init() {}
    /// Puts a GtkCheckButton before the label.
    public func makeBody(configuration: Configuration) -> some View {
        ToggleBox(isOn: configuration.$isOn, look: .checkbox, label: configuration.label)
    }
}
/// A GtkToggleButton around the label.
public struct ButtonToggleStyle: ToggleStyle {
    /// Makes the style; `.button` is shorter. On any thread.
    nonisolated public init() {}
    /// Puts the label into a GtkToggleButton.
    public func makeBody(configuration: Configuration) -> some View {
        ToggleBox(isOn: configuration.$isOn, look: .button, label: configuration.label)
    }
}
/// A switch.
public struct DefaultToggleStyle: ToggleStyle {
    /// Makes the style; `.automatic` is shorter. On any thread.
    nonisolated public init() {}
    /// Puts the label before a GtkSwitch, as `SwitchToggleStyle` does.
    public func makeBody(configuration: Configuration) -> some View {
        SwitchToggleStyle().makeBody(configuration: configuration)
    }
}
extension ToggleStyle where Self == SwitchToggleStyle {
    /// A GtkSwitch after the label.
    public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
}
extension ToggleStyle where Self == CheckboxToggleStyle {
    /// A GtkCheckButton before the label.
    public static var checkbox: CheckboxToggleStyle { CheckboxToggleStyle() }
}
extension ToggleStyle where Self == ButtonToggleStyle {
    /// A GtkToggleButton around the label.
    public static var button: ButtonToggleStyle { ButtonToggleStyle() }
}
extension ToggleStyle where Self == DefaultToggleStyle {
    /// A GtkSwitch after the label; the same as `switch`.
    public static var automatic: DefaultToggleStyle { DefaultToggleStyle() }
}

/// Any style as one type.
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
    /// The look of the toggles below.
    public func toggleStyle<S: ToggleStyle>(_ style: S) -> some View {
        fiberModifier(EnvironmentWriter(identity: nil) { $0.toggleStyle = AnyToggleStyle(style: style) })
    }
}
