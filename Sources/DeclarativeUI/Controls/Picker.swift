import Foundation

/// One of several options, each a view with a `tag`. SwiftUI's view; its look is the environment's `pickerStyle`.
///
/// An option whose tag is not of the selection's type (or its optional) cannot be chosen and is not shown. The label
/// stands before the control, as on the Mac, unless `labelsHidden()`. Main actor.
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
    let selection: Binding<SelectionValue>
    let content: Content
    let label: Label
    @Environment(\.pickerKind) private var kind
    @Environment(\.platformStyle) private var platform

    /// A picker with any label.
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label
    ) {
        self.selection = selection
        self.content = content()
        self.label = label()
    }
    /// The older form, with the label as a finished view.
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
            options: content)
        LabeledControl(label: label, place: place, control: options).id(kind)
    }
}

extension Picker {
    private var place: LabeledControl<Label, NativePicker<Content>>.Place {
        switch kind {
        case .inline: .above
        case .menu, .automatic: platform == .phone ? .hidden : .leading
        case .segmented: .leading
        }
    }
}

extension Picker where Label == Text {
    /// A picker with a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content)
    {
        self.init(selection: selection, content: content) { Text(titleKey) }
    }
    /// A picker with a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
        self.init(selection: selection, content: content) { Text(title) }
    }
}

/// How pickers look. SwiftUI's protocol, with the styles below.
public protocol PickerStyle {}
/// A GtkDropDown.
public struct MenuPickerStyle: PickerStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// Linked buttons of which one is down.
public struct SegmentedPickerStyle: PickerStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// Radio buttons, one below the other.
public struct InlinePickerStyle: PickerStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// The same as `inline`.
public struct RadioGroupPickerStyle: PickerStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// A menu; in a `Menu` the options stand among its entries.
public struct DefaultPickerStyle: PickerStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
extension PickerStyle where Self == MenuPickerStyle {
    /// A GtkDropDown.
    public static var menu: MenuPickerStyle { MenuPickerStyle() }
}
extension PickerStyle where Self == SegmentedPickerStyle {
    /// Linked buttons of which one is down.
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}
extension PickerStyle where Self == InlinePickerStyle {
    /// Radio buttons, one below the other.
    public static var inline: InlinePickerStyle { InlinePickerStyle() }
}
extension PickerStyle where Self == RadioGroupPickerStyle {
    /// Radio buttons, one below the other; the same as `inline`.
    public static var radioGroup: RadioGroupPickerStyle { RadioGroupPickerStyle() }
}
extension PickerStyle where Self == DefaultPickerStyle {
    /// A menu; in a `Menu` the options stand among its entries.
    public static var automatic: DefaultPickerStyle { DefaultPickerStyle() }
}

enum PickerKind: Hashable, Sendable { case automatic, menu, segmented, inline }
private struct PickerKindKey: EnvironmentKey { static let defaultValue = PickerKind.automatic }
extension EnvironmentValues {
    var pickerKind: PickerKind {
        get { self[PickerKindKey.self] }
        set { self[PickerKindKey.self] = newValue }
    }
}
extension View {
    /// The look of the pickers below.
    public func pickerStyle<S: PickerStyle>(_ style: S) -> some View {
        let kind: PickerKind =
            switch style {
            case is MenuPickerStyle: .menu
            case is SegmentedPickerStyle: .segmented
            case is InlinePickerStyle, is RadioGroupPickerStyle: .inline
            default: .automatic
            }
        return setting(\.pickerKind, kind)
    }
}
