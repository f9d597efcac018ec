import Foundation
import MediaCore
import MediaEngine

/// Everything that is done to a player's pictures and lies over them: in one place, so that the window, Picture in
/// Picture, snapshots and exported files show the same.
///
/// Three ways, the cheapest that serves: nothing to do, and pictures pass; colours only, and the display looks them up
/// in the pixels it has made anyway (`colors`); else a thread draws each picture anew (`FrameComposer`), ahead of the
/// time it is shown by as long as that takes. When it does not keep up, pictures are left out; nobody waits for it.
///
/// Main actor; `close()` when the player is done with.
@MainActor @preconcurrency
public final class PictureComposition {
    /// What is done. A change shows with the next picture; while the video stands, at once.
    public var settings = PictureSettings() {
        didSet {
            guard settings != oldValue else { return }
            followShaders(oldValue)
            changed()
        }
    }
    /// Why a filter could not be carried out: the picture is shown without it. Told once until it changes.
    public var onProblem: ((AVError) -> Void)?

    /// Drawn over the picture, the last on top.
    package private(set) var overlays: [any PictureOverlay] = []
    /// What the display does to the pixels it shows; nil: nothing.
    package private(set) var colors: FoldedColors?
    /// Another number: the same picture looks different.
    package private(set) var look: UInt64 = 1

    /// The display looks colours up itself; one that does not gets pictures that have them.
    package var displayTakesColors = true {
        didSet { if displayTakesColors != oldValue { changed() } }
    }

    /// The size, points, of the view that overlays are made to measure for; nil: of each view that shows them. A view
    /// of another size (one that floats) shows them as much smaller.
    package var viewSize: CGSize?

    private let composer = FrameComposer()
    private var wakeHandlers: [Int: @MainActor () -> Void] = [:]
    private var nextWakeToken = 0
    private var toldProblem: AVError?
    private var isClosed = false
    /// Something of the present item was given out: it stands until its successor is drawn.
    private var hasShown = false

    /// What the settings are for pictures of a size, and whether that is colours only.
    private struct Plan {
        var size: CGSize
        var hasAlpha: Bool
        var version: UInt64
        /// The picture it was asked for, where it depends on the time.
        var sequence: UInt64
        var frame: FramePlan
        var way: Way
    }
    private enum Way {
        case undecided, asIs
        case colors(FoldedColors)
        case drawn
    }
    private var plan: Plan?
    private var version: UInt64 = 1

    /// A picture drawn anew.
    private struct Composed {
        var frame: VideoFrame
        var source: UInt64
        var due: HostTime
        var sequence: UInt64
    }
    private var ready: [Composed] = []
    private var current: Composed?
    /// What was given to the composer last.
    private var submitted: (source: UInt64, version: UInt64)?
    private var isComposing = false
    private var lastDue = HostTime.zero
    /// The settings that `colors` are for; 0 without any.
    private var colorsVersion: UInt64 = 0
    private var nextSequence: UInt64 = 1

    /// Does nothing to the pictures until `settings` are set.
    public init() {}

    isolated deinit { close() }

