import Foundation
@_spi(Graph) import ViewGraph

/// Returns a new container for a sheet: in the phone style a panel in the window, and otherwise a window.
@MainActor func sheetPlace(_ fiber: _Fiber) -> any PresentationPlace {
    fiber.environment.platformStyle == .phone ? WindowCover(SheetPanelElement()) : ModalWindow(graph: fiber.graph)
}

extension View {
    /// Shows `content` in a window over this one while `isPresented` is true.
    ///
    /// ```swift
    /// @State private var showsSettings = false
    ///
    /// var body: some View {
    ///     Button("Settings") { showsSettings = true }
    ///         .sheet(isPresented: $showsSettings) { SettingsView() }
    /// }
    /// ```
    /// `isPresented` becomes false when the user presses Escape or the window's close button, or when the content calls
    /// `dismiss`.
    ///
    /// In the phone style, the sheet is not a window but a panel at the bottom edge of this window, as wide as the
    /// window. It is nearly as high as the window unless it has `presentationDetents`, and a click above it closes it.
    /// It cannot be dragged.
    ///
    /// - Parameters:
    ///   - isPresented: Whether the sheet is shown.
    ///   - onDismiss: Called after the sheet has closed.
    ///   - content: The content of the sheet.
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        presenting(isPresented, onDismiss: onDismiss, in: sheetPlace) {
            AnyView(SheetContent(content: content()))
        }
    }
    /// Shows `content` for `item` in a window over this one while `item` has a value, and sets `item` to nil when the
    /// window closes. An item with another id gets a new window. In the phone style, the window is a panel, as for
    /// `sheet(isPresented:onDismiss:content:)`.
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        presenting(item, onDismiss: onDismiss, in: sheetPlace) {
            AnyView(SheetContent(content: content($0)))
        }
    }
    /// Covers the whole content of the window while `isPresented` is true.
    ///
    /// ```swift
    /// VideoThumbnail()
    ///     .onTapGesture { showsVideo = true }
    ///     .fullScreenCover(isPresented: $showsVideo) { ExtVideoPlayer(fileName: "film.mp4") }
    /// ```
    /// `isPresented` becomes false when the user presses Escape, or when the content calls `dismiss`.
    ///
    /// - Parameters:
    ///   - isPresented: Whether the cover is shown.
    ///   - onDismiss: Called after the cover has closed.
    ///   - content: The content of the cover.
    public func fullScreenCover<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        presenting(isPresented, onDismiss: onDismiss, in: { _ in WindowCover() }) { AnyView(content()) }
    }
    /// Covers the whole content of the window while `item` has a value. `item` becomes nil when the user presses
    /// Escape, or when the content calls `dismiss`. An item with another id gets a new cover.
    public func fullScreenCover<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        presenting(item, onDismiss: onDismiss, in: { _ in WindowCover() }) { AnyView(content($0)) }
    }
}

/// The content of a sheet, which is at least 200 × 100 points, and as high as its detents require.
struct SheetContent<Content: View>: View {
    let content: Content
    @State private var settings = SheetSettings()
    var body: some View {
        content.elementModifier(SheetSize(settings: settings)).onPreferenceChange(SheetSettingsKey.self) {
            settings = $0
        }
    }
}

struct SheetSize: ElementModifier {
    let settings: SheetSettings
    func makeElement() -> SheetElement { SheetElement() }
    func update(_ element: SheetElement, _ fiber: _Fiber) {
        guard element.settings != settings else { return }
        element.settings = settings
        element.setNeedsLayout()
    }
}

/// An element that gives the content of a sheet its size.
///
/// The window below is known only after the sheet is added to a window. Therefore the element reads the height of the
/// window below each time it is measured.
final class SheetElement: WrapperElement {
    var settings = SheetSettings()

    /// The height of the window below the sheet, in points.
    private var heightBelow: CGFloat {
        let below = host?.container?.window?.parent
        return HostWindow.all.first { $0.window == below }?.surface.size.height ?? WindowSize.useful.height
    }
    private static let least = CGSize(width: 200, height: 100)

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let height = settings.height(in: heightBelow)
        let least = CGSize(width: SheetElement.least.width, height: height ?? SheetElement.least.height)
        let offered = ProposedViewSize(
            width: proposal.width.map { max($0, least.width) },
            height: (proposal.height ?? height).map { max($0, least.height) })
        let inner = content?.sizeThatFits(offered) ?? .zero
        return CGSize(
            width: min(offered.width ?? .infinity, max(inner.width, least.width)),
            height: min(offered.height ?? .infinity, max(inner.height, least.height)))
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        guard let content else { return }
        let inner = content.sizeThatFits(ProposedViewSize(size))
        let origin = CGPoint(x: (size.width - inner.width) / 2, y: (size.height - inner.height) / 2)
        content.place(CGRect(origin: origin, size: inner), ProposedViewSize(size))
    }
}
