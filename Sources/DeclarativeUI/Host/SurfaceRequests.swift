import GTK
import ViewGraph

/// The requests of a surface to GTK: another size, a new placement of its widgets, a redraw, or calls for an animation.
///
/// While GTK measures, places or draws a surface, it may lose new requests. A request marks the widget's ancestors, but
/// GTK is about to clear these marks, and does not visit the ancestors again. Therefore such requests wait for the next
/// iteration of the main loop.
@MainActor
final class SurfaceRequests {
    struct Kind: OptionSet {
        let rawValue: Int
        static let resize = Kind(rawValue: 1), allocate = Kind(rawValue: 2), draw = Kind(rawValue: 4)
    }

    private let widget: GTKWidget
    private var waiting: Kind = []
    private var minimumCheck: LoopTimer?
    private var tick: TickCallback?
    /// The number of nested calls in which GTK measures, places or draws surfaces.
    private static var depth = 0

    /// Creates the requests of a widget.
    /// - Parameter widget: The widget, which must outlive this object.
    init(_ widget: GTKWidget) { self.widget = widget }

    isolated deinit {
        minimumCheck?.cancel()
        tick?.cancel()
    }

    /// Runs `body`, in which GTK measures, places or draws a surface.
    static func insideGTK<T>(_ body: () -> T) -> T {
        depth += 1
        defer { depth -= 1 }
        return body()
    }

    /// Sends a request to GTK, now or later.
    /// - Parameter isLater: Whether the request always waits, because GTK may be placing another kind of widget.
    func request(_ kind: Kind, isLater: Bool = false) {
        guard isLater || SurfaceRequests.depth > 0 else { return send(kind) }
        let isFirst = waiting.isEmpty
        waiting.insert(kind)
        guard isFirst else { return }
        OnMain.later { [weak self] in
            guard let self else { return }
            let all = self.waiting
            self.waiting = []
            self.send(all)
        }
    }

    /// Requests another size after 250 ms, once for all changes until then.
    func checkMinimum() {
        guard minimumCheck == nil else { return }
        minimumCheck = LoopTimer(milliseconds: 250) { [weak self] in
            self?.minimumCheck = nil
            self?.request(.resize)
            return false
        }
    }

    // MARK: animation

    /// Whether an animation is running.
    var isAnimating: Bool { tick != nil }

    /// Calls `change` at each display refresh until it returns false. Must not be called while an animation is running.
    func animate(_ change: @escaping @MainActor () -> Bool) {
        tick = TickCallback(widget) { [weak self] _ in
            let continues = change()
            if !continues { self?.tick = nil }
            return continues
        }
    }

    func stopAnimation() {
        tick?.cancel()
        tick = nil
    }

    private func send(_ kind: Kind) {
        if kind.contains(.resize) { widget.queueResize() }
        if kind.contains(.allocate) { widget.queueAllocate() }
        if kind.contains(.draw) { widget.queueDraw() }
    }
}
