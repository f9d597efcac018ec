import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// A part of a view that a popover points to. Matches SwiftUI's `PopoverAttachmentAnchor`.
public enum PopoverAttachmentAnchor: Sendable {
    /// A rectangle of the view.
    public enum Source: Sendable {
        /// The bounds of the view.
        case bounds
    }
    /// The popover points to a rectangle of the view.
    case rect(Source)
    /// The popover points to a point of the view, as a fraction of the view's size.
    case point(UnitPoint)
}

extension View {
    /// Shows a `GtkPopover` that points to this view while `isPresented` is true.
    ///
    /// ```swift
    /// Button("Audio") { showsAudio.toggle() }
    ///     .popover(isPresented: $showsAudio) {
    ///         Slider(value: $volume).frame(width: 200).padding()
    ///     }
    /// ```
    /// `isPresented` becomes false when the user clicks elsewhere or presses Escape, or when the content calls
    /// `dismiss`. In the phone style, the popover is a sheet, as on an iPhone.
    ///
    /// - Parameters:
    ///   - isPresented: Whether the popover is shown.
    ///   - attachmentAnchor: The part of this view that the popover points to.
    ///   - arrowEdge: The edge of this view at which the popover appears.
    ///   - content: The content of the popover.
    public func popover<Content: View>(
        isPresented: Binding<Bool>, attachmentAnchor: PopoverAttachmentAnchor = .rect(.bounds),
        arrowEdge: Edge = .bottom,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        PopoverView(
            content: self, isPresented: isPresented, edge: arrowEdge, anchor: attachmentAnchor,
            popover: { AnyView(content()) })
    }
    /// Shows a `GtkPopover` that points to this view while `item` has a value, and sets `item` to nil when the popover
    /// closes. An item with another id appears in the same popover. In the phone style, the popover is a sheet.
    public func popover<Item: Identifiable, Content: View>(
        item: Binding<Item?>, attachmentAnchor: PopoverAttachmentAnchor = .rect(.bounds), arrowEdge: Edge = .bottom,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        PopoverView(
            content: self,
            isPresented: Binding(get: { item.wrappedValue != nil }, set: { if !$0 { item.wrappedValue = nil } }),
            edge: arrowEdge, anchor: attachmentAnchor,
            popover: { item.wrappedValue.map { AnyView(content($0)) } ?? AnyView(EmptyView()) })
    }
}

struct PopoverView<Content: View>: View {
    let content: Content
    let isPresented: Binding<Bool>
    let edge: Edge
    let anchor: PopoverAttachmentAnchor
    let popover: @MainActor () -> AnyView
    @State private var link = PopoverLink()
    @Environment(\.platformStyle) private var platform
    var body: some View {
        let anchored = content.elementModifier(PopoverAnchor(link: link))
        if platform == .phone {
            anchored.presenting(isPresented, in: sheetPlace) { AnyView(SheetContent(content: popover())) }
        } else {
            anchored.presenting(
                isPresented, in: { PopoverPlace(graph: $0.graph, link: link, edge: edge, anchor: anchor) }, popover)
        }
    }
}

/// A reference to the element that a popover points to.
@MainActor
final class PopoverLink {
    weak var element: PopoverAnchorElement?
    nonisolated init() {}
}

struct PopoverAnchor: ElementModifier {
    let link: PopoverLink
    func makeElement() -> PopoverAnchorElement { PopoverAnchorElement() }
    func update(_ element: PopoverAnchorElement, _ fiber: _Fiber) { link.element = element }
}

/// The element that a popover points to. While the popover is open, its parent is a widget at the element's position.
final class PopoverAnchorElement: WrapperElement, WidgetOwner {
    private(set) var reference: GTKReference<GTKWidget>?
    var popover: GTKPopover?
    var onDetach: (() -> Void)?
    /// Called once, when the widget has its position.
    var onPlaced: (@MainActor () -> Void)?

    func makeWidget() -> GTKWidget? {
        if let reference { return reference.object }
        guard let container = host?.container,
            let raw = ElementWidget.make(role: GTK_ACCESSIBLE_ROLE_GROUP, owner: self)
        else { return nil }
        raw.setCanTarget(false)
        raw.setParent(container)
        reference = GTKReference(raw)
        host?.structureChanged()
        host?.needsPlacement()
        return raw
    }
    func removeWidget() {
        reference?.object.unparent()
        reference = nil
    }
    override func detached(from host: any ElementHost) {
        onDetach?()
        removeWidget()
    }
    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        if let reference { host?.position(reference.object, transform, size) }
    }
    func allocated(_ width: Int, _ height: Int) {
        if let action = onPlaced {
            onPlaced = nil
            // Call the closure later, because GTK is allocating.
            OnMain.later { action() }
        } else {
            popover?.place()
        }
    }
}

