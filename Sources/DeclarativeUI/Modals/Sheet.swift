import Foundation
@_spi(Graph) import ViewGraph

extension View {
    /// Shows `content` in a window over this one while `isPresented`, which is set false when the user closes it (its
    /// own button, Escape) or `dismiss` is called in it.
    /// - Parameter onDismiss: called when it has gone.
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        presenting(isPresented, onDismiss: onDismiss, in: { ModalWindow(graph: $0.graph) }) {
            AnyView(SheetContent(content: content()))
        }
    }
    /// Shows `content` for an item in a window over this one while there is one; another item, told by its id, gets a
    /// window of its own.
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        presenting(item, onDismiss: onDismiss, in: { ModalWindow(graph: $0.graph) }) {
            AnyView(SheetContent(content: content($0)))
        }
    }
    /// Covers all of the window's content while `isPresented`. Escape closes it.
    public func fullScreenCover<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        presenting(isPresented, onDismiss: onDismiss, in: { _ in WindowCover() }) { AnyView(content()) }
    }
    /// Covers all of the window's content while there is an item.
    public func fullScreenCover<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        presenting(item, onDismiss: onDismiss, in: { _ in WindowCover() }) { AnyView(content($0)) }
    }
}

/// A sheet is at least as large as a small window, and as high as its views say.
struct SheetContent<Content: View>: View {
    let content: Content
    @State private var detent: PresentationDetent?
    var body: some View {
        let height = detent.map { max(100, $0.height(in: SheetContent.windowHeight)) }
        content.frame(minWidth: 200, minHeight: height ?? 100, idealHeight: height)
            .onPreferenceChange(SheetWishKey.self) { detent = $0.detent }
    }
    /// Of the window that it is over.
    private static var windowHeight: CGFloat {
        HostWindow.all.first?.surface.size.height ?? WindowSize.useful.height
    }
}
