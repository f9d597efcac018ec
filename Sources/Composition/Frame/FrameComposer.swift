import Foundation
import MediaCore
import MediaEngine

/// The thread on which pictures are composed, one at a time; a newer one takes the place of one that waits.
///
/// Starts with the first picture, and makes what it draws with (an OpenGL context) there.
final class FrameComposer: @unchecked Sendable {
    // `pending`, `isClosing`, `thread`, `cost` are guarded by `monitor`; `renderer` is the thread's own.

    struct Job: Sendable {
        var frame: VideoFrame
        var stages: [FramePlan.Stage]
        var done: @Sendable (Outcome) -> Void
    }
    struct Outcome: Sendable {
        /// Nil: to be dropped.
        var frame: VideoFrame?
        var problem: AVError?
    }

    private let monitor = Monitor()
    private let changed: Monitor.Condition
    private var pending: (@Sendable (FrameComposer) -> Void)?
    private var isClosing = false
    private var thread: WorkerThread?
    private var renderer: PictureRenderer?
    private var cost = 0.0

    init() { changed = Monitor.Condition(monitor) }

    /// How long a picture takes, nanoseconds, as a mean in which the last ones count most; 0 before the first.
    var typicalCost: Int64 { monitor.withLock { Int64(cost) } }

    /// `done` is called on the composer's thread, or never, when another job came before this one was begun.
    func compose(_ job: Job) {
        submit { composer in
            let begin = HostClock.now()
            let outcome = composer.run(job)
            let took = Double(HostClock.now() - begin)
            composer.monitor.withLock { composer.cost = composer.cost == 0 ? took : composer.cost * 0.8 + took * 0.2 }
            job.done(outcome)
        }
    }

    /// Finds out whether `image` is a matter of colours alone, and what they become.
    func fold(_ image: CIImage, _ done: @escaping @Sendable (Result<FoldedColors?, AVError>) -> Void) {
        submit { composer in
            do throws(AVError) {
                done(.success(try ColorFold.fold(image) { () throws(AVError) in try composer.ready() }))
            } catch {
                done(.failure(error))
            }
        }
    }

    private func submit(_ work: @escaping @Sendable (FrameComposer) -> Void) {
        monitor.withLock {
            guard !isClosing else { return }
            pending = work
            if thread == nil {
                thread = WorkerThread(name: "zt-compose") { [weak self] in
                    // Held while it works only: `close` joins it.
                    self?.loop()
                }
            }
            changed.signal()
        }
    }

    private func loop() {
        while true {
            let work = monitor.withLock { () -> (@Sendable (FrameComposer) -> Void)? in
                while pending == nil, !isClosing { changed.wait() }
                defer { pending = nil }
                return isClosing ? nil : pending
            }
            guard let work else { break }
            work(self)
        }
        renderer = nil
    }

    /// On the thread that composes; also called by whoever composes offline, on its own.
    private func run(_ job: Job) -> Outcome {
        FrameComposer.run(job.stages, on: job.frame, with: &renderer)
    }

    private func ready() throws(AVError) -> PictureRenderer { try FrameComposer.ready(&renderer) }

    /// Waits for the picture under way.
    func close() {
        let thread = monitor.withLock {
            isClosing = true
            pending = nil
            changed.signal()
            defer { self.thread = nil }
            return self.thread
        }
        thread?.join()
    }
}

extension FrameComposer {
    /// The calling thread's renderer, made at the first need.
    static func ready(_ renderer: inout PictureRenderer?) throws(AVError) -> PictureRenderer {
        if let renderer { return renderer }
        // Threads that the driver starts for itself take the name of whoever calls it, and stay: they shall not look
        // like ours.
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
    /// - Parameter renderer: made at the first recipe; confined to the calling thread.
    static func run(_ stages: [FramePlan.Stage], on frame: VideoFrame, with renderer: inout PictureRenderer?) -> Outcome
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
