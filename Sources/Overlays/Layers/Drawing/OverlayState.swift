import Foundation
import MediaCore

/// The layers that a vector overlay draws, and the bitmaps that it has drawn. The overlay's lock protects it.
struct OverlayState {
    var action: (@Sendable () -> Void)?
    /// Whether a layer has changed since the last snapshot.
    var isMarked = false
    /// The problems that were logged.
    private var problems: Set<String> = []
    private(set) var drawCount = 0
    /// The tokens of animations that have run to their end.
    private(set) var finished: Set<UInt64> = []

    private struct Root {
        var id: ObjectIdentifier
        var snapshot: LayerSnapshot
        var units: [LayerUnit]
        var version: UInt64
    }
    private var roots: [Root] = []
    private var begins: [UInt64: Double] = [:]
    private var started: Set<UInt64> = []
    private var newlyStarted: [UInt64] = []
    private var newlyFinished: [UInt64] = []
    private var lastDrawn: HostTime?
    private var lastVersion: UInt64 = 0

    /// The bitmaps that were drawn last for one geometry. Several displays may show the same overlay.
    private struct Frame {
        var geometry: OverlayGeometry
        var roots: [DrawnRoot]
        var content: OverlayContent
    }
    private struct DrawnRoot {
        var id: ObjectIdentifier
        var version: UInt64
        /// Whether each unit moves. When one of them changes, the units are grouped again.
        var isMoving: [Bool]
        var parts: [Part]
    }
    /// Consecutive units that share one bitmap.
    private struct Part {
        var units: Range<Int>
        var host: HostTime
        var phases: [[AnimationTiming.Phase]]
        var isMoving: Bool
        var bitmap: OverlayBitmap?
    }
    private var frames: [Frame] = []

    // MARK: Layers

    /// Replaces the layer trees.
    ///
    /// - Parameters:
    ///   - ids: The root layers, from bottom to top.
    ///   - snapshots: The new snapshots of the roots, or nil where the layer has not changed.
    /// - Returns: Whether a layer tree has changed.
    mutating func replace(_ ids: [ObjectIdentifier], _ snapshots: [LayerSnapshot?]) -> Bool {
        var next: [Root] = []
        for (id, snapshot) in zip(ids, snapshots) {
            if let snapshot {
                lastVersion += 1
                next.append(Root(id: id, snapshot: snapshot, units: snapshot.units(), version: lastVersion))
            } else if let old = roots.first(where: { $0.id == id }) {
                next.append(old)
            }
        }
        let isChanged = next.map(\.version) != roots.map(\.version)
        roots = next
        var alive: Set<UInt64> = []
        visit { record, _ in alive.insert(record.token) }
        begins = begins.filter { alive.contains($0.key) }
        started.formIntersection(alive)
        finished.formIntersection(alive)
        return isChanged
    }
    /// Returns the problems that were not returned before, at most 100 in all.
    mutating func takeNew(_ found: [String]) -> [String] {
        found.filter { problems.count < 100 && problems.insert($0).inserted }
    }
    private func visit(_ body: (AnimationRecord, LayerTimeline) -> Void) {
        for root in roots { root.snapshot.visit(body) }
    }
    private func begin(_ record: AnimationRecord) -> Double? { record.timing.begin ?? begins[record.token] }

    // MARK: Time

    /// Starts animations that are shown for the first time at `host`, and records those that have ended.
    mutating func updateAnimations(at host: HostTime, exportStart: HostTime?) {
        let now = host.seconds
        let first = lastDrawn == nil ? exportStart?.seconds ?? now : now
        var begun: [(UInt64, Double)] = []
        var running: [UInt64] = []
        var ended: [UInt64] = []
        visit { record, timeline in
            let begin = begin(record) ?? timeline.local(first)
            if record.timing.begin == nil, begins[record.token] == nil { begun.append((record.token, begin)) }
            let phase = record.timing.phase(timeline.local(now), begin: begin)
            if phase != .before, !started.contains(record.token) { running.append(record.token) }
            if phase == .after, !finished.contains(record.token) { ended.append(record.token) }
        }
        for (token, begin) in begun { begins[token] = begin }
        started.formUnion(running)
        finished.formUnion(ended)
        newlyStarted += running
        newlyFinished += ended
        lastDrawn = host
    }
    mutating func takeStarted() -> [UInt64] {
        defer { newlyStarted = [] }
        return newlyStarted
    }
    mutating func takeFinished() -> [UInt64] {
        defer { newlyFinished = [] }
        return newlyFinished
    }

