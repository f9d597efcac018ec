import Foundation
import MediaCore
import MediaEngine

/// The wait of a composing thread until the handler of a video composition finishes its request.
///
/// A handler may finish a request on any thread, late, or never. The wait is therefore limited. After a request that
/// was not finished in time, the thread does not wait for the next ones, until the handler finishes any request. A
/// handler that never finishes delays only one frame.
package final class RequestWait: Sendable {
    typealias Answer = Result<CIImage, AVError>
    private struct State {
        var filtering: ImageFiltering?
        /// The number of the request that the thread waits for.
        var number: UInt64 = 0
        var answer: Answer?
        var isOverdue = false
        var isClosed = false
    }
    private let state = Locked(State())
    private let limit: Double

    /// - Parameter limit: The longest wait for a request, in seconds.
    package init(limit: Double) { self.limit = limit }

    /// Ends the current wait. Later requests are not made.
    package func close() { state.withLock { $0.isClosed = true } }

    /// Calls the handler of `filtering` for a frame of the given size on the calling thread, and waits for its answer.
    /// - Returns: The filtered image, or nil if the wait was closed.
    func image(
        of filtering: ImageFiltering, size: CGSize, time: CMTime, orientation: PictureOrientation = .upright,
        hasAlpha: Bool = false
    ) throws(AVError) -> CIImage? {
        let number = state.withLock { state -> UInt64? in
            guard !state.isClosed else { return nil }
            if state.filtering !== filtering { state.isOverdue = false }
            state.filtering = filtering
            state.number += 1
            state.answer = nil
            return state.number
        }
        guard let number else { return nil }
        filtering.handler(
            AVAsynchronousCIImageFilteringRequest(
                number, self, size: size, time: time, renderSize: filtering.renderSize ?? size,
                orientation: orientation, hasAlpha: hasAlpha))
        let seconds = state.read { $0.isOverdue } ? 0 : limit
        let found = state.wait(until: .now() + Int64(saturating: seconds * 1e9)) { state -> Answer?? in
            if state.isClosed { return .some(nil) }
            return state.answer.map { .some($0) }
        }
        switch found {
        case .some(.some(let answer)): return try answer.get()
        case .some(.none): return nil
        case .none:
            state.withLock { $0.isOverdue = true }
            throw AVError(
                .timedOut, at: "",
                reason: "the handler of the video composition did not finish a request in time",
                suggestion: "Call finish(with:context:) or finish(with:) for every request")
        }
    }

    /// Stores the answer to a request. The first answer counts. An answer that comes too late shows only that the
    /// handler works.
    func finish(_ number: UInt64, with answer: Answer) {
        state.withLock { state in
            state.isOverdue = false
            if number == state.number, state.answer == nil { state.answer = answer }
        }
    }
}

/// The handler of a video composition, with the size of the composed frames. Two objects of this class count as two
/// different handlers.
package final class ImageFiltering: Sendable {
    let handler: @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    /// The size of the composed frames, in whole pixels. Nil for the size of each source frame.
    let renderSize: CGSize?

    init(
        renderSize: CGSize?, handler: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) {
        self.renderSize = renderSize
        self.handler = handler
    }
}
