import CGTK
import Foundation
import GLibSupport
import GTKSupport
import MediaCore
@_spi(Graph) import ViewGraph

/// What of a view a popover points to.
public enum PopoverAttachmentAnchor: Sendable {
    /// What of the view is meant by a rectangle: its bounds.
    public enum Source: Sendable {
        /// All of the view.
        case bounds
    }
    /// To the view's bounds.
    case rect(Source)
    /// To a point of the view, in its own sizes.
    case point(UnitPoint)
}

extension View {
    /// Shows `content` in a GtkPopover that points to this view while `isPresented`, which is set false when the user
    /// clicks elsewhere or presses Escape.
    /// - Parameter arrowEdge: the edge of this view that it stands at.
    public func popover<Content: View>(
        isPresented: Binding<Bool>, attachmentAnchor: PopoverAttachmentAnchor = .rect(.bounds),
        arrowEdge: Edge = .bottom,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        PopoverView(
            content: self, isPresented: isPresented, edge: arrowEdge, anchor: attachmentAnchor,
            popover: { AnyView(content()) })
    }
    /// Shows `content` for an item while there is one.
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
    var body: some View {
        content.elementModifier(PopoverAnchor(link: link))
            .presenting(
                isPresented, in: { PopoverPlace(graph: $0.graph, link: link, edge: edge, anchor: anchor) }, popover)
    }
}

/// Where the anchor's element is.
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

/// The view a popover points to. While it is shown there is a widget under the view: the popover's parent.
final class PopoverAnchorElement: WrapperElement, WidgetOwner {
    private(set) var widget: UnsafeMutablePointer<GtkWidget>?
    var popover: UnsafeMutablePointer<GtkWidget>?
    var onDetach: (() -> Void)?
    /// Called once, when the widget has got its place.
    var onPlaced: (@MainActor () -> Void)?

    func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
        if let widget { return widget }
        guard let container = host?.container,
            let raw = ElementWidget.make(role: GTK_ACCESSIBLE_ROLE_GROUP, owner: self)
        else { return nil }
        g_object_ref_sink(raw)
        gtk_widget_set_can_target(raw, 0)
        gtk_widget_set_parent(raw, container)
        widget = raw
        host?.structureChanged()
        host?.needsPlacement()
        return raw
    }
    func removeWidget() {
        guard let widget else { return }
        gtk_widget_unparent(widget)
        g_object_unref(widget)
        self.widget = nil
    }
    override func detached(from host: any ElementHost) {
        onDetach?()
        removeWidget()
    }
    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        if let widget { host?.position(widget, transform, size) }
    }
    func allocated(_ width: Int, _ height: Int) {
        if let placed = onPlaced {
            onPlaced = nil
            // Not now: GTK is allocating.
            OnMain.later { placed() }
        } else if let popover {
            gtk_popover_present(UnsafeMutableRawPointer(popover).assumingMemoryBound(to: GtkPopover.self))
        }
    }
}

/// A GtkPopover with a surface of elements in it.
@MainActor
final class PopoverPlace: PresentationPlace {
    let root = LayersElement()
    var onClose: (() -> Void)?
    private let graph: ViewGraph
    private let link: PopoverLink
    private let edge: Edge
    private let anchor: PopoverAttachmentAnchor
    private var surface: ElementSurface?
    private var popover: UnsafeMutablePointer<GtkWidget>?
    private var closed: SignalConnection?

    init(graph: ViewGraph, link: PopoverLink, edge: Edge, anchor: PopoverAttachmentAnchor) {
        self.graph = graph
        self.link = link
        self.edge = edge
        self.anchor = anchor
    }

    func open(over element: Element?) {
        guard popover == nil, let anchorElement = link.element, let parent = anchorElement.makeWidget(),
            let raw = gtk_popover_new()
        else { return }
        Stylesheet.containers.ensure()
        root.direction = anchorElement.isMirrored ? .rightToLeft : .leftToRight
        let surface = ElementSurface(root: root, graph: graph)
        self.surface = surface
        popover = raw
        g_object_ref(raw)
        gtk_widget_set_parent(raw, parent)
        gtk_widget_add_css_class(raw, "zt-popover")
        let pop = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GtkPopover.self)
        if let content = surface.widget { gtk_popover_set_child(pop, content) }
        gtk_popover_set_position(pop, edge.position)
        if case .point(let point) = anchor {
            let size = anchorElement.frame.size
            var rect = GdkRectangle(
                x: Int32((point.proper.x * size.width).within(1_000_000).rounded()),
                y: Int32((point.proper.y * size.height).within(1_000_000).rounded()), width: 1, height: 1)
            gtk_popover_set_pointing_to(pop, &rect)
        }
        closed = SignalConnection(raw, "closed") { [weak self] in self?.onClose?() }
        anchorElement.popover = raw
        anchorElement.onDetach = { [weak self] in self?.close() }
        // Shown once its parent has a place: without one it would be a surface of no size, in which cairo crashes.
        anchorElement.onPlaced = { [weak self] in
            guard let popover = self?.popover else { return }
            gtk_popover_popup(UnsafeMutableRawPointer(popover).assumingMemoryBound(to: GtkPopover.self))
        }
    }

    func close() {
        guard let popover else { return }
        self.popover = nil
        closed?.disconnect()
        closed = nil
        let pop = UnsafeMutableRawPointer(popover).assumingMemoryBound(to: GtkPopover.self)
        surface?.close()
        gtk_popover_set_child(pop, nil)
        surface = nil
        gtk_widget_unparent(popover)
        g_object_unref(popover)
        if let element = link.element {
            element.popover = nil
            element.onDetach = nil
            element.onPlaced = nil
            element.removeWidget()
        }
    }
}

extension Edge {
    var position: GtkPositionType {
        switch self {
        case .top: GTK_POS_TOP
        case .bottom: GTK_POS_BOTTOM
        case .leading: GTK_POS_LEFT
        case .trailing: GTK_POS_RIGHT
        }
    }
}