    /// Waits for the picture under way. Later changes are kept, and nothing is drawn.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        for case let shader as VideoShader in settings.filters { shader.onReload = nil }
        for overlay in overlays { overlay.onChange(nil) }
        wakeHandlers = [:]
        composer.close()
    }

    private func followShaders(_ old: PictureSettings) {
        for case let shader as VideoShader in old.filters { shader.onReload = nil }
        for case let shader as VideoShader in settings.filters {
            shader.follow()
            shader.onReload = { [weak self, weak shader] in
                MainActor.assumeIsolated {
                    self?.changed()
                    if let problem = shader?.reloadError { self?.tell(problem) }
                }
            }
        }
    }

    private func changed() {
        version += 1
        plan = nil
        toldProblem = nil
        wake()
    }

    // MARK: overlays

    /// On top of those there are.
    package func add(_ overlay: any PictureOverlay) {
        guard !overlays.contains(where: { $0 === overlay }) else { return }
        overlays.append(overlay)
        overlay.onChange { [weak self] in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.wake() } }
        }
        wake()
    }

    // MARK: displays

    /// Calls `wake` when a standing picture looks different from now on.
    package func addWakeHandler(_ wake: @escaping @MainActor () -> Void) -> Int {
        nextWakeToken += 1
        wakeHandlers[nextWakeToken] = wake
        return nextWakeToken
    }
    package func removeWakeHandler(_ token: Int) { wakeHandlers[token] = nil }
    private func wake() { for handler in wakeHandlers.values { handler() } }

    package func isAnimating(at hostTime: HostTime) -> Bool { overlays.contains { $0.isAnimating(at: hostTime) } }

    /// The picture to show at `due`, composed. Sequence numbers are the source's own, or, where pictures are drawn
    /// anew, such as it does not use (`sourceSequence` knows whose they are).
    package func pull(from source: any VideoFrameSource, at due: HostTime) -> PulledFrame? {
        // Pictures that are drawn are asked for early by as long as drawing takes, and by a turn of the display, at
        // which what is drawn is looked for; but no earlier than the source has any.
        let turn = min(max(due - lastDue, 4_000_000), 34_000_000)
        lastDue = due
        let ahead =
            if case .drawn? = plan?.way, source.isMoving { min(composer.typicalCost * 5 / 4 + turn, 90_000_000) } else {
                0 as Int64
            }
        guard let pulled = source.pull(forHostTime: due + ahead) else {
            forget()
            hasShown = false
            return nil
        }
        let shown = compose(pulled, from: source, at: due, ahead: ahead)
        if shown != nil { hasShown = true }
        return shown
    }

    private func compose(_ pulled: PulledFrame, from source: any VideoFrameSource, at due: HostTime, ahead: Int64)
        -> PulledFrame?
    {
        guard !isClosed, !settings.isPlain else {
            forget()
            setColors(nil)
            return pulled
        }
        let seconds = pulled.frame.presentationTime.seconds
        let plan = plan(for: pulled, time: seconds.isFinite ? seconds : 0)
        switch plan.way {
        case .asIs:
            forget()
            setColors(nil)
            return pulled
        case .colors(let colors):
            forget()
            setColors(colors, of: plan.version)
            return pulled
        case .undecided:
            decide(plan)
            return standing(pulled)
        case .drawn:
            setColors(nil)
            submit(pulled, plan, due: due + ahead)
            return take(at: due, isMoving: source.isMoving) ?? standing(pulled)
        }
    }

    /// What is shown while the first picture is on its way through new filters: what was shown until then. Before
    /// anything was, nothing: a video does not begin with a glimpse of what it is without its filters.
    private func standing(_ pulled: PulledFrame) -> PulledFrame? {
        current.map { PulledFrame(frame: $0.frame, sequence: $0.sequence) } ?? (hasShown ? pulled : nil)
    }

    /// The source's number of what `pull` gave out.
    package func sourceSequence(of sequence: UInt64) -> UInt64 {
        if let current, current.sequence == sequence { return current.source }
        return sequence
    }

    // MARK: deciding

    private func plan(for pulled: PulledFrame, time: Double) -> Plan {
        let size = pulled.frame.presentationSize
        let hasAlpha = pulled.frame.hasAlpha
        if let plan, plan.size == size, plan.hasAlpha == hasAlpha, plan.version == version,
            !settings.dependsOnTime || plan.sequence == pulled.sequence
        {
            return plan
        }
        let frame = FramePlan(settings, size: size, time: time)
        if let problem = frame.problems.first { tell(problem) }
        var way = Way.undecided
        if frame.isEmpty {
            way = .asIs
        } else if frame.onlyRecipe == nil || settings.dependsOnTime || hasAlpha && !frame.leavesAlpha {
            way = .drawn
        }
        let fresh = Plan(
            size: size, hasAlpha: hasAlpha, version: version, sequence: pulled.sequence, frame: frame, way: way)
        plan = fresh
        return fresh
    }

    private func isDrawn(_ plan: Plan) -> Bool { if case .drawn = plan.way { true } else { false } }

    private func decide(_ plan: Plan) {
        guard !isComposing, let image = plan.frame.onlyRecipe else { return }
        // Most often known at once: a matrix takes no drawing.
        if let quick = ColorFold.withoutDrawing(image) { return decided(plan, .success(quick)) }
        isComposing = true
        composer.fold(image) { [weak self] result in
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    guard let self else { return }
                    self.isComposing = false
                    self.decided(plan, result.map { $0 })
                }
            }
        }
    }

    private func decided(_ plan: Plan, _ result: Result<FoldedColors?, AVError>) {
        defer { wake() }
        guard self.plan?.version == plan.version, self.plan?.size == plan.size, self.plan?.hasAlpha == plan.hasAlpha
        else { return }
        switch result {
        case .success(let folded?):
            self.plan?.way = folded.kind == .identity ? .asIs : displayTakesColors ? .colors(folded) : .drawn
        case .success(nil): self.plan?.way = .drawn
        case .failure(let problem):
            tell(problem)
            self.plan?.way = .asIs
        }
    }

    /// - Parameter version: of the settings they are for.
    private func setColors(_ new: FoldedColors?, of version: UInt64 = 0) {
        guard version != colorsVersion else { return }
        colors = new
        colorsVersion = version
        look += 1
    }

    private func tell(_ problem: AVError) {
        guard problem != toldProblem else { return }
        toldProblem = problem
        onProblem?(settings.located(problem))
    }

    // MARK: drawing ahead

    private func submit(_ pulled: PulledFrame, _ plan: Plan, due: HostTime) {
        guard submitted.map({ $0.source != pulled.sequence || $0.version != plan.version }) ?? true else { return }
        submitted = (pulled.sequence, plan.version)
        isComposing = true
        let source = pulled.sequence
        let version = plan.version
        composer.compose(
            FrameComposer.Job(frame: pulled.frame, stages: plan.frame.stages) { [weak self] outcome in
                DispatchQueue.main.async {
                    MainActor.assumeIsolated { self?.finished(outcome, source: source, version: version, due: due) }
                }
            })
    }

    private func finished(_ outcome: FrameComposer.Outcome, source: UInt64, version: UInt64, due: HostTime) {
        if let submitted, submitted == (source, version) { isComposing = false }
        if let problem = outcome.problem, version == self.version { tell(problem) }
        guard !isClosed, let frame = outcome.frame, plan.map(isDrawn) == true else { return wake() }
        // Ours have the top bit, the source's never.
        nextSequence += 1
        ready.append(Composed(frame: frame, source: source, due: due, sequence: nextSequence | 1 << 63))
        wake()
    }

    /// The newest that is due; while nothing moves, the newest.
    private func take(at due: HostTime, isMoving: Bool) -> PulledFrame? {
        // Half of a 120 Hz tick early is not early.
        if let index = ready.lastIndex(where: { !isMoving || $0.due <= due + 4_000_000 }) {
            current = ready[index]
            ready.removeFirst(index + 1)
        }
        return current.map { PulledFrame(frame: $0.frame, sequence: $0.sequence) }
    }

    private func forget() {
        guard current != nil || !ready.isEmpty || submitted != nil else { return }
        current = nil
        ready = []
        submitted = nil
        isComposing = false
    }
}
