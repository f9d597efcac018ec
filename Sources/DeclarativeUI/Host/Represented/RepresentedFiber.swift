import CGTK
import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// The methods that the protocols for widgets require of a view, under common names. A product is the widget, the view
/// or the controller that the app creates.
@MainActor
struct Representation<V: View, Product, Coordinator> {
    let coordinator: (V) -> Coordinator
    let make: (V, RepresentedPlace<Coordinator>) -> Product
    let widget: (Product) -> GTKWidget
    let update: (V, Product, RepresentedPlace<Coordinator>) -> Void
    let size: (V, ProposedViewSize, Product, RepresentedPlace<Coordinator>) -> CGSize?
    /// Called with true after the product was added to a window, and with false before it is removed.
    let shown: (Product, Bool) -> Void
    let dismantle: (Product, Coordinator) -> Void
}

/// The current context of a represented view.
struct RepresentedPlace<Coordinator> {
    let coordinator: Coordinator
    let transaction: Transaction
    let environment: EnvironmentValues
}

/// The fiber of a view that represents a widget of the app. It owns the view's dynamic properties, as the fiber of a
/// view with a body does.
final class RepresentedFiber<V: View, Product, Coordinator>: _ViewFiber<V> {
    private let representation: Representation<V, Product, Coordinator>
    private let element = RepresentedElement()
    /// The storage of the product, which is kept while it is in a window. A removed view stays in its window for a
    /// moment, so this object is separate from the fiber.
    private final class Made {
        var product: Product?
        /// The coordinator. It is created before the first product, when the view's properties can be read, and lives
        /// as long as the view.
        var coordinator: Coordinator?
    }
    private let made = Made()
    private var product: Product? { made.product }
    private var properties = DynamicProperties()
    private let reads = TrackedReads()

    init(_ view: V, _ inputs: _FiberInputs, _ representation: Representation<V, Product, Coordinator>) {
        self.representation = representation
        super.init(view, inputs)
        reads.whenChanged { [weak self] in
            if let self, !isRemoved { graph.invalidate(self) }
        }
        properties.attach(to: view, of: self, reads)
        element.isEnabled = environment.isEnabled
        element.make = { [weak self] in self?.make() }
        element.show = { [weak self] in self?.show(isNew: true) }
        element.onRemove = { [made, weak element] in
            element?.layered?.enclose(nil)
            element?.layered = nil
            guard let product = made.product, let coordinator = made.coordinator else { return }
            made.product = nil
            representation.shown(product, false)
            representation.dismantle(product, coordinator)
        }
        element.size = { [weak self] proposal in
            guard let self, let product, let place else { return nil }
            return representation.size(self.view, proposal, product, place)
        }
    }

    override var elements: [Element] { [element] }
    private var place: RepresentedPlace<Coordinator>? { made.coordinator.map(place) }
    private func place(_ coordinator: Coordinator) -> RepresentedPlace<Coordinator> {
        RepresentedPlace(coordinator: coordinator, transaction: graph.transaction, environment: environment)
    }

    override func update(_ view: V, _ environment: EnvironmentValues) {
        let isSame =
            self.environment.isSame(as: environment) && properties.areComparable
            && ViewComparison.areSame(self.view, view)
        super.update(view, environment)
        properties.attach(to: view, of: self, reads)
        element.isEnabled = environment.isEnabled
        if !isSame || reads.isOutOfDate { show() }
    }

    override func reevaluate() {
        if !isRemoved, reads.isOutOfDate { show() }
    }

    private func make() -> GTKWidget? {
        if let problem = properties.problem(environment) {
            graph.log("\(V.self): \(problem)")
            return nil
        }
        let newProduct = Dependencies.untracked {
            let coordinator = made.coordinator ?? representation.coordinator(view)
            made.coordinator = coordinator
            return representation.make(view, place(coordinator))
        }
        made.product = newProduct
        element.layered = (newProduct as? GtkView) ?? (newProduct as? any GtkViewOwner)?.gtkView
        element.layered?.enclose(element)
        element.connect(newProduct) { [weak self] in self?.environment }
        return representation.widget(newProduct)
    }

    private func show(isNew: Bool = false) {
        graph.validated(self)
        guard let product, let place else {
            // An environment object that was missing may have been set.
            if properties.problem(environment) == nil { element.makeMissingWidget() }
            return
        }
        reads.evaluate(isBody: false) { representation.update(view, product, place) }
        if isNew { representation.shown(product, true) }
        // The widget may now prefer another size.
        element.setNeedsLayout()
    }

    override func removed() { reads.removeAll() }
}

/// An element with a widget of the app.
final class RepresentedElement: WidgetElement {
    var make: () -> GTKWidget? = { nil }
    var show: () -> Void = {}
    var onRemove: () -> Void = {}
    var size: (ProposedViewSize) -> CGSize? = { _ in nil }

    override func makeWidget() -> GTKWidget? { make() }
    override func configure(_ widget: GTKWidget) { show() }
    override func willRemove(_ widget: GTKWidget) { onRemove() }

    /// Whether the product is a picker, which shows a dialog and has no content of its own.
    var showsPicker = false
    /// The product if it may have layers. Videos in its layers need to know whether they are covered.
    var layered: GtkView?
    override func draw(_ context: DrawContext, _ size: CGSize) {
        // Set first, because the drawing depends on this value.
        if let layered, layered.isLayered {
            layered.setCovered(!context.allowsVideoSurface || host?.allowsOwnSurface == false)
        }
        super.draw(context, size)
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        if let size = size(proposal) { return size }
        let ideal = natural(width: nil) ?? .zero
        // The width is the preferred one, limited to the offered width if the widget can shrink.
        var result = natural(width: proposal.width.map { min($0, ideal.width) }) ?? .zero
        let expands: (GtkOrientation) -> Bool = { [widget] axis in
            widget?.expands(axis) ?? false
        }
        if ideal.width == 0 || expands(GTK_ORIENTATION_HORIZONTAL) {
            result.width = proposal.width ?? max(10, ideal.width)
        }
        if ideal.height == 0 || expands(GTK_ORIENTATION_VERTICAL) {
            result.height = proposal.height ?? max(10, ideal.height)
        }
        return result
    }
}
