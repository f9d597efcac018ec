import Foundation
import MediaCore

/// An image, with the name that Core Graphics uses. All decoded frames have this type; `pngData` encodes a frame as a
/// PNG file.
public typealias CGImage = VideoFrame

extension VideoFrame {
    /// The frame, encoded as a PNG file by `encoded(as:)`. Blocks the calling thread until encoding is finished.
    /// - Throws: The same errors as `encoded(as:)`.
    public var pngData: Data { get throws(AVError) { try encoded(as: .png) } }
}

/// Series of images, and AVFoundation's older methods.
extension AVAssetImageGenerator {
    /// The result of a request for an image.
    public enum Result: Int, Sendable {
        /// The image was generated.
        case succeeded = 0
        /// `failed`: the image could not be generated. `cancelled`: `cancelAllCGImageGeneration()` was called before
        /// the image was generated.
        case failed, cancelled
    }

    /// Generates the image at `requestedTime` on a background thread.
    ///
    /// ```swift
    /// generator.generateCGImageAsynchronously(for: .zero) { image, _, error in
    ///     if let image {
    ///         print(image.width, image.height)
    ///     } else if let error {
    ///         print(error.localizedDescription)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter handler: Called once, on a background thread, with the image and the time at which its frame starts,
    ///   or with nil, `.invalid` and an `AVError`. After `cancelAllCGImageGeneration()`, the error is `.cancelled`.
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

    /// Generates the images at `requestedTimes`, one after the other, on one background thread.
    ///
    /// - Parameters:
    ///   - requestedTimes: Values created by `NSValue(time:)`.
    ///   - handler: Called once for each time, in order, on the background thread. If there is no image, the image is
    ///     nil, the actual time is `.invalid`, and the error is an `AVError`.
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

    /// Returns a sequence of the images at `times`. Each image is generated when it is requested.
    ///
    /// ```swift
    /// let times = stride(from: 0.0, to: 60, by: 10).map { CMTime(seconds: $0, preferredTimescale: 600) }
    /// for await element in generator.images(for: times) {
    ///     switch element {
    ///     case .success(let time, let image, _): print(time.seconds, image.width)
    ///     case .failure(let time, let error): print(time.seconds, error.localizedDescription)
    ///     }
    /// }
    /// ```
    /// Ending the iteration stops the generation. After `cancelAllCGImageGeneration()`, the remaining elements are
    /// failures with `.cancelled`.
    public func images(for times: [CMTime]) -> Images { Images(generator: self, times: times) }

    /// Returns the image at `requestedTime`, and blocks the calling thread until it is generated.
    ///
    /// ```swift
    /// let image = try generator.copyCGImage(at: .zero, actualTime: nil)
    /// ```
    ///
    /// - Parameter actualTime: Receives the time at which the frame starts.
    /// - Throws: The same errors as `image(at:)`.
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

    /// Generates the images at `times`, in order, on a new thread, and calls `each` with every result. After an
    /// interruption, the remaining results are `.cancelled`.
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

    /// A sequence of images that are generated on request; see `images(for:)`.
    public struct Images: AsyncSequence, Sendable {
        let generator: AVAssetImageGenerator
        let times: [CMTime]

        /// An image, or the error for it.
        public enum Element: Sendable {
            /// An image and the time at which its frame starts.
            case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
            /// The reason why the image could not be generated: an `AVError`, which is `.cancelled` after a
            /// cancellation.
            case failure(requestedTime: CMTime, error: any Error)

            /// The image.
            /// - Throws: The error if there is no image.
            public var image: CGImage {
                get throws {
                    switch self {
                    case .success(_, let image, _): return image
                    case .failure(_, let error): throw error
                    }
                }
            }
            /// The time at which the image's frame starts.
            /// - Throws: The error if there is no image.
            public var actualTime: CMTime {
                get throws {
                    switch self {
                    case .success(_, _, let time): return time
                    case .failure(_, let error): throw error
                    }
                }
            }
            /// The time with which the image was requested.
            public var requestedTime: CMTime {
                switch self {
                case .success(let time, _, _), .failure(let time, _): time
                }
            }
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            let generation: Generation
            var times: ArraySlice<CMTime>

            /// Returns the next image or its error. Returns nil at the end, and after the task is cancelled, which also
            /// interrupts the current image.
            public mutating func next() async -> Element? {
                guard !Task.isCancelled, let time = times.popFirst() else {
                    times = []
                    return nil
                }
                let result = await generation.image(at: time)
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

        /// The state of one iterator. `cancelAllCGImageGeneration()` cancels its remaining images, even if it is called
        /// between two images.
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

            /// Generates an image on a new thread. Cancelling the task interrupts it.
            func image(at time: CMTime) async -> Swift.Result<VideoFrame, AVError> {
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
