import Foundation
import MediaCore
import MediaEngine

/// A thread that composes frames, one at a time. A new frame replaces a frame that is still waiting.
///
/// The thread starts with the first frame and owns its renderer with the OpenGL context.
package final class FrameComposer: Sendable {
    package struct Outcome: Sendable {
        /// The composed frame. Nil if the frame is to be dropped.
        package var frame: VideoFrame?
        /// The errors of the stages that failed, in order. These stages were left out.
        package var problems: [AVError] = []
        /// The error of the item's video composition, which `problems` contains too.
        package var itemProblem: AVError?
    }

    private typealias Work = @Sendable (inout PictureRenderer?) -> Void
    private struct State {
        var pending: Work?
        var isClosing = false
        var thread: WorkerThread?
        var cost = 0.0
    }
    private let state = Locked(State())
    /// The wait for the handler of an item's video composition. A longer wait would look like a stalled player.
    private let requests = RequestWait(limit: 1)

    package init() {}

    /// The typical time to compose a frame, in nanoseconds, as a mean weighted toward recent frames. 0 before the first
    /// frame.
    package var typicalCost: Int64 { state.withLock { Int64($0.cost) } }

    /// Composes `frame` with `stages` and calls `done` on the composer's thread.
    ///
    /// `done` is never called if other work replaces this frame before it starts, or if the composer is closed.
    package func compose(
        _ frame: VideoFrame, _ stages: [FramePlan.Stage], done: @escaping @Sendable (Outcome) -> Void
    ) {
        submit { [state, requests] renderer in
            let begin = HostClock.now()
            let outcome = FrameComposer.run(stages, on: frame, with: &renderer, requests)
            let took = Double(HostClock.now() - begin)
            state.withLock { $0.cost = $0.cost == 0 ? took : $0.cost * 0.8 + took * 0.2 }
            done(outcome)
        }
    }

    /// Folds the colors of `image` and calls `done` on the composer's thread, with nil if the image can't be folded.
    ///
    /// `done` is never called if other work replaces this work before it starts, or if the composer is closed.
    package func fold(_ image: CIImage, _ done: @escaping @Sendable (Result<FoldedColors?, AVError>) -> Void) {
        submit { renderer in
            do throws(AVError) {
                done(.success(try ColorFold.fold(image) { () throws(AVError) in try FrameComposer.ready(&renderer) }))
            } catch {
                done(.failure(error))
            }
        }
    }

    private func submit(_ work: @escaping Work) {
        state.withLock { locked in
            guard !locked.isClosing else { return }
            locked.pending = work
            if locked.thread == nil {
                locked.thread = WorkerThread(name: "zt-compose") { [state] in FrameComposer.loop(state) }
            }
        }
    }

    private static func loop(_ state: Locked<State>) {
        var renderer: PictureRenderer?
        while let work = next(state) { work(&renderer) }
    }

    /// Waits for work and returns it. Returns nil when the composer is closed.
    private static func next(_ state: Locked<State>) -> Work? {
        state.wait { locked -> Work?? in
            if locked.isClosing { return .some(nil) }
            guard let work = locked.pending else { return nil }
            locked.pending = nil
            return work
        }
    }

    /// Closes the composer. Discards the waiting work and blocks until the current work ends, without waiting for
    /// unfinished requests of a video composition.
    package func close() {
        let thread = state.withLock { locked in
            locked.isClosing = true
            locked.pending = nil
            defer { locked.thread = nil }
            return locked.thread
        }
        requests.close()
        thread?.join()
    }
}

extension FrameComposer {
    /// Returns the renderer of the calling thread. Creates it if there is none.
    package static func ready(_ renderer: inout PictureRenderer?) throws(AVError) -> PictureRenderer {
        if let renderer { return renderer }
        let fresh = try PictureRenderer()
        renderer = fresh
        return fresh
    }

    /// Applies the stages to a frame. If a stage fails, the frame continues without that stage.
    /// - Parameters:
    ///   - renderer: The renderer of the calling thread, created for the first recipe.
    ///   - requests: The wait for the handler of a video composition, if a stage has one.
    package static func run(
        _ stages: [FramePlan.Stage], on frame: VideoFrame, with renderer: inout PictureRenderer?,
        _ requests: RequestWait
    ) -> Outcome {
        var frame = frame
        var outcome = Outcome()
        for stage in stages {
            switch stage {
            case .request(let filtering):
                do throws(AVError) {
                    frame = try compose(frame, by: filtering, &renderer, requests)
                } catch {
                    outcome.problems.append(error)
                    outcome.itemProblem = error
                }
            case .recipe(let image):
                do throws(AVError) {
                    frame = try ready(&renderer).render(image, of: frame)
                } catch {
                    outcome.problems.append(error)
                }
            case .process(let name, let process):
                do {
                    guard let output = try process(frame) else { return outcome }
                    frame = output
                } catch {
                    outcome.problems.append(error as? AVError ?? AVError(.unknown, at: name, reason: "\(error)"))
                }
            }
        }
        outcome.frame = frame
        return outcome
    }

    private static func compose(
        _ frame: VideoFrame, by filtering: ImageFiltering, _ renderer: inout PictureRenderer?, _ requests: RequestWait
    ) throws(AVError) -> VideoFrame {
        let (width, height) = SourcePixels.size(of: frame)
        let size = CGSize(width: width, height: height)
        let answer = try requests.image(
            of: filtering, size: size, time: frame.presentationTime, orientation: frame.orientation,
            hasAlpha: frame.hasAlpha)
        guard let image = answer else { return frame }
        let target = filtering.renderSize ?? size
        if target == size, image.isWholeSource { return frame }
        return try ready(&renderer).render(
            image.cropped(to: CGRect(origin: .zero, size: target)), of: frame,
            size: (Int(target.width), Int(target.height)))
    }
}
