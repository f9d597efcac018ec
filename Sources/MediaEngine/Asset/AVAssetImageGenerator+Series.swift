import Foundation
import MediaCore

/// A picture, as Core Graphics names it: pixels with a width and a height. A decoded frame is one; `pngData` is its
/// file.
public typealias CGImage = VideoFrame

extension VideoFrame {
    /// The picture as it is to be seen, as a PNG file; see `encoded(as:)`. Blocks for as long as encoding takes.
    /// - Throws: `.exportFailed` or the like when memory is out or the pixels cannot be converted.
    public var pngData: Data { get throws(AVError) { try encoded(as: .png) } }
}

/// Many pictures, and the older names.
extension AVAssetImageGenerator {
    /// What came of a picture that was asked for.
    public enum Result: Int, Sendable {
        /// There is a picture.
        case succeeded = 0
        /// There is none: it could not be made, or `cancelAllCGImageGeneration()` came before.
        case failed, cancelled
    }

    /// Takes the picture that stands at `requestedTime` and answers once, on a background thread: with it and the time
    /// it starts at, or with why there is none (`.cancelled` after `cancelAllCGImageGeneration()`).
    public func generateCGImageAsynchronously(
        for requestedTime: CMTime,
        completionHandler handler: @escaping @Sendable (CGImage?, CMTime, (any Error)?) -> Void
    ) {
        copy(at: requestedTime, InterruptToken()) { result in
            switch result {
            case .success(let frame): handler(frame, frame.presentationTime, nil)
            case .failure(let error): handler(nil, .invalid, error)
            }
        }
    }

    /// Takes the pictures at `requestedTimes` (`NSValue(time:)`) one after the other on one background thread, and
    /// answers once for each.
    public func generateCGImagesAsynchronously(
        forTimes requestedTimes: [NSValue],
        completionHandler handler:
            @escaping @Sendable (_ requestedTime: CMTime, CGImage?, _ actualTime: CMTime, Result, (any Error)?) -> Void
    ) {
        series(requestedTimes.map(\.timeValue)) { time, result in
            switch result {
            case .success(let frame): handler(time, frame, frame.presentationTime, .succeeded, nil)
            case .failure(let error):
                handler(time, nil, .invalid, error.code == .cancelled ? .cancelled : .failed, error)
            }
        }
    }

    /// The pictures at `times`, one after the other, each taken when it is asked for. Whoever stops listening ends it;
    /// after `cancelAllCGImageGeneration()` the rest are answered `.cancelled`.
    public func images(for times: [CMTime]) -> Images { Images(generator: self, times: times) }

    /// The picture that stands at `requestedTime`, blocking the calling thread. `actualTime` receives the time it
    /// starts at.
    /// - Throws: as `image(at:)`.
    public func copyCGImage(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws(AVError)
        -> CGImage
    {
        let token = InterruptToken()
        let ticket = enter(token)
        defer { leave(ticket) }
        let frame = try copyImage(at: requestedTime, interrupt: token)
        actualTime?.pointee = frame.presentationTime
        return frame
    }

    /// Calls `each` for every time, in order, on a thread of its own. After an interruption the rest are answered
    /// `.cancelled`.
    private func series(
        _ times: [CMTime], each: @escaping @Sendable (CMTime, Swift.Result<VideoFrame, AVError>) -> Void
    ) {
        let token = InterruptToken()
        let settings = settings
        let ticket = enter(token)
        WorkerThread.detached(name: "zt-images") { [self] in
            for time in times {
                if token.isInterrupted {
                    each(
                        time,
                        .failure(AVError(.cancelled, at: asset.url.location, reason: "the operation was cancelled")))
                    continue
                }
                do throws(AVError) { each(time, .success(try copyImage(at: time, settings, interrupt: token))) } catch {
                    each(time, .failure(error))
                }
            }
            leave(ticket)
        }
    }

    /// Pictures, each taken when an iterator asks for it; see `images(for:)`.
    public struct Images: AsyncSequence, Sendable {
        let generator: AVAssetImageGenerator
        let times: [CMTime]

        /// One of the pictures, or why there is none.
        public enum Element: Sendable {
            /// A picture, and when it starts to be shown.
            case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
            /// Why there is no picture: an `AVError`, `.cancelled` once the task is cancelled.
            case failure(requestedTime: CMTime, error: any Error)

            /// - Throws: why there is none.
            public var image: CGImage {
                get throws {
                    switch self {
                    case .success(_, let image, _): return image
                    case .failure(_, let error): throw error
                    }
                }
            }
            /// - Throws: why there is no picture.
            public var actualTime: CMTime {
                get throws {
                    switch self {
                    case .success(_, _, let time): return time
                    case .failure(_, let error): throw error
                    }
                }
            }
            /// The time it was asked for with.
            public var requestedTime: CMTime {
                switch self {
                case .success(let time, _, _), .failure(let time, _): time
                }
            }
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            let generation: Generation
            var times: ArraySlice<CMTime>

            /// The next picture, or why there is none; nil at the end, and once the task is cancelled, which interrupts
            /// what is under way.
            public mutating func next() async -> Element? {
                guard !Task.isCancelled, let time = times.popFirst() else {
                    times = []
                    return nil
                }
                let result = await generation.picture(at: time)
                guard !Task.isCancelled else {
                    times = []
                    return nil
                }
                switch result {
                case .success(let frame):
                    return .success(requestedTime: time, image: frame, actualTime: frame.presentationTime)
                case .failure(let error): return .failure(requestedTime: time, error: error)
                }
            }
        }

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(generation: Generation(generator), times: times[...])
        }

        /// One iterator's pictures: `cancelAllCGImageGeneration()` means them while it lives, also between two of them.
        final class Generation: Sendable {
            private let generator: AVAssetImageGenerator
            private let settings: Settings
            private let token = InterruptToken()
            private let ticket: UInt64

            init(_ generator: AVAssetImageGenerator) {
                self.generator = generator
                settings = generator.settings
                ticket = generator.enter(token)
            }
            deinit { generator.leave(ticket) }

            /// Taken on a thread of its own; interrupted when the task is cancelled.
            func picture(at time: CMTime) async -> Swift.Result<VideoFrame, AVError> {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { continuation in
                        WorkerThread.detached(name: "zt-images") { [self] in
                            continuation.resume(returning: copy(at: time))
                        }
                    }
                } onCancel: {
                    token.interrupt()
                }
            }

            private func copy(at time: CMTime) -> Swift.Result<VideoFrame, AVError> {
                guard !token.isInterrupted else {
                    return .failure(
                        AVError(.cancelled, at: generator.asset.url.location, reason: "the operation was cancelled"))
                }
                do throws(AVError) {
                    return .success(try generator.copyImage(at: time, settings, interrupt: token))
                } catch { return .failure(error) }
            }
        }
    }
}
