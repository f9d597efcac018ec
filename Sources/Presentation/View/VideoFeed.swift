import Foundation
import MediaCore
import MediaEngine
import Overlays

/// Where a view's frames come from, and what their source is still to be told of those that were shown. Main actor.
@MainActor
final class VideoFeed {
    private(set) var source: (any VideoFrameSource)?
    /// What is done to the source's frames; nil: nothing.
    private(set) var composition: PictureComposition?
    private var sourceToken: Int?
    private var compositionToken: Int?
    /// On the screen; the source is told when it is asked for the next refresh, or when there is none.
    private var unreported: PresentedFrame?
    /// On their way to the screen: the windowing system will tell when they are there.
    private var awaited: [PresentedFrame] = []

    /// Takes frames from `new` from now on. What was shown of the one before counts as seen.
    /// - Parameter woken: called when the answer of `pull` may be another one.
    func follow(_ new: (any VideoFrameSource)?, woken: @escaping @MainActor @Sendable () -> Void) {
        report(isLast: true)
        if let source, let sourceToken { source.removeWakeHandler(sourceToken) }
        source = new
        sourceToken = new?.addWakeHandler { DispatchQueue.main.async { MainActor.assumeIsolated { woken() } } }
    }

    /// - Parameter changed: called when a standing frame looks different from now on.
    func compose(with new: PictureComposition?, changed: @escaping @MainActor () -> Void) {
        if let composition, let compositionToken { composition.removeWakeHandler(compositionToken) }
        composition = new
        compositionToken = new?.addWakeHandler(changed)
    }

    /// Listens to nobody any longer.
    func close() {
        if let source, let sourceToken { source.removeWakeHandler(sourceToken) }
        if let composition, let compositionToken { composition.removeWakeHandler(compositionToken) }
        (sourceToken, compositionToken) = (nil, nil)
    }

    func pull(at due: HostTime) -> PulledFrame? {
        guard let source else { return nil }
        return composition.map { $0.pull(from: source, at: due) } ?? source.pull(forHostTime: due)
    }

    /// What is to be seen at `due`: one question for the frame, whether others follow, and the position.
    func tick(at due: HostTime) -> DisplayTick {
        guard let source else { return DisplayTick(isMoving: false, isChanging: false, pulled: nil) }
        guard let composition else {
            defer { unreported = nil }
            return source.tick(forHostTime: due, presented: unreported)
        }
        report()
        // Asked first: a change that ends in between has its picture at the next turn.
        let (isMoving, isChanging) = (source.isMoving, source.isChanging)
        return DisplayTick(
            isMoving: isMoving, isChanging: isChanging, pulled: composition.pull(from: source, at: due))
    }

    /// A frame was shown for the first time.
    /// - Parameter isSeenLater: the windowing system tells when it is seen (`wasSeen`).
    func presented(_ frame: PresentedFrame, isSeenLater: Bool) {
        // The display has not asked since the frame before.
        report()
        if isSeenLater { awaited.append(frame) } else { unreported = frame }
    }

    /// - Parameter time: nil: it never was.
    func wasSeen(_ sequence: UInt64, at time: HostTime?) {
        guard let index = awaited.firstIndex(where: { $0.sequence == sequence }) else { return }
        awaited.remove(at: index)
        guard let time else { return }
        report()
        unreported = PresentedFrame(sequence: sequence, at: time)
    }

    /// - Parameter isLast: nobody will ask for another frame soon: what is on its way to the screen counts as seen.
    func report(isLast: Bool = false) {
        if let unreported { source?.didPresent(sequence: unreported.sequence, atHostTime: unreported.time) }
        unreported = nil
        guard isLast else { return }
        for frame in awaited { source?.didPresent(sequence: frame.sequence, atHostTime: frame.time) }
        awaited.removeAll(keepingCapacity: true)
    }
}
