import Foundation
import MediaCore
import MediaEngine

/// The thread on which frames are composed, one at a time. A new frame replaces one that still waits.
///
/// The thread starts with the first frame, and owns what it draws with (an OpenGL context).
package final class FrameComposer: Sendable {
    package struct Outcome: Sendable {
        /// Nil: to be dropped.
        package var frame: VideoFrame?
        package var problem: AVError?
    }

    private typealias Work = @Sendable (inout PictureRenderer?) -> Void
    private struct State {
        var pending: Work?
        var isClosing = false
        var thread: WorkerThread?
        var cost = 0.0
    }
    private let state = Locked(State())

    package init() {}

    /// How long a frame takes, in nanoseconds: a mean in which the last ones count most; 0 before the first.
    package var typicalCost: Int64 { state.withLock { Int64($0.cost) } }

    /// `done` is called on the composer's thread, or never, when another frame came before this one was begun.
    package func compose(
        _ frame: VideoFrame, _ stages: [FramePlan.Stage], done: @escaping @Sendable (Outcome) -> Void
    ) {
        submit { [state] renderer in
            let begin = HostClock.now()
            let outcome = FrameComposer.run(stages, on: frame, with: &renderer)
            let took = Double(HostClock.now() - begin)
            state.withLock { $0.cost = $0.cost == 0 ? took : $0.cost * 0.8 + took * 0.2 }
            done(outcome)
        }
    }

    /// Finds out whether `image` is a matter of colours alone, and what they become.
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

    /// Waits for work; nil when the composer is closed.
    private static func next(_ state: Locked<State>) -> Work? {
        state.wait { locked -> Work?? in
            if locked.isClosing { return .some(nil) }
            guard let work = locked.pending else { return nil }
            locked.pending = nil
            return work
        }
    }

    /// Waits for the frame under way.
    package func close() {
        let thread = state.withLock { locked in
            locked.isClosing = true
            locked.pending = nil
            defer { locked.thread = nil }
            return locked.thread
        }
        thread?.join()
    }
}

extension FrameComposer {
    /// The calling thread's renderer, made at the first need.
    package static func ready(_ renderer: inout PictureRenderer?) throws(AVError) -> PictureRenderer {
        if let renderer { return renderer }
        // Threads that the driver starts take the name of the calling thread and keep it. They must not look like ours.
        let name = Thread.isMainThread ? nil : Thread.current.name
        if name != nil { Thread.current.name = "gl-driver" }
        defer { if let name { Thread.current.name = name } }
        let fresh = try PictureRenderer()
        // Some start with the first drawing.
        let pixel = CGRect(x: 0, y: 0, width: 1, height: 1)
        _ = try fresh.bitmap(of: CIImage(recipe: .color(.one), extent: pixel), in: pixel)
        renderer = fresh
        return fresh
    }

    /// Carries the stages out. Where one fails, the picture goes on as it came to it.
    /// - Parameter renderer: the calling thread's own, made at the first recipe.
    package static func run(_ stages: [FramePlan.Stage], on frame: VideoFrame, with renderer: inout PictureRenderer?)
        -> Outcome
    {
        var frame = frame
        var problem: AVError?
        for stage in stages {
            switch stage {
            case .recipe(let image):
                do throws(AVError) {
                    frame = try ready(&renderer).render(image, of: frame)
                } catch {
                    problem = error
                }
            case .process(let name, let process):
                do {
                    guard let output = try process(frame) else { return Outcome(frame: nil, problem: nil) }
                    frame = output
                } catch {
                    problem = error as? AVError ?? AVError(.unknown, at: name, reason: "\(error)")
                }
            }
        }
        return Outcome(frame: frame, problem: problem)
    }
}
