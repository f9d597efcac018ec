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

    private var item = FollowedItem()
    /// Whether the next frame of an item with a video composition is being drawn.
    package var isDrawingItem: Bool { item.hasChange && isComposing }

    private let composer = FrameComposer()
    private var wakeHandlers = WakeHandlers()
    private var displayed = DisplayedColors()
    private var ahead = FramesAhead()
    private var reportedProblems = ReportedProblems()
    private var plans = RenderPlans()
    private var isClosed = false
    /// Whether this composition waits for the composer.
    private var isComposing = false

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
        plans.invalidate()
        reportedProblems.removeAll()
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
        let isAhead = plans.areDrawn && source.isMoving
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
        guard !isClosed, !settings.isPlain || item.hasChange else {
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
        let (isOtherItem, isOtherChange) = item.follow(new)
        // The first frame of an item is never shown without the item's composition.
        if isOtherItem, item.hasChange { ahead.hasShown = false }
        guard isOtherChange else { return }
        plans.invalidate()
        reportedProblems.removeAll()
    }

    /// Returns the source's number of the frame that `pull` returned with the number `sequence`.
    package func sourceSequence(of sequence: UInt64) -> UInt64 { ahead.source(of: sequence) }

    // MARK: choice of the method

    private func plan(for pulled: PulledFrame, time: Double) -> RenderPlan {
        if let known = plans.known(for: pulled, dependsOnTime: settings.dependsOnTime) { return known }
        let frame = settings.plan(for: pulled.frame.presentationSize, time: time, composition: item.filtering)
        for problem in frame.problems { report(problem) }
        return plans.add(frame, for: pulled, dependsOnTime: settings.dependsOnTime)
    }

    private func decide(_ plan: RenderPlan) {
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

    private func decided(_ plan: RenderPlan, _ result: Result<FoldedColors?, AVError>) {
        defer { wake() }
        guard plans.isCurrent(plan) else { return }
        switch result {
        case .success(let folded?):
            plans.decide(folded.kind == .identity ? .unchanged : displayTakesColors ? .colors(folded) : .drawn)
        case .success(nil): plans.decide(.drawn)
        case .failure(let problem):
            report(problem)
            plans.decide(.unchanged)
        }
    }

    private func report(_ problem: AVError) {
        guard reportedProblems.insert(problem) else { return }
        onProblem?(settings.located(problem))
    }

    // MARK: drawing ahead

    private func submit(_ pulled: PulledFrame, _ plan: RenderPlan, due: HostTime) {
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
        if version == plans.version { for problem in outcome.problems { report(problem) } }
        // A dropped frame must not be shown without its filters.
        if outcome.frame == nil, version == plans.version { ahead.hasShown = false }
        guard !isClosed, let frame = outcome.frame, plans.areDrawn else { return wake() }
        ahead.add(frame, source: source, due: due)
        wake()
    }

    private func discardAll() {
        if ahead.discardAll() { isComposing = false }
    }
}
