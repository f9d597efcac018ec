import Filters
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
    package var colors: FoldedColors? { displayed.colors }
    /// Another number: the same picture looks different.
    package var look: UInt64 { displayed.look }

    /// The display looks colours up itself; one that does not gets pictures that have them.
    package var displayTakesColors = true {
        didSet { if displayTakesColors != oldValue { changed() } }
    }

    /// The size, points, of the view that overlays are made to measure for; nil: of each view that shows them. A view
    /// of another size (one that floats) shows them as much smaller.
    package var viewSize: CGSize?

    private let composer = FrameComposer()
    private var wakeHandlers = WakeHandlers()
    private var displayed = DisplayedColors()
    private var ahead = FramesAhead()
    private var toldProblem: AVError?
    private var isClosed = false
    /// Whether the composer has work that this composition still waits for.
    private var isComposing = false

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

    /// Does nothing to the pictures until `settings` are set.
    public init() {}

    isolated deinit { close() }

    /// Waits for the picture under way. Later changes are kept, and nothing is drawn.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        for case let shader as VideoShader in settings.filters { shader.onReload = nil }
        for overlay in overlays { overlay.onChange(nil) }
        wakeHandlers.removeAll()
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
    package func addWakeHandler(_ wake: @escaping @MainActor () -> Void) -> Int { wakeHandlers.add(wake) }
    package func removeWakeHandler(_ token: Int) { wakeHandlers.remove(token) }
    private func wake() { for handler in wakeHandlers.all { handler() } }

    package func isAnimating(at hostTime: HostTime) -> Bool { overlays.contains { $0.isAnimating(at: hostTime) } }

    /// The picture to show at `due`, composed. Sequence numbers are the source's own, or, where pictures are drawn
    /// anew, such as it does not use (`sourceSequence` knows whose they are).
    package func pull(from source: any VideoFrameSource, at due: HostTime) -> PulledFrame? {
        let isAhead = plan.map(isDrawn) == true && source.isMoving
        let lead = ahead.lead(at: due, cost: isAhead ? composer.typicalCost : nil)
        guard let pulled = source.pull(forHostTime: due + lead) else {
            forget()
            ahead.hasShown = false
            return nil
        }
        let shown = compose(pulled, from: source, at: due, lead: lead)
        if shown != nil { ahead.hasShown = true }
        return shown
    }

    private func compose(_ pulled: PulledFrame, from source: any VideoFrameSource, at due: HostTime, lead: Int64)
        -> PulledFrame?
    {
        guard !isClosed, !settings.isPlain else {
            forget()
            displayed.set(nil)
            return pulled
        }
        let seconds = pulled.frame.presentationTime.seconds
        let plan = plan(for: pulled, time: seconds.isFinite ? seconds : 0)
        switch plan.way {
        case .asIs:
            forget()
            displayed.set(nil)
            return pulled
        case .colors(let colors):
            forget()
            displayed.set(colors, of: plan.version)
            return pulled
        case .undecided:
            decide(plan)
            return ahead.standing(pulled)
        case .drawn:
            displayed.set(nil)
            submit(pulled, plan, due: due + lead)
            return ahead.take(at: due, isMoving: source.isMoving) ?? ahead.standing(pulled)
        }
    }

    /// The source's number of what `pull` gave out.
    package func sourceSequence(of sequence: UInt64) -> UInt64 { ahead.source(of: sequence) }

    // MARK: deciding

    private func plan(for pulled: PulledFrame, time: Double) -> Plan {
        let size = pulled.frame.presentationSize
        let hasAlpha = pulled.frame.hasAlpha
        if let plan, plan.size == size, plan.hasAlpha == hasAlpha, plan.version == version,
            !settings.dependsOnTime || plan.sequence == pulled.sequence
        {
            return plan
        }
        let frame = settings.plan(for: size, time: time)
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

    private func tell(_ problem: AVError) {
        guard problem != toldProblem else { return }
        toldProblem = problem
        onProblem?(settings.located(problem))
    }

    // MARK: drawing ahead

    private func submit(_ pulled: PulledFrame, _ plan: Plan, due: HostTime) {
        let source = pulled.sequence
        let version = plan.version
        guard ahead.submit(source, version: version) else { return }
        isComposing = true
        composer.compose(pulled.frame, plan.frame.stages) { [weak self] outcome in
            DispatchQueue.main.async {
                MainActor.assumeIsolated { self?.finished(outcome, source: source, version: version, due: due) }
            }
        }
    }

    private func finished(_ outcome: FrameComposer.Outcome, source: UInt64, version: UInt64, due: HostTime) {
        if ahead.isLatest(source, version: version) { isComposing = false }
        if let problem = outcome.problem, version == self.version { tell(problem) }
        guard !isClosed, let frame = outcome.frame, plan.map(isDrawn) == true else { return wake() }
        ahead.add(frame, source: source, due: due)
        wake()
    }

    private func forget() {
        if ahead.forget() { isComposing = false }
    }
}