/// The root element of a popover's content.
final class PopoverRoot: LayersElement {
    private let link: PopoverLink
    /// The number of covers over the popover's window that the content shows.
    var coverCount = 0 { didSet { onCover?() } }
    /// Called when `coverCount` has changed.
    var onCover: (() -> Void)?

    init(_ link: PopoverLink) {
        self.link = link
        super.init()
    }

    /// The element that the popover points to.
    var anchor: Element? { link.element }
}

/// A `GtkPopover` that contains a surface with elements.
@MainActor
final class PopoverPlace: PresentationPlace {
    private let content: PopoverRoot
    var root: LayersElement { content }
    var onClose: (() -> Void)?
    private let graph: ViewGraph
    private let link: PopoverLink
    private let edge: Edge
    private let anchor: PopoverAttachmentAnchor
    private var surface: ElementSurface?
    private var popover: GTKReference<GTKPopover>?
    private var closedSignal: SignalConnection?

    init(graph: ViewGraph, link: PopoverLink, edge: Edge, anchor: PopoverAttachmentAnchor) {
        self.graph = graph
        self.link = link
        content = PopoverRoot(link)
        self.edge = edge
        self.anchor = anchor
    }

    func open(over element: Element?) {
        guard popover == nil, let anchorElement = link.element, let parent = anchorElement.makeWidget() else { return }
        Stylesheet.containers.ensure()
        root.direction = anchorElement.isMirrored ? .rightToLeft : .leftToRight
        let surface = ElementSurface(root: root, graph: graph)
        self.surface = surface
        let newPopover = GTKPopover()
        popover = GTKReference(newPopover)
        newPopover.setParent(parent)
        newPopover.addClass("zt-popover")
        if let content = surface.widget { newPopover.setChild(content) }
        newPopover.setPosition(edge.position(isMirrored: anchorElement.isMirrored))
        if case .point(let point) = anchor {
            let size = anchorElement.frame.size
            newPopover.setPointing(to: CGPoint(x: point.sanitized.x * size.width, y: point.sanitized.y * size.height))
        }
        closedSignal = SignalConnection(newPopover, "closed") { [weak self] in
            guard let self, content.coverCount == 0 else { return }
            onClose?()
        }
        content.onCover = { [weak self] in self?.coverChanged() }
        anchorElement.popover = newPopover
        anchorElement.onDetach = { [weak self] in self?.close() }
        // Open the popover when its parent widget has been placed. Before that, the popover's surface would have no
        // size, and cairo would crash.
        anchorElement.onPlaced = { [weak self] in self?.show() }
    }

    private func show() {
        if content.coverCount == 0 { popover?.object.open() }
    }

    /// Hides the popover while a cover that belongs to its content is over the window. Otherwise the popover would be
    /// in front of the cover, or GTK would close it together with the hidden anchor, which would end the cover.
    private func coverChanged() {
        guard let popover, let anchorElement = link.element else { return }
        if content.coverCount > 0 {
            popover.object.isVisible = false
        } else {
            anchorElement.onPlaced = { [weak self] in self?.show() }
            anchorElement.reference?.object.queueAllocate()
            anchorElement.host?.needsPlacement()
        }
    }

    func close() {
        guard let popover else { return }
        self.popover = nil
        closedSignal?.disconnect()
        closedSignal = nil
        surface?.close()
        popover.object.setChild(nil)
        surface = nil
        popover.object.unparent()
        if let element = link.element {
            element.popover = nil
            element.onDetach = nil
            element.onPlaced = nil
            element.removeWidget()
        }
    }
}

extension Edge {
    /// Returns the side of a view on which this edge is.
    /// - Parameter isMirrored: Whether the view's layout is right-to-left.
    func position(isMirrored: Bool) -> GtkPositionType {
        switch self {
        case .top: GTK_POS_TOP
        case .bottom: GTK_POS_BOTTOM
        case .leading: isMirrored ? GTK_POS_RIGHT : GTK_POS_LEFT
        case .trailing: isMirrored ? GTK_POS_LEFT : GTK_POS_RIGHT
        }
    }
}
