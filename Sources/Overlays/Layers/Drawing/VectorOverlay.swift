import Foundation
import Logging
import MediaCore
import Synchronization

/// The vector layers over a video's frames.
///
/// Layers are built, changed and committed on the main actor. Drawing uses a snapshot and runs on any thread. The
/// overlay draws bitmaps of the areas that layers cover, and redraws them only when a layer changes or an animation
/// moves it. A changed layer is shown after the next pass of the main loop, or when the main thread requests content.
package final class VectorOverlay: FrameOverlay {
    /// The host time of the first frame of an export, or nil on a display. In an export, animations without a start
    /// begin at this time, and `CACurrentMediaTime()` returns this time to builders.
    private let exportStart: HostTime?
    private let state = Mutex(OverlayState())
    private let logger: Logger
    package static let logger = Logger(label: "zoetrope.layers")

    /// A layer tree that a builder has made.
    @MainActor private struct Built {
        var id: UUID
        var bounds: CGRect
        var root: CALayer
        /// The layer's `treeRevision` at the last snapshot, or nil before the first one.
        var revision: UInt64?
        var entries: [UInt64: Entry] = [:]
    }
    @MainActor private struct Entry {
        weak var layer: CALayer?
        var attached: AttachedAnimation
    }
    @MainActor private var built: [Built] = []
    @MainActor private var wake: Task<Void, Never>?

    /// Creates an overlay without layers.
    ///
    /// - Parameters:
    ///   - beginning: The host time of the first frame of an export. Nil on a display.
    ///   - logger: The logger for the problems of layers: unknown key paths and values of the wrong type.
    package init(beginning: HostTime? = nil, logger: Logger = VectorOverlay.logger) {
        exportStart = beginning
        self.logger = logger
    }

    // MARK: Layers

    /// Shows the layers of these builders, from bottom to top.
    ///
    /// A builder is called only for a new layer or when the bounds have changed. If the size is empty, existing layers
    /// stay, and new ones are built when there is a size.
    /// - Parameters:
    ///   - frame: The video's frame in its window, in points.
    ///   - bounds: The video's bounds in its own space, in points.
    @MainActor package func update(vectors: [any ShapeLayerBuilderProtocol], frame: CGRect, bounds: CGRect) {
        let hasSize = [frame, bounds].allSatisfy { $0.isFinite && !$0.isNull && $0.width > 0 && $0.height > 0 }
        var next: [Built] = []
        for vector in vectors where !next.contains(where: { $0.id == vector.id }) {
            if let old = built.first(where: { $0.id == vector.id }), !hasSize || old.bounds == bounds {
                next.append(old)
            } else if hasSize {
                let root = AnimationClock.$fixed.withValue(exportStart?.seconds ?? AnimationClock.fixed) {
                    vector.build(with: (frame: frame, bounds: bounds))
                }
                next.append(Built(id: vector.id, bounds: bounds, root: root))
            }
        }
        let observerID = ObjectIdentifier(self)
        for old in built where !next.contains(where: { $0.root === old.root }) {
            old.root.observers[observerID] = nil
            stop(old.entries.values.map { $0 })
        }
        for new in next { new.root.observers[observerID] = { [weak self] in self?.mark() } }
        let isSame = built.map(\.root).elementsEqual(next.map(\.root), by: ===)
        built = next
        if !isSame { state.withLock { $0.isMarked = true } }
        commit()
    }

    /// Shows a layer tree that a view owns and may change at any time. Nil shows none.
    @MainActor package func show(_ root: CALayer?) {
        let observerID = ObjectIdentifier(self)
        guard built.first?.root !== root || built.isEmpty != (root == nil) else { return }
        for old in built {
            old.root.observers[observerID] = nil
            stop(old.entries.values.map { $0 })
        }
        root?.observers[observerID] = { [weak self] in self?.mark() }
        built = root.map { [Built(id: UUID(), bounds: .zero, root: $0)] } ?? []
        state.withLock { $0.isMarked = true }
        commit()
    }

    /// Returns the layer trees at `hostTime` for code that draws them itself. The call also starts and ends animations.
    ///
    /// `version` changes when the properties of a layer have changed.
    @MainActor package func presented(at hostTime: HostTime) -> (layers: [PresentedLayer], version: UInt64) {
        _ = takeSnapshots()
        let (shown, started, finished) = state.withLock { s in
            s.updateAnimations(at: hostTime, exportStart: exportStart)
            return (s.presented(hostTime), s.takeStarted(), s.takeFinished())
        }
        if !started.isEmpty || !finished.isEmpty {
            Task { @MainActor [weak self] in self?.report(started: started, finished: finished) }
        }
        return shown
    }

    /// Takes a snapshot of changed layers now. Without changes, this does almost nothing.
    @MainActor package func commit() {
        if takeSnapshots() { state.withLock { $0.action }?() }
    }

    /// The number of bitmaps drawn so far.
    package var drawCount: Int { state.withLock { $0.drawCount } }

    /// Records that a layer has changed, on any thread, and schedules `commit()`.
    private func mark() {
        let isFirst = state.withLock { s in
            defer { s.isMarked = true }
            return !s.isMarked
        }
        if isFirst { Task { @MainActor [weak self] in self?.commit() } }
    }

    /// Takes snapshots of changed layers. Returns whether a layer tree has changed.
    @MainActor private func takeSnapshots() -> Bool {
        let isMarked = state.withLock { s in
            defer { s.isMarked = false }
            return s.isMarked
        }
        guard isMarked else { return false }
        var roots: [(snapshot: LayerSnapshot, isNew: Bool)?] = []
        var problems: [String] = []
        for index in built.indices {
            let root = built[index].root
            guard built[index].revision != root.treeRevision else {
                roots.append(nil)
                continue
            }
            built[index].revision = root.treeRevision
            roots.append((LayerSnapshot(root), true))
            var entries: [UInt64: Entry] = [:]
            VectorOverlay.collect(root, &entries, &problems)
            let removed = built[index].entries.filter { entries[$0.key] == nil }
            built[index].entries = entries
            stop(removed.values.map { $0 })
        }
        let ids = built.map { ObjectIdentifier($0.root) }
        let (changed, new) = state.withLock { s in
            (s.replace(ids, roots.map { $0?.snapshot }), s.takeNew(problems))
        }
        for problem in new { logger.warning("\(problem)") }
        scheduleWake()
        return changed
    }
    @MainActor private static func collect(
        _ layer: CALayer, _ entries: inout [UInt64: Entry], _ problems: inout [String]
    ) {
        var waiting = [layer]
        while let each = waiting.popLast() {
            for attached in each.attached {
                problems += attached.problems
                if attached.record != nil { entries[attached.token] = Entry(layer: each, attached: attached) }
            }
            waiting += each.sublayers ?? []
            if let mask = each.mask { waiting.append(mask) }
        }
    }

    /// Wakes the display when the next animation with a start in the future begins. Until then, nothing moves.
    @MainActor private func scheduleWake() {
        wake?.cancel()
        wake = nil
        guard exportStart == nil else { return }
        let now = HostTime.now().seconds
        guard let next = state.withLock({ $0.nextBegin(after: now) }) else { return }
        let delay = min(max(next - now, 0), 86_400)
        wake = Task { @MainActor [weak self] in
            try? await Task.sleep(nanoseconds: UInt64(delay * 1e9))
            guard let self, !Task.isCancelled else { return }
            self.state.withLock { $0.action }?()
            self.scheduleWake()
        }
    }

    // MARK: Ends of animations

    @MainActor private func stop(_ entries: [Entry]) {
        let finished = state.withLock { $0.finished }
        for entry in entries where !finished.contains(entry.attached.token) {
            // If the animation was removed from its layer, the removal has called `leave()` already.
            if entry.layer?.attached.contains(where: { $0.token == entry.attached.token }) ?? true {
                entry.attached.completion?.leave(entry.attached.token)
            }
            entry.attached.animation.delegate?.animationDidStop(entry.attached.animation, finished: false)
        }
    }
    @MainActor private func report(started: [UInt64], finished: [UInt64]) {
        func entry(_ token: UInt64) -> Entry? { built.lazy.compactMap { $0.entries[token] }.first }
        for token in started {
            if let entry = entry(token) {
                entry.attached.animation.delegate?.animationDidStart(entry.attached.animation)
            }
        }
        for token in finished {
            guard let entry = entry(token) else { continue }
            if entry.attached.animation.isRemovedOnCompletion { entry.layer?.forget(token) }
            entry.attached.completion?.leave(token)
            entry.attached.animation.delegate?.animationDidStop(entry.attached.animation, finished: true)
        }
    }

    // MARK: FrameOverlay

    package func content(at itemTime: CMTime, hostTime: HostTime, in geometry: OverlayGeometry) -> OverlayContent {
        // On the main thread, an app's changes are visible immediately, without notification.
        if Thread.isMainThread { MainActor.assumeIsolated { _ = takeSnapshots() } }
        guard geometry.width > 0, geometry.height > 0, geometry.scale.isFinite, geometry.scale > 0 else {
            return .nothing
        }
        let (content, started, finished) = state.withLock { s in
            s.updateAnimations(at: hostTime, exportStart: exportStart)
            return (s.content(hostTime, geometry), s.takeStarted(), s.takeFinished())
        }
        if !started.isEmpty || !finished.isEmpty {
            Task { @MainActor [weak self] in self?.report(started: started, finished: finished) }
        }
        return content
    }
    package func isAnimating(at hostTime: HostTime) -> Bool { state.withLock { $0.isAnimating(hostTime) } }
    package func onChange(_ action: (@Sendable () -> Void)?) { state.withLock { $0.action = action } }
}
