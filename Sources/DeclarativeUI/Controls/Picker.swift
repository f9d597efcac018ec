import Foundation

/// A control for selecting one of several options, each of which is a view with a `tag`. Matches SwiftUI's `Picker`.
///
/// ```swift
/// @State private var speed = 1.0
///
/// var body: some View {
///     Picker("Speed", selection: $speed) {
///         ForEach([0.5, 1, 1.5, 2], id: \.self) { Text("\($0, specifier: "%g")×") }
///     }
/// }
/// ```
/// Only options whose tag has the selection's type are shown. Either type may be the optional of the other. As on the
/// Mac, the label is before a drop-down or segments, and above radio buttons. `labelsHidden()` hides the label, and so
/// do wheels, and the platform style `phone` for drop-downs. The environment's `pickerStyle` determines the look.
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
    let selection: Binding<SelectionValue>
    let content: Content
    let label: Label
    @Environment(\.pickerKind) private var kind
    @Environment(\.platformStyle) private var platform

    /// Creates a picker with a custom label.
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label
    ) {
        self.selection = selection
        self.content = content()
        self.label = label()
    }
    /// Creates a picker with the view `label`. This is an older form of `init(selection:content:label:)`.
    public init(selection: Binding<SelectionValue>, label: Label, @ViewBuilder content: () -> Content) {
        self.init(selection: selection, content: content, label: { label })
    }

    public var body: some View {
        let selection = selection
        let options = NativePicker(
            kind: kind, selected: AnyHashable(selection.wrappedValue),
            isSelected: { $0.value(as: SelectionValue.self) == selection.wrappedValue },
            accepts: { $0.value(as: SelectionValue.self) != nil },
            choose: { if let value = $0.value(as: SelectionValue.self) { selection.wrappedValue = value } },
            options: content, segments: kind == .segmented ? UISegmentedControl.appearance().shown : SegmentLook())
        LabeledControl(label: label, place: place, control: options).id(kind)
    }
}

extension Picker {
    private var place: LabeledControl<Label, NativePicker<Content>>.Place {
        switch kind {
        case .inline: .above
        case .wheel: .hidden
        case .menu, .automatic: platform == .phone ? .hidden : .leading
        case .segmented: .leading
        }
    }
}

extension Picker where Label == Text {
    /// Creates a picker with a localized title.
    public init(_ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content)
    {
        self.init(selection: selection, content: content) { Text(titleKey) }
    }
    /// Creates a picker with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
        self.init(selection: selection, content: content) { Text(title) }
    }
}

extension Picker where Label == DeclarativeUI.Label<Text, Image> {
    /// Creates a picker with a symbol and a localized title.
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(selection: selection, content: content) { DeclarativeUI.Label(titleKey, systemImage: systemImage) }
    }
    /// Creates a picker with a symbol and a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, systemImage: String, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
        self.init(selection: selection, content: content) { DeclarativeUI.Label(title, systemImage: systemImage) }
    }
    /// Creates a picker with an image of an asset catalog and a localized title.
    public init(
        _ titleKey: LocalizedStringKey, image: ImageResource, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(selection: selection, content: content) { DeclarativeUI.Label(titleKey, image: image) }
    }
    /// Creates a picker with an image of an asset catalog and a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, image: ImageResource, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
        self.init(selection: selection, content: content) { DeclarativeUI.Label(title, image: image) }
    }
}

/// A style of pickers. Matches SwiftUI's `PickerStyle`; only the styles of this module are supported.
public protocol PickerStyle {}
/// A picker style that shows the options in a `GtkDropDown`. Inside a `Menu`, the options are in a submenu.
public struct MenuPickerStyle: PickerStyle {
    /// Creates the style. The short form is `.menu`.
    public init() {}
}
/// A picker style that shows the options as linked buttons, of which one is pressed.
public struct SegmentedPickerStyle: PickerStyle {
    /// Creates the style. The short form is `.segmented`.
    public init() {}
}
/// A picker style that shows the options as radio buttons below each other.
public struct InlinePickerStyle: PickerStyle {
    /// Creates the style. The short form is `.inline`.
    public init() {}
}
/// A picker style that is the same as `InlinePickerStyle`.
public struct RadioGroupPickerStyle: PickerStyle {
    /// Creates the style. The short form is `.radioGroup`.
    public init() {}
}
/// A picker style that shows the options on a wheel: the selected one in the middle, and two smaller and fainter ones
/// above and below it. See `wheel`.
public struct WheelPickerStyle: PickerStyle {
    /// Creates the style. The short form is `.wheel`.
    public init() {}
}
/// The default picker style, a drop-down. Inside a `Menu`, the options are among the menu's entries.
public struct DefaultPickerStyle: PickerStyle {
    /// Creates the style. The short form is `.automatic`.
    public init() {}
}
extension PickerStyle where Self == MenuPickerStyle {
    /// A style that shows the options in a `GtkDropDown`.
    public static var menu: MenuPickerStyle { MenuPickerStyle() }
}
extension PickerStyle where Self == SegmentedPickerStyle {
    /// A style that shows the options as linked buttons, of which one is pressed.
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}
extension PickerStyle where Self == InlinePickerStyle {
    /// A style that shows the options as radio buttons below each other.
    public static var inline: InlinePickerStyle { InlinePickerStyle() }
}
extension PickerStyle where Self == RadioGroupPickerStyle {
    /// A style that shows the options as radio buttons below each other, the same as `inline`.
    public static var radioGroup: RadioGroupPickerStyle { RadioGroupPickerStyle() }
}
extension PickerStyle where Self == WheelPickerStyle {
    /// A style that shows the options on a wheel, with the selected one in the middle.
    ///
    /// The mouse wheel, a drag, a click on an option, and the keys Up, Down, Page Up, Page Down, Home and End turn the
    /// wheel. It is flat, with the same look on the desktop and on phones, and makes no sound.
    public static var wheel: WheelPickerStyle { WheelPickerStyle() }
}
extension PickerStyle where Self == DefaultPickerStyle {
    /// A style that shows the options in a drop-down, or among the entries of a `Menu`.
    public static var automatic: DefaultPickerStyle { DefaultPickerStyle() }
}

enum PickerKind: Hashable, Sendable { case automatic, menu, segmented, inline, wheel }
private struct PickerKindKey: EnvironmentKey { static let defaultValue = PickerKind.automatic }
extension EnvironmentValues {
    var pickerKind: PickerKind {
        get { self[PickerKindKey.self] }
        set { self[PickerKindKey.self] = newValue }
    }
}
extension View {
    /// Sets the style of the pickers in this view.
    ///
    /// ```swift
    /// Picker("Fit", selection: $fills) {
    ///     Text("Whole video").tag(false)
    ///     Text("Fill").tag(true)
    /// }
    /// .pickerStyle(.segmented)
    /// ```
    public func pickerStyle<S: PickerStyle>(_ style: S) -> some View {
        let kind: PickerKind =
            switch style {
            case is MenuPickerStyle: .menu
            case is SegmentedPickerStyle: .segmented
            case is InlinePickerStyle, is RadioGroupPickerStyle: .inline
            case is WheelPickerStyle: .wheel
            default: .automatic
            }
        return setting(\.pickerKind, kind)
    }
}
