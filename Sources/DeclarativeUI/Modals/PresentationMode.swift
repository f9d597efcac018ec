@_spi(Graph) import ViewGraph

/// The state of a view's presentation, with an action that closes it. Matches SwiftUI's `PresentationMode`.
///
/// This is an older form of `isPresented` and `dismiss`.
@MainActor @preconcurrency
public struct PresentationMode {
    /// Whether the view is in a sheet, a cover or a popover, or in a page that was pushed.
    public let isPresented: Bool
    let action: DismissAction
    /// Closes the presentation that contains the view.
    public mutating func dismiss() { action() }
}

extension EnvironmentValues {
    /// The state of the view's presentation. Call `presentationMode.wrappedValue.dismiss()` to close the presentation.
    @MainActor public var presentationMode: Binding<PresentationMode> {
        let mode = PresentationMode(isPresented: isPresented, action: dismiss)
        return Binding(get: { mode }, set: { _ in })
    }
}
