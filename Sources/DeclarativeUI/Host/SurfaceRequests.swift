import Foundation
import GTK
import ViewGraph

/// What a surface asks GTK for: another size, another placement of its widgets, a redraw.
///
/// While GTK measures, places or draws a surface, it may lose what it is asked for: it marks ancestors that it is about
/// to call done, and never comes back. Requests of that time are made in the next turn of the main loop.
@MainActor
final class SurfaceRequests {
    struct Kind: OptionSet {
        let rawValue: Int
        static let resize = Kind(rawValue: 1), allocate = Kind(rawValue: 2), draw = Kind(rawValue: 4)
    }

    private let widget: GTKWidget
    private var waiting: Kind = []
    private var minimumCheck: LoopTimer?
    /// How deep GTK is in measuring, placing or drawing surfaces.
    private static var depth = 0

    /// - Parameter widget: lives as long as this.
    init(_ widget: GTKWidget) { self.widget = widget }

    isolated deinit { minimumCheck?.cancel() }

    /// Runs `body`, in which GTK measures, places or draws a surface.
    static func insideGTK<T>(_ body: () -> T) -> T {
        depth += 1
        defer { depth -= 1 }
        return body()
    }

    /// - Parameter isLater: not now in any case: GTK may be placing something that is no surface of ours.
    func request(_ what: Kind, isLater: Bool = false) {
        guard isLater || SurfaceRequests.depth > 0 else { return ask(what) }
        let isFirst = waiting.isEmpty
        waiting.insert(what)
        guard isFirst else { return }
        OnMain.later { [weak self] in
            guard let self else { return }
            let all = self.waiting
            self.waiting = []
            self.ask(all)
        }
    }

    /// Asks for another size a little later, once for all that changes until then.
    func checkMinimum() {
        guard minimumCheck == nil else { return }
        minimumCheck = LoopTimer(milliseconds: 250) { [weak self] in
            self?.minimumCheck = nil
            self?.request(.resize)
            return false
        }
    }

    private func ask(_ what: Kind) {
        if what.contains(.resize) { widget.queueResize() }
        if what.contains(.allocate) { widget.queueAllocate() }
        if what.contains(.draw) { widget.queueDraw() }
    }
}
