import Foundation
@_spi(Graph) import ViewGraph

/// A view that shows the progress of a task: a bar, a ring or a spinner. Matches SwiftUI's `ProgressView`.
///
/// ```swift
/// VStack {
///     ProgressView("Downloading", value: fraction)
///     ProgressView().controlSize(.small)
/// }
/// ```
/// By default, it shows a bar of the proposed width if it has a value, or else a spinner. `progressViewStyle(_:)`
/// changes this.
public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
    /// The fraction of the task that is done, from 0 to 1, or nil if it is unknown.
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
        switch style.kind {
        case .linear: .linear
        case .circular: fraction == nil ? .spinner : .ring
        case .automatic: fraction == nil ? .spinner : .linear
        }
    }

    public var body: some View {
        let control = NativeProgress(
            fraction: fraction, kind: kind, tint: style.tint,
            commonTint: kind == .linear ? UIProgressView.appearance().shownTint : nil)
        VStack(alignment: kind == .linear ? .leading : .center, spacing: Space.snug) {
            LabeledControl(label: label, place: .above, control: control)
            if CurrentValueLabel.self != EmptyView.self { valueLabel.font(.caption).foregroundStyle(.secondary) }
        }
    }
}

extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
    /// Creates a spinner without a label.
    public init() { self.init(nil, 1, EmptyView(), EmptyView()) }
    /// Creates a bar without a label, or a spinner if `value` is nil.
    ///
    /// - Parameters:
    ///   - value: The amount that is done, clamped to the range from 0 to `total`. Nil if it is unknown.
    ///   - total: The amount of the whole task. If it is not greater than 0 or not finite, the progress is 0.
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0) {
        self.init(value.map { Double($0) }, Double(total), EmptyView(), EmptyView())
    }
}
extension ProgressView where CurrentValueLabel == EmptyView {
    /// Creates a spinner with a label above it.
    public init(@ViewBuilder label: () -> Label) { self.init(nil, 1, label(), EmptyView()) }
    /// Creates a bar with a label above it, or a spinner if `value` is nil.
    ///
    /// - Parameters:
    ///   - value: The amount that is done, clamped to the range from 0 to `total`. Nil if it is unknown.
    ///   - total: The amount of the whole task. If it is not greater than 0 or not finite, the progress is 0.
    ///   - label: The label.
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0, @ViewBuilder label: () -> Label) {
        self.init(value.map { Double($0) }, Double(total), label(), EmptyView())
    }
}
extension ProgressView where Label == Text, CurrentValueLabel == EmptyView {
    /// Creates a spinner with a localized title above it.
    public init(_ titleKey: LocalizedStringKey) { self.init(nil, 1, Text(titleKey), EmptyView()) }
    /// Creates a spinner below a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S) { self.init(nil, 1, Text(title), EmptyView()) }
    /// Creates a bar with a localized title above it, or a spinner if `value` is nil.
    ///
    /// - Parameters:
    ///   - titleKey: The title, which is looked up in the app's translations.
    ///   - value: The amount that is done, clamped to the range from 0 to `total`. Nil if it is unknown.
    ///   - total: The amount of the whole task. If it is not greater than 0 or not finite, the progress is 0.
    public init<V: BinaryFloatingPoint>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1.0) {
        self.init(value.map { Double($0) }, Double(total), Text(titleKey), EmptyView())
    }
    /// Creates a bar below a title that is not localized, or a spinner if `value` is nil.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - value: The amount that is done, clamped to the range from 0 to `total`. Nil if it is unknown.
    ///   - total: The amount of the whole task. If it is not greater than 0 or not finite, the progress is 0.
    @_disfavoredOverload public init<S: StringProtocol, V: BinaryFloatingPoint>(_ title: S, value: V?, total: V = 1.0) {
        self.init(value.map { Double($0) }, Double(total), Text(title), EmptyView())
    }
}
extension ProgressView {
    /// Creates a bar with a label above it and a description of the value below it, or a spinner if `value` is nil.
    ///
    /// - Parameters:
    ///   - value: The amount that is done, clamped to the range from 0 to `total`. Nil if it is unknown.
    ///   - total: The amount of the whole task. If it is not greater than 0 or not finite, the progress is 0.
    ///   - label: The label.
    ///   - currentValueLabel: The description of the value.
    public init<V: BinaryFloatingPoint>(
        value: V?, total: V = 1.0, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) {
        self.init(value.map { Double($0) }, Double(total), label(), currentValueLabel())
    }
}

/// A style of progress views. Matches SwiftUI's `ProgressViewStyle`; only the styles of this module are supported.
public protocol ProgressViewStyle {}
/// A progress style that shows a bar. Without a value, a block in the bar moves back and forth.
public struct LinearProgressViewStyle: ProgressViewStyle {
    let tint: Color?
    /// Creates the style. The short form is `.linear`.
    public init() { tint = nil }
    /// Creates the style with a color for the part of the bar that is done. This is an older form of `tint(_:)`.
    public init(tint: Color) { self.tint = tint }
}
/// A progress style that shows a ring, or a spinner without a value.
public struct CircularProgressViewStyle: ProgressViewStyle {
    let tint: Color?
    /// Creates the style. The short form is `.circular`.
    public init() { tint = nil }
    /// Creates the style with a color for the ring or the spinner. This is an older form of `tint(_:)`.
    public init(tint: Color) { self.tint = tint }
}
/// The default progress style, which shows a bar, or a spinner without a value.
public struct DefaultProgressViewStyle: ProgressViewStyle {
    /// Creates the style. The short form is `.automatic`.
    public init() {}
}
extension ProgressViewStyle where Self == LinearProgressViewStyle {
    /// A style that shows a bar. Without a value, a block in the bar moves back and forth.
    public static var linear: LinearProgressViewStyle { LinearProgressViewStyle() }
}
extension ProgressViewStyle where Self == CircularProgressViewStyle {
    /// A style that shows a ring, or a spinner without a value.
    public static var circular: CircularProgressViewStyle { CircularProgressViewStyle() }
}
extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    /// A style that shows a bar, or a spinner without a value.
    public static var automatic: DefaultProgressViewStyle { DefaultProgressViewStyle() }
}

struct ProgressStyle: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case automatic, linear, circular }
    var kind = Kind.automatic
    var tint: Color?
}
private struct ProgressStyleKey: EnvironmentKey { static let defaultValue = ProgressStyle() }
extension EnvironmentValues {
    var progressStyle: ProgressStyle {
        get { self[ProgressStyleKey.self] }
        set { self[ProgressStyleKey.self] = newValue }
    }
}
extension View {
    /// Sets the style of the progress views in this view.
    public func progressViewStyle<S: ProgressViewStyle>(_ style: S) -> some View {
        let new =
            switch style {
            case let linear as LinearProgressViewStyle: ProgressStyle(kind: .linear, tint: linear.tint)
            case let circular as CircularProgressViewStyle: ProgressStyle(kind: .circular, tint: circular.tint)
            default: ProgressStyle()
            }
        return setting(\.progressStyle, new)
    }
}
