import Filters
import Foundation
import MediaCore
import MediaEngine

/// The filters and overlays of a player's frames.
///
/// The window, Picture in Picture, snapshots and exported files share one composition, so that all look the same.
///
/// In a GTK app, it belongs to a `PlayerView`:
/// ```swift
/// let composition = PictureComposition()
/// composition.settings.add(CIFilter.photoEffectNoir())
/// composition.onProblem = { print($0.localizedDescription) }
/// view.composition = composition
/// ```
///
/// A composition uses the fastest method that works for its settings:
/// - Without filters, frames pass unchanged.
/// - If the item of a frame has a video composition (`AVPlayerItem.videoComposition`), a thread draws the frame. The
///   filters of `settings` are applied after it.
/// - If all filters change colors only, the display applies `colors` while it converts pixels.
/// - Otherwise, a thread draws each frame (`FrameComposer`) ahead of its display time. If drawing is too slow, frames
///   are left out; no thread waits.
///
/// Call `close()` when the player is no longer needed.
@MainActor @preconcurrency
public final class PictureComposition {
    /// The filters and their values. A change is visible with the next frame, or at once while the video is paused.
    public var settings = PictureSettings() {
        didSet {
            guard settings != oldValue else { return }
            followShaders(oldValue)
            changed()
        }
    }
    /// A closure that is called when a filter fails. The frame is shown without the filter. Until `settings` changes,
    /// the same error is reported once, and at most 16 different errors are reported.
    public var onProblem: ((AVError) -> Void)?

    /// The overlays above the frame, from bottom to top.
    package private(set) var overlays: [any FrameOverlay] = []
    /// The color change that the display applies to the pixels that it shows, or nil for none.
    package var colors: FoldedColors? { displayed.colors }
    /// A number that changes whenever the displays would show the same frame with other colors.
    package var appearanceVersion: UInt64 { displayed.appearanceVersion }

    /// Whether the display applies `colors` itself. If false, frames are drawn with their colors changed.
    package var displayTakesColors = true {
        didSet { if displayTakesColors != oldValue { changed() } }
    }

    /// The size of the view that overlays are laid out for, in points. A view of another size, such as Picture in
    /// Picture, scales them to its own size. Nil lays overlays out for each view that shows them.
    package var viewSize: CGSize?

    /// The composition of the item whose frame was pulled last, and the change that it requested.
    private var item: ItemComposition?
    private var itemChange: AVVideoComposition?
    private var itemFiltering: ImageFiltering?
    /// Whether the next frame of an item with a video composition is being drawn.
    package var isDrawingItem: Bool { itemChange != nil && isComposing }

    private let composer = FrameComposer()
    private var wakeHandlers = WakeHandlers()
    private var displayed = DisplayedColors()
    private var ahead = FramesAhead()
    /// The errors that were reported since the last change. Each frame may have another error.
    private var reportedProblems: Set<AVError> = []
    private static let maximumProblems = 16
    private var isClosed = false
    /// Whether this composition waits for the composer.
    private var isComposing = false

    /// The plan of the filters for frames of one size, and the method by which the frames are shown.
    private struct Plan {
        var size: CGSize
        var hasAlpha: Bool
        var version: UInt64
        /// The number of the frame that this plan is for. Only compared if the settings depend on the time.
        var sequence: UInt64
        var frame: FramePlan
        var method: RenderMethod
    }
    private enum RenderMethod {
        case undecided, unchanged
        case colors(FoldedColors)
        case drawn
    }
    private var plan: Plan?
    private var version: UInt64 = 1

    /// Creates a composition that leaves frames unchanged until `settings` is set.
    public init() {}

    isolated deinit { close() }