    /// Returns whether an animation runs, has not been shown yet, or has ended since the last drawing.
    func isAnimating(_ host: HostTime) -> Bool {
        let now = host.seconds
        var result = false
        visit { record, timeline in
            guard !result else { return }
            guard let begin = begin(record) else {
                result = true
                return
            }
            guard timeline.scale != 0, record.timing.moves else { return }
            switch record.timing.phase(timeline.local(now), begin: begin) {
            case .before: break
            case .active: result = true
            case .after:
                guard let lastDrawn else {
                    result = true
                    return
                }
                result = record.timing.phase(timeline.local(lastDrawn.seconds), begin: begin) != .after
            }
        }
        return result
    }
    /// Returns the host's time, in seconds, at which the next animation with a known start begins; nil if there is
    /// none.
    func nextBegin(after now: Double) -> Double? {
        var next: Double?
        visit { record, timeline in
            guard let begin = begin(record), timeline.scale > 0 else { return }
            let host = timeline.parent(begin)
            if host > now { next = min(next ?? host, host) }
        }
        return next
    }
    private func phases(_ snapshot: LayerSnapshot, _ host: HostTime) -> (
        phases: [AnimationTiming.Phase], isMoving: Bool
    ) {
        let now = host.seconds
        var phases: [AnimationTiming.Phase] = []
        var isMoving = false
        snapshot.visit { record, timeline in
            let local = timeline.local(now)
            let phase = record.timing.phase(local, begin: begin(record) ?? local)
            phases.append(phase)
            if phase == .active, timeline.scale != 0, record.timing.moves { isMoving = true }
        }
        return (phases, isMoving)
    }

    /// Returns the layer trees as they are displayed at a time, from bottom to top, and their version.
    ///
    /// The version changes with the layers' own properties, not with animations.
    func presented(_ host: HostTime) -> (layers: [PresentedLayer], version: UInt64) {
        (roots.map { $0.snapshot.presented(at: host.seconds, begins: begins) }, roots.map(\.version).max() ?? 0)
    }

    // MARK: Drawing

    mutating func content(_ host: HostTime, _ geometry: OverlayGeometry) -> OverlayContent {
        if roots.isEmpty, frames.isEmpty { return .nothing }
        let known = frames.firstIndex { $0.geometry == geometry }
        let old = known.map { frames.remove(at: $0) }
        let drawn = roots.map { root in
            draw(root, old?.roots.first { $0.id == root.id && $0.version == root.version }, host, geometry)
        }
        let bitmaps = drawn.flatMap { $0.parts.compactMap(\.bitmap) }
        var content: OverlayContent
        if let old, old.content.bitmaps.elementsEqual(bitmaps, by: ===) {
            content = old.content
        } else {
            lastVersion += 1
            content = OverlayContent(version: lastVersion, bitmaps: bitmaps)
        }
        frames.insert(Frame(geometry: geometry, roots: drawn, content: content), at: 0)
        // Three displays are expected: the video, a smaller view of it, and a snapshot.
        if frames.count > 3 { frames.removeLast() }
        return content
    }

    private mutating func draw(_ root: Root, _ old: DrawnRoot?, _ host: HostTime, _ geometry: OverlayGeometry)
        -> DrawnRoot
    {
        let now = host.seconds
        let scale = CGAffineTransform(scaleX: geometry.scale, y: geometry.scale)
        let states = root.units.map { phases($0.snapshot, host) }
        let isMoving = states.map(\.isMoving)
        let begins = begins
        func present(_ index: Int) -> (layer: PresentedLayer, parent: CGAffineTransform) {
            (
                root.units[index].snapshot.presented(at: now, begins: begins),
                root.units[index].parent.concatenating(scale)
            )
        }
        var parts: [Part]
        if let old, old.isMoving == isMoving {
            parts = old.parts
        } else {
            let areas = root.units.indices.map { index in
                let (layer, parent) = present(index)
                return LayerPainter.area(layer, parent, width: geometry.width, height: geometry.height)
            }
            parts = OverlayState.groups(areas, isMoving).map {
                Part(units: $0, host: host, phases: [], isMoving: isMoving[$0.lowerBound], bitmap: nil)
            }
        }
        for index in parts.indices {
            let part = parts[index]
            let phases = part.units.map { states[$0].phases }
            if part.phases == phases, part.host == host || !part.isMoving { continue }
            // A part that was not drawn yet has no phases, so the comparison above fails for it.
            drawCount += 1
            parts[index].bitmap = LayerPainter.bitmap(
                of: part.units.map(present), width: geometry.width, height: geometry.height)
            parts[index].phases = phases
            parts[index].host = host
        }
        return DrawnRoot(id: root.id, version: root.version, isMoving: isMoving, parts: parts)
    }
    /// Groups neighboring units into bitmaps. Units of a group either all move or all stand still, and leave little
    /// space between them.
    private static func groups(_ areas: [CGRect], _ isMoving: [Bool]) -> [Range<Int>] {
        let size: (CGRect) -> CGFloat = { $0.isNull ? 0 : $0.width * $0.height }
        var groups: [(units: Range<Int>, area: CGRect, sum: CGFloat)] = []
        for (index, area) in areas.enumerated() {
            if let last = groups.last, isMoving[last.units.lowerBound] == isMoving[index] {
                let union = last.area.union(area)
                let sum = last.sum + size(area)
                if size(union) <= 1.3 * sum || area.isNull && !isMoving[index] {
                    groups[groups.count - 1] = (last.units.lowerBound..<index + 1, union, sum)
                    continue
                }
            }
            groups.append((index..<index + 1, area, size(area)))
        }
        return groups.map(\.units)
    }
}
