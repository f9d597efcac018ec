import CGTK
import Filters
import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// A button that shows a color and opens GTK's color dialog. Matches SwiftUI's `ColorPicker`.
///
/// ```swift
/// @State private var color = Color.blue
///
/// var body: some View {
///     ColorPicker("Key color", selection: $color, supportsOpacity: false)
/// }
/// ```
/// The binding is set when the user confirms the dialog. The picker shows the binding's value, even if the binding
/// rejects or changes the user's color.
public struct ColorPicker<Label: View>: View {
    let label: Label
    let selection: Binding<Color>
    let supportsOpacity: Bool

    /// Creates a picker with a custom label.
    ///
    /// - Parameters:
    ///   - selection: The color. A chosen color has fixed sRGB components.
    ///   - supportsOpacity: Whether the user can choose the opacity. If false, chosen colors are opaque.
    ///   - label: The label.
    public init(selection: Binding<Color>, supportsOpacity: Bool = true, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.selection = selection
        self.supportsOpacity = supportsOpacity
    }
    /// Creates a picker with a custom label for a Core Graphics color.
    ///
    /// - Parameters:
    ///   - selection: The color.
    ///   - supportsOpacity: Whether the user can choose the opacity. If false, chosen colors are opaque.
    ///   - label: The label.
    public init(selection: Binding<CGColor>, supportsOpacity: Bool = true, @ViewBuilder label: () -> Label) {
        self.init(selection: selection.asColor, supportsOpacity: supportsOpacity, label: label)
    }

    public var body: some View {
        LabeledControl(
            label: label, place: .leading,
            control: NativeColorPicker(
                color: selection.wrappedValue, binding: selection, supportsOpacity: supportsOpacity))
    }
}

extension ColorPicker where Label == Text {
    /// Creates a picker with a localized title.
    public init(_ titleKey: LocalizedStringKey, selection: Binding<Color>, supportsOpacity: Bool = true) {
        self.init(selection: selection, supportsOpacity: supportsOpacity) { Text(titleKey) }
    }
    /// Creates a picker with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, selection: Binding<Color>, supportsOpacity: Bool = true
    ) {
        self.init(selection: selection, supportsOpacity: supportsOpacity) { Text(title) }
    }
    /// Creates a picker with a localized title for a Core Graphics color.
    public init(_ titleKey: LocalizedStringKey, selection: Binding<CGColor>, supportsOpacity: Bool = true) {
        self.init(selection: selection, supportsOpacity: supportsOpacity) { Text(titleKey) }
    }
    /// Creates a picker for a Core Graphics color, with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, selection: Binding<CGColor>, supportsOpacity: Bool = true
    ) {
        self.init(selection: selection, supportsOpacity: supportsOpacity) { Text(title) }
    }
}

extension Binding where Value == CGColor {
    @MainActor fileprivate var asColor: Binding<Color> {
        Binding<Color>(get: { Color(cgColor: wrappedValue) }, set: { wrappedValue = UIColor($0).cgColor })
    }
}

struct NativeColorPicker: _PrimitiveView {
    let color: Color
    let binding: Binding<Color>
    let supportsOpacity: Bool
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, ColorPickerElement()) { element, view, fiber in element.set(view, fiber.environment) }
    }
}

/// An element with a button that shows a color and opens GTK's color dialog.
final class ColorPickerElement: ControlElement {
    private var view: NativeColorPicker?
    private var resolve: (Color) -> Color.Components = { $0.resolved(dark: false, accent: nil) }
    /// The color that the button shows.
    private(set) var color = Color.Components(red: 0, green: 0, blue: 0, opacity: 1)

    func set(_ view: NativeColorPicker, _ environment: EnvironmentValues) {
        self.view = view
        let (isDark, accent) = (environment.colorScheme == .dark, environment.tintColor)
        resolve = { $0.resolved(dark: isDark, accent: accent) }
        show(view.color)
        follow(environment)
        update()
    }

    private func show(_ color: Color) {
        let components = resolve(color)
        self.color = view?.supportsOpacity == false ? with(components) { $0.opacity = 1 } : components
    }

    override func makeWidget() -> GTKWidget? {
        let button = GTKColorButton()
        connect(button, "notify::rgba") { [weak self] in self?.chosen() }
        return button.widget
    }

    private var button: GTKColorButton? { widget?.as(GTKColorButton.self) }

    override func named(_ widget: GTKWidget) -> [GTKWidget] { namedOfInnerButton(widget) }

    override func nameChanged() {
        if !name.isEmpty { button?.setTitle(name) }
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        guard let button else { return }
        silently {
            button.setHasAlpha(view?.supportsOpacity ?? true)
            button.color = color.gdk
        }
    }

    private func chosen() {
        guard let new = button?.color else { return }
        choose(
            Color.Components(
                red: Double(new.red), green: Double(new.green), blue: Double(new.blue), opacity: Double(new.alpha)))
    }

    /// Handles the color that the user has chosen. The binding decides which color remains.
    func choose(_ new: Color.Components) {
        guard let view, isEnabled else { return }
        view.binding.wrappedValue = Color(
            red: new.red, green: new.green, blue: new.blue, opacity: view.supportsOpacity ? new.opacity : 1)
        show(view.binding.wrappedValue)
        update()
    }

    /// Returns GTK's natural size. Without a widget, returns the default theme's size.
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        natural(width: nil) ?? CGSize(width: 60, height: ControlExtent.regular)
    }
}