    /// Waits until the frame that is being drawn is finished, and ends the composition. Later changes of `settings` are
    /// stored, but frames pass unchanged. Further calls have no effect.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        for case let shader as VideoShader in settings.filters { shader.setOnReload(nil, for: self) }
        for overlay in overlays { overlay.onChange(nil) }
        wakeHandlers.removeAll()
        composer.close()
    }

    private func followShaders(_ old: PictureSettings) {
        // `close()` has removed the handlers, and nothing would remove new ones.
        guard !isClosed else { return }
        for case let shader as VideoShader in old.filters { shader.setOnReload(nil, for: self) }
        for case let shader as VideoShader in settings.filters {
            shader.follow()
            let update = { [weak self, weak shader] in
                MainActor.assumeIsolated {
                    self?.changed()
                    if let problem = shader?.reloadError { self?.report(problem) }
                }
            }
            shader.setOnReload(update, for: self)
        }
    }

    private func changed() {
        version += 1
        plan = nil
        reportedProblems = []
        wake()
    }

    // MARK: overlays

    /// Adds `overlay` on top of all others. Does nothing if the composition already contains it.
    package func add(_ overlay: any FrameOverlay) {
        guard !overlays.contains(where: { $0 === overlay }) else { return }
        overlays.append(overlay)
        overlay.onChange { [weak self] in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.wake() } }
        }
        wake()
    }

    // MARK: displays

    /// Adds a closure that is called when the current frame of a paused video looks different.
    ///
    /// - Returns: A token for `removeWakeHandler(_:)`.
    package func addWakeHandler(_ wake: @escaping @MainActor () -> Void) -> Int { wakeHandlers.add(wake) }
    package func removeWakeHandler(_ token: Int) { wakeHandlers.remove(token) }
    private func wake() { for handler in wakeHandlers.all { handler() } }

    package func isAnimating(at hostTime: HostTime) -> Bool { overlays.contains { $0.isAnimating(at: hostTime) } }

    /// Returns the composed frame to show at `due`, or nil if there is none.
    ///
    /// Frames that pass unchanged keep the source's sequence number. Frames that are drawn get numbers that the source
    /// never uses; `sourceSequence(of:)` maps them to the source's numbers.
    package func pull(from source: any VideoFrameSource, at due: HostTime) -> PulledFrame? {
        let isAhead = plan.map(isDrawn) == true && source.isMoving
        let lead = ahead.lead(at: due, cost: isAhead ? composer.typicalCost : nil)
        guard let pulled = source.pull(forHostTime: due + lead) else {
            discardAll()
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
        follow(pulled.composition)
        guard !isClosed, !settings.isPlain || itemChange != nil else {
            discardAll()
            displayed.set(nil)
            return pulled
        }
        let seconds = pulled.frame.presentationTime.seconds
        let plan = plan(for: pulled, time: seconds.isFinite ? seconds : 0)
        switch plan.method {
        case .unchanged:
            discardAll()
            displayed.set(nil)
            return pulled
        case .colors(let colors):
            discardAll()
            displayed.set(colors, of: plan.version)
            return pulled
        case .undecided:
            decide(plan)
            return ahead.fallbackFrame(pulled)
        case .drawn:
            displayed.set(nil)
            submit(pulled, plan, due: due + lead)
            return ahead.take(at: due, isMoving: source.isMoving) ?? ahead.fallbackFrame(pulled)
        }
    }

    /// Uses the video composition of the frame's item from now on, if it differs from that of the previous frame.
    private func follow(_ new: ItemComposition?) {
        let change = new?.current as? AVVideoComposition
        if new !== item {
            item = new
            // The first frame of an item is never shown without the item's composition.
            if change != nil { ahead.hasShown = false }
        }
        guard change !== itemChange else { return }
        itemChange = change
        itemFiltering = change?.filtering
        version += 1
        plan = nil
        reportedProblems = []
    }

    /// Returns the source's number of the frame that `pull` returned with the number `sequence`.
    package func sourceSequence(of sequence: UInt64) -> UInt64 { ahead.source(of: sequence) }

    // MARK: choice of the method

    private func plan(for pulled: PulledFrame, time: Double) -> Plan {
        let size = pulled.frame.presentationSize
        let hasAlpha = pulled.frame.hasAlpha
        if let plan, plan.size == size, plan.hasAlpha == hasAlpha, plan.version == version,
            !settings.dependsOnTime || plan.sequence == pulled.sequence
        {
            return plan
        }
        let frame = settings.plan(for: size, time: time, composition: itemFiltering)
        for problem in frame.problems { report(problem) }
        var method = RenderMethod.undecided
        if frame.isEmpty {
            method = .unchanged
        } else if frame.onlyRecipe == nil || settings.dependsOnTime || hasAlpha && !frame.leavesAlpha {
            method = .drawn
        }
        let fresh = Plan(
            size: size, hasAlpha: hasAlpha, version: version, sequence: pulled.sequence, frame: frame, method: method)
        plan = fresh
        return fresh
    }

    private func isDrawn(_ plan: Plan) -> Bool { if case .drawn = plan.method { true } else { false } }

    private func decide(_ plan: Plan) {
        guard !isComposing, let image = plan.frame.onlyRecipe else { return }
        // In most cases the filters are a color matrix, whose result is available at once, without drawing.
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
            self.plan?.method = folded.kind == .identity ? .unchanged : displayTakesColors ? .colors(folded) : .drawn
        case .success(nil): self.plan?.method = .drawn
        case .failure(let problem):
            report(problem)
            self.plan?.method = .unchanged
        }
    }

    private func report(_ problem: AVError) {
        guard reportedProblems.count < PictureComposition.maximumProblems, reportedProblems.insert(problem).inserted
        else { return }
        onProblem?(settings.located(problem))
    }

    // MARK: drawing ahead

    private func submit(_ pulled: PulledFrame, _ plan: Plan, due: HostTime) {
        let source = pulled.sequence
        let version = plan.version
        guard ahead.submit(source, version: version) else { return }
        isComposing = true
        let item = pulled.composition
        composer.compose(pulled.frame, plan.frame.stages) { [weak self] outcome in
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    if let problem = outcome.itemProblem { item?.failed(problem) }
                    self?.finished(outcome, source: source, version: version, due: due)
                }
            }
        }
    }

    private func finished(_ outcome: FrameComposer.Outcome, source: UInt64, version: UInt64, due: HostTime) {
        if ahead.isLatest(source, version: version) { isComposing = false }
        if version == self.version { for problem in outcome.problems { report(problem) } }
        // A dropped frame must not be shown without its filters.
        if outcome.frame == nil, version == self.version { ahead.hasShown = false }
        guard !isClosed, let frame = outcome.frame, plan.map(isDrawn) == true else { return wake() }
        ahead.add(frame, source: source, due: due)
        wake()
    }

    private func discardAll() {
        if ahead.discardAll() { isComposing = false }
    }
}
