import Foundation
@_spi(Graph) import ViewGraph

extension View {
    /// Shows `content` in a window over this one while `isPresented` is true.
    ///
    /// `isPresented` becomes false when the user presses Escape or the window's close button, or when the content calls
    /// `dismiss`.
    ///
    /// - Parameters:
    ///   - isPresented: Whether the sheet is shown.
    ///   - onDismiss: Called after the sheet has closed.
    ///   - content: The content of the sheet.
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        presenting(isPresented, onDismiss: onDismiss, in: { ModalWindow(graph: $0.graph) }) {
            AnyView(SheetContent(content: content()))
        }
    }
    /// Shows `content` for `item` in a window over this one while `item` has a value. An item with another id gets a
    /// new window.
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        presenting(item, onDismiss: onDismiss, in: { ModalWindow(graph: $0.graph) }) {
            AnyView(SheetContent(content: content($0)))
        }
    }
    /// Covers the whole content of the window while `isPresented` is true. Escape closes the cover.
    public func fullScreenCover<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        presenting(isPresented, onDismiss: onDismiss, in: { _ in WindowCover() }) { AnyView(content()) }
    }
    /// Covers the whole content of the window while `item` has a value. Escape closes the cover.
    public func fullScreenCover<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        presenting(item, onDismiss: onDismiss, in: { _ in WindowCover() }) { AnyView(content($0)) }
    }
}

/// The content of a sheet, which is at least as large as a small window, and as high as its detent requires.
struct SheetContent<Content: View>: View {
    let content: Content
    @State private var detent: PresentationDetent?
    var body: some View {
        let height = detent.map { max(100, $0.height(in: SheetContent.windowHeight)) }
        content.frame(minWidth: 200, minHeight: height ?? 100, idealHeight: height)
            .onPreferenceChange(SheetWishKey.self) { detent = $0.detent }
    }
    /// The height of the first window, in points.
    private static var windowHeight: CGFloat {
        HostWindow.all.first?.surface.size.height ?? WindowSize.useful.height
    }
}
