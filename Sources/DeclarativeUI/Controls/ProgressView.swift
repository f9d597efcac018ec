import Foundation
@_spi(Graph) import ViewGraph

/// How far something is, or that it goes on: a bar, or a spinner. SwiftUI's view.
///
/// With a value it is a bar as wide as what is offered, without one a spinner; `progressViewStyle` says otherwise.
public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
    /// 0…1; nil is not known.
    let fraction: Double?
    let label: Label
    let valueLabel: CurrentValueLabel
    @Environment(\.progressStyle) private var style

    init(_ value: Double?, _ total: Double, _ label: Label, _ valueLabel: CurrentValueLabel) {
        fraction = value.map { total > 0 && total.isFinite ? Color.clamped($0 / total) : 0 }
        self.label = label
        self.valueLabel = valueLabel
    }

    private var kind: ProgressElement.Kind {
        switch style {
        case .linear: .linear
        case .circular: fraction == nil ? .spinner : .ring
        case .automatic: fraction == nil ? .spinner : .linear
        }
    }

    public var body: some View {
        let control = NativeProgress(fraction: fraction, kind: kind)
        VStack(alignment: kind == .linear ? .leading : .center, spacing: Space.snug) {
            LabeledControl(label: label, place: .above, control: control)
            if CurrentValueLabel.self != EmptyView.self { valueLabel.font(.caption).foregroundStyle(.secondary) }
        }
    }
}

extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
    /// A spinner, without a label.
    public init() { self.init(nil, 1, EmptyView(), EmptyView()) }
    /// - Parameters:
    ///   - value: 0…`total`, clamped; nil is not known.
    ///   - total: more than 0; else nothing is shown as done.
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0) {
        self.init(value.map { Double($0) }, Double(total), EmptyView(), EmptyView())
    }
}
extension ProgressView where CurrentValueLabel == EmptyView {
    /// A spinner under a label.
    public init(@ViewBuilder label: () -> Label) { self.init(nil, 1, label(), EmptyView()) }
    /// A bar under a label.
    /// - Parameter value: 0…`total`, clamped; nil shows a spinner.
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0, @ViewBuilder label: () -> Label) {
        self.init(value.map { Double($0) }, Double(total), label(), EmptyView())
    }
}
extension ProgressView where Label == Text, CurrentValueLabel == EmptyView {
    /// A spinner under a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey) { self.init(nil, 1, Text(titleKey), EmptyView()) }
    /// A spinner under a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S) { self.init(nil, 1, Text(title), EmptyView()) }
    /// A bar under a title that is looked up in the app's translations.
    /// - Parameter value: 0…`total`, clamped; nil shows a spinner.
    public init<V: BinaryFloatingPoint>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1.0) {
        self.init(value.map { Double($0) }, Double(total), Text(titleKey), EmptyView())
    }
    /// A bar under a title that is shown as it is.
    /// - Parameter value: 0…`total`, clamped; nil shows a spinner.
    @_disfavoredOverload public init<S: StringProtocol, V: BinaryFloatingPoint>(_ title: S, value: V?, total: V = 1.0) {
        self.init(value.map { Double($0) }, Double(total), Text(title), EmptyView())
    }
}
extension ProgressView {
    /// A bar under a label and over words that tell its value.
    /// - Parameter value: 0…`total`, clamped; nil shows a spinner.
    public init<V: BinaryFloatingPoint>(
        value: V?, total: V = 1.0, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) {
        self.init(value.map { Double($0) }, Double(total), label(), currentValueLabel())
    }
}

/// How progress looks. SwiftUI's protocol, with the styles below.
public protocol ProgressViewStyle {}
/// A bar; one without a value moves to and fro.
public struct LinearProgressViewStyle: ProgressViewStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// A ring that fills with the value; a spinner without one.
public struct CircularProgressViewStyle: ProgressViewStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// A bar with a value, a spinner without one.
public struct DefaultProgressViewStyle: ProgressViewStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
extension ProgressViewStyle where Self == LinearProgressViewStyle {
    /// A bar; one without a value moves to and fro.
    public static var linear: LinearProgressViewStyle { LinearProgressViewStyle() }
}
extension ProgressViewStyle where Self == CircularProgressViewStyle {
    /// A ring that fills with the value; a spinner without one.
    public static var circular: CircularProgressViewStyle { CircularProgressViewStyle() }
}
extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    /// A bar with a value, a spinner without one.
    public static var automatic: DefaultProgressViewStyle { DefaultProgressViewStyle() }
}

enum ProgressStyle: Hashable, Sendable { case automatic, linear, circular }
private struct ProgressStyleKey: EnvironmentKey { static let defaultValue = ProgressStyle.automatic }
extension EnvironmentValues {
    var progressStyle: ProgressStyle {
        get { self[ProgressStyleKey.self] }
        set { self[ProgressStyleKey.self] = newValue }
    }
}
extension View {
    /// The look of the progress views below.
    public func progressViewStyle<S: ProgressViewStyle>(_ style: S) -> some View {
        setting(
            \.progressStyle,
            style is LinearProgressViewStyle ? .linear : style is CircularProgressViewStyle ? .circular : .automatic)
    }
}
