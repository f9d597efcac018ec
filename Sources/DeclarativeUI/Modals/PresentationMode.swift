import Foundation
@_spi(Graph) import ViewGraph

/// Whether a view is presented, and what closes it. SwiftUI's older name of `isPresented` and `dismiss`.
@MainActor @preconcurrency
public struct PresentationMode {
    /// Whether the view is in a sheet, a cover or the like, or in a page that was pushed.
    public let isPresented: Bool
    let action: DismissAction
    /// Closes what the view is presented in.
    public mutating func dismiss() { action() }
}

extension EnvironmentValues {
    /// Whether the view is presented, and what closes it: `presentationMode.wrappedValue.dismiss()`.
    @MainActor public var presentationMode: Binding<PresentationMode> {
        let mode = PresentationMode(isPresented: isPresented, action: dismiss)
        return Binding(get: { mode }, set: { _ in })
    }
}
