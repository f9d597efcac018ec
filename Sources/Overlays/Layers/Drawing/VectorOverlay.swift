import Foundation
import MediaCore
import Synchronization

/// The vector layers over a video's picture.
///
/// Layers are built, changed and committed on the main actor; what is drawn is a snapshot, on any thread. Each
/// builder's layer is a bitmap of what it covers, drawn again only when it has changed or an animation moves it.
/// Changes of a layer are taken up with the next turn of the main loop, or when content is asked on the main thread.
package final class VectorOverlay: PictureOverlay {
    /// When animations begin that do not say it themselves, and what `CACurrentMediaTime()` is to builders.
    /// Nil: when they are first shown, and now.
    private let zero: HostTime?
    private let state = Mutex(OverlayState())

    /// A builder's layer.
    @MainActor private struct Built {
        var id: UUID
        var bounds: CGRect
        var root: CALayer
        /// The layer's `treeRevision` in the snapshot; nil: none was taken.
        var revision: UInt64?
        var entries: [UInt64: Entry] = [:]
    }
    @MainActor private struct Entry {
        weak var layer: CALayer?
        var attached: AttachedAnimation
    }
    @MainActor private var built: [Built] = []
    @MainActor private var wake: Task<Void, Never>?

    /// - Parameter beginning: of an export: the host time passed for its first picture. Nil on a display.
    package init(beginning: HostTime? = nil) { zero = beginning }

    // MARK: What is shown

    /// Shows these builders' layers, the last one on top. Never builds without a size; a builder is asked again only
    /// when the bounds have changed. Without a size what is shown stays, and what is new waits for one.
    /// - Parameters:
    ///   - frame: the video's place in its window. - bounds: its own space; points.
    @MainActor package func update(vectors: [any ShapeLayerBuilderProtocol], frame: CGRect, bounds: CGRect) {
        let hasSize = [frame, bounds].allSatisfy { $0.isFinite && !$0.isNull && $0.width > 0 && $0.height > 0 }
        var next: [Built] = []
        for vector in vectors where !next.contains(where: { $0.id == vector.id }) {
            if let old = built.first(where: { $0.id == vector.id }), !hasSize || old.bounds == bounds {
                next.append(old)
            } else if hasSize {
                let root = AnimationClock.$fixed.withValue(zero?.seconds ?? AnimationClock.fixed) {
                    vector.build(with: (frame: frame, bounds: bounds))
                }
                next.append(Built(id: vector.id, bounds: bounds, root: root))
            }
        }
        let me = ObjectIdentifier(self)
        for old in built where !next.contains(where: { $0.root === old.root }) {
            old.root.observers[me] = nil
            stop(old.entries.values.map { $0 })
        }
        for new in next { new.root.observers[me] = { [weak self] in self?.mark() } }
        let isSame = built.map(\.root).elementsEqual(next.map(\.root), by: ===)
        built = next
        if !isSame { state.withLock { $0.isMarked = true } }
        commit()
    }

    /// Shows a tree that an app has made itself, and changes as it likes: a view's. Nil shows none.
    @MainActor package func show(_ root: CALayer?) {
        let me = ObjectIdentifier(self)
        guard built.first?.root !== root || built.isEmpty != (root == nil) else { return }
        for old in built {
            old.root.observers[me] = nil
            stop(old.entries.values.map { $0 })
        }
        root?.observers[me] = { [weak self] in self?.mark() }
        built = root.map { [Built(id: UUID(), bounds: .zero, root: $0)] } ?? []
        state.withLock { $0.isMarked = true }
        commit()
    }

    /// The trees as they are seen at `hostTime`, for who draws them himself; by being
    /// asked for, animations begin and end. `version` is another one when a layer was changed.
    @MainActor package func presented(at hostTime: HostTime) -> (layers: [PresentedLayer], version: UInt64) {
        _ = takeUp()
        let (shown, started, finished) = state.withLock { s in
            s.settle(hostTime, zero: zero)
            return (s.presented(hostTime), s.takeStarted(), s.takeFinished())
        }
        if !started.isEmpty || !finished.isEmpty {
            Task { @MainActor [weak self] in self?.report(started: started, finished: finished) }
        }
        return shown
    }

    /// Takes up changes of layers now. Costs nothing when there are none.
    @MainActor package func commit() {
        if takeUp() { state.withLock { $0.action }?() }
    }

    /// What could not be shown as it was meant: unknown key paths, values of the wrong type. Each is said once.
    package var problems: [String] { state.withLock { $0.problems } }
    /// How many bitmaps have been drawn so far.
    package var drawCount: Int { state.withLock { $0.drawCount } }

    /// A layer has changed, on whatever thread the app did so.
    private func mark() {
        let isFirst = state.withLock { s in
            defer { s.isMarked = true }
            return !s.isMarked
        }
        if isFirst { Task { @MainActor [weak self] in self?.commit() } }
    }

    /// True when there was something.
    @MainActor private func takeUp() -> Bool {
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
            let gone = built[index].entries.filter { entries[$0.key] == nil }
            built[index].entries = entries
            stop(gone.values.map { $0 })
        }
        let ids = built.map { ObjectIdentifier($0.root) }
        let changed = state.withLock { $0.replace(ids, roots.map { $0?.snapshot }, problems) }
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

    /// An animation that begins later moves nothing until then: the display may sleep, and is called at its time.
    @MainActor private func scheduleWake() {
        wake?.cancel()
        wake = nil
        guard zero == nil else { return }
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
            // Whoever removed it from its layer has counted it already.
            if entry.layer?.attached.contains(where: { $0.token == entry.attached.token }) ?? true {
                entry.attached.completion?.leave()
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
            entry.attached.completion?.leave()
            entry.attached.animation.delegate?.animationDidStop(entry.attached.animation, finished: true)
        }
    }

    // MARK: PictureOverlay

    package func content(at itemTime: CMTime, hostTime: HostTime, in geometry: OverlayGeometry) -> OverlayContent {
        // On the main thread what an app has just changed is there at once; nobody needs to be told of it.
        if Thread.isMainThread { MainActor.assumeIsolated { _ = takeUp() } }
        guard geometry.width > 0, geometry.height > 0, geometry.scale.isFinite, geometry.scale > 0 else {
            return .nothing
        }
        let (content, started, finished) = state.withLock { s in
            s.settle(hostTime, zero: zero)
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
