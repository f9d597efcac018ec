import Foundation
import MediaCore
import MediaEngine
import Overlays

/// The source of a view's frames, and the reports to that source about displayed frames.
@MainActor
final class VideoFeed {
    private(set) var source: (any VideoFrameSource)?
    /// The filters and overlays that the app has set. Nil if there are none.
    private(set) var chosen: PictureComposition?
    /// The composition that applies the video compositions of items, if the app has set none. It is made for the first
    /// frame of such an item.
    private var own: PictureComposition?
    /// The filters and overlays for the source's frames. Nil if there are none.
    var composition: PictureComposition? { chosen ?? own }
    /// Called when the current frame of an item with a video composition must be drawn again.
    var onItemFrame: @MainActor () -> Void = {}
    private var sourceToken: Int?
    private var compositionToken: Int?
    /// The frame that is on the screen but not yet reported. It is reported with the request for the next display
    /// refresh, or when no further refresh follows.
    private var unreported: PresentedFrame?
    /// The frames on their way to the screen, for which the windowing system will report the time.
    private var awaited: [PresentedFrame] = []

    /// Takes frames from `new` from now on. Frames of the previous source are treated as displayed.
    /// - Parameters:
    ///   - new: The new source, or nil.
    ///   - onNewFrame: Called when `pull` may return another frame.
    func follow(_ new: (any VideoFrameSource)?, onNewFrame: @escaping @MainActor @Sendable () -> Void) {
        report(isLast: true)
        closeOwn()
        if let source, let sourceToken { source.removeWakeHandler(sourceToken) }
        source = new
        sourceToken = new?.addWakeHandler { DispatchQueue.main.async { MainActor.assumeIsolated { onNewFrame() } } }
    }

    /// Sets the composition.
    /// - Parameters:
    ///   - new: The composition, or nil.
    ///   - changed: Called when the current frame must be drawn again.
    func compose(with new: PictureComposition?, changed: @escaping @MainActor () -> Void) {
        if let chosen, let compositionToken { chosen.removeWakeHandler(compositionToken) }
        closeOwn()
        chosen = new
        compositionToken = new?.addWakeHandler(changed)
    }

    /// Stops listening to the source and the composition.
    func close() {
        if let source, let sourceToken { source.removeWakeHandler(sourceToken) }
        if let chosen, let compositionToken { chosen.removeWakeHandler(compositionToken) }
        closeOwn()
        (sourceToken, compositionToken) = (nil, nil)
    }

    private func closeOwn() {
        own?.close()
        own = nil
    }

    private func makeOwn() -> PictureComposition {
        let fresh = PictureComposition()
        _ = fresh.addWakeHandler { [weak self] in self?.onItemFrame() }
        own = fresh
        return fresh
    }

    func pull(at due: HostTime) -> PulledFrame? {
        guard let source else { return nil }
        if let composition { return composition.pull(from: source, at: due) }
        let pulled = source.pull(forHostTime: due)
        return pulled?.composition?.current == nil ? pulled : makeOwn().pull(from: source, at: due)
    }

    /// Returns all values for the display refresh at `due` in one request: the frame, whether more frames follow, and
    /// the position.
    /// - Parameter refreshInterval: The time between two refreshes of the display, in nanoseconds. Nil if unknown.
    func tick(at due: HostTime, refreshInterval: Int64? = nil) -> DisplayTick {
        guard let source else { return DisplayTick(isMoving: false, isChanging: false, pulled: nil) }
        guard let composition else {
            let answer = source.tick(
                forHostTime: due, presented: unreported, refreshInterval: refreshInterval)
            unreported = nil
            guard answer.pulled?.composition?.current != nil else { return answer }
            let composition = makeOwn()
            let pulled = composition.pull(from: source, at: due)
            return DisplayTick(
                isMoving: answer.isMoving, isChanging: answer.isChanging || composition.isDrawingItem, pulled: pulled)
        }
        report()
        // Read these values before the pull. If a change ends in between, its frame is then shown at the next display
        // refresh.
        let (isMoving, isChanging) = (source.isMoving, source.isChanging)
        let pulled = composition.pull(from: source, at: due)
        return DisplayTick(isMoving: isMoving, isChanging: isChanging || composition.isDrawingItem, pulled: pulled)
    }

    /// Records that a frame was shown for the first time.
    /// - Parameters:
    ///   - frame: The frame.
    ///   - isSeenLater: Whether the windowing system will report when it becomes visible (`wasSeen`).
    func presented(_ frame: PresentedFrame, isSeenLater: Bool) {
        // Report the previous frame now, because no display refresh has reported it.
        report()
        if isSeenLater { awaited.append(frame) } else { unreported = frame }
    }

    /// Records the time when a frame became visible.
    /// - Parameters:
    ///   - sequence: The number of the frame.
    ///   - time: The time. Nil if the frame never became visible.
    func wasSeen(_ sequence: UInt64, at time: HostTime?) {
        guard let index = awaited.firstIndex(where: { $0.sequence == sequence }) else { return }
        awaited.remove(at: index)
        guard let time else { return }
        report()
        unreported = PresentedFrame(sequence: sequence, at: time)
    }

    /// Reports the displayed frame to the source.
    /// - Parameter isLast: Whether no other frame will be requested soon. If true, frames on their way to the screen
    ///   are treated as displayed.
    func report(isLast: Bool = false) {
        if let unreported { source?.didPresent(sequence: unreported.sequence, atHostTime: unreported.time) }
        unreported = nil
        guard isLast else { return }
        for frame in awaited { source?.didPresent(sequence: frame.sequence, atHostTime: frame.time) }
        awaited.removeAll(keepingCapacity: true)
    }
}
