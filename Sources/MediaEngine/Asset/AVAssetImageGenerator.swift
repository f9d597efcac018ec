import CFFmpeg
import Foundation
import MediaCore
import Synchronization

/// An object that generates images of an asset's video. The equivalent of AVFoundation's `AVAssetImageGenerator`.
///
/// ```swift
/// let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
/// generator.maximumSize = CGSize(width: 320, height: 320)
/// let (image, _) = try await generator.image(at: CMTime(value: 10, timescale: 1))
/// try image.encoded(as: .jpeg).write(to: thumbnail)
/// ```
/// Two defaults differ from AVFoundation: images are exact (both tolerances are zero, not infinite), and upright
/// (`appliesPreferredTrackTransform` is true). A changed setting applies to later requests. All methods can be called
/// from any thread.
public final class AVAssetImageGenerator: Sendable {
    /// The asset whose images are generated.
    public let asset: AVURLAsset
    private let shared = Mutex((settings: Settings(), running: [UInt64: InterruptToken](), next: UInt64(0)))

    /// The settings of a request.
    struct Settings: Sendable {
        var before = CMTime.zero, after = CMTime.zero
        var maximumSize = CGSize.zero
        var appliesTransform = true
        var aperture: ApertureMode?
        var frameChange: AppliedChange?
    }
    var settings: Settings { shared.withLock { $0.settings } }
    func changeSettings(_ change: (inout Settings) -> Void) { shared.withLock { change(&$0.settings) } }

    /// A change of frames, and the function that applies it on the thread that generates the image.
    package struct AppliedChange: Sendable {
        package let change: any FrameChange
        let apply: @Sendable (VideoFrame) throws(AVError) -> VideoFrame

        package init(
            _ change: any FrameChange, apply: @escaping @Sendable (VideoFrame) throws(AVError) -> VideoFrame
        ) {
            self.change = change
            self.apply = apply
        }
    }
    /// The change of the images. The layer that draws frames makes it available as `videoComposition`.
    package var frameChange: AppliedChange? {
        get { settings.frameChange }
        set { changeSettings { $0.frameChange = newValue } }
    }

    /// The maximum time before the requested time at which the frame may start. The default is zero.
    ///
    /// ```swift
    /// // A keyframe is sufficient, and much faster to find.
    /// generator.requestedTimeToleranceBefore = .positiveInfinity
    /// generator.requestedTimeToleranceAfter = .positiveInfinity
    /// ```
    /// A wider tolerance is faster. A negative, invalid or indefinite value counts as zero. If an HLS stream has
    /// I-frame playlists, the nearest I-frame within the tolerances is used. This takes one request, for the bytes of
    /// that frame only.
    public var requestedTimeToleranceBefore: CMTime {
        get { settings.before }
        set { shared.withLock { $0.settings.before = newValue } }
    }
    /// The maximum time after the requested time at which the frame may start. The default is zero; a negative, invalid
    /// or indefinite value counts as zero.
    public var requestedTimeToleranceAfter: CMTime {
        get { settings.after }
        set { shared.withLock { $0.settings.after = newValue } }
    }
    /// The maximum presentation size of an image, in pixels. The default is zero: no limit.
    ///
    /// Images keep their aspect ratio and are never enlarged. A side of 0 is not limited. For an HLS stream, the lowest
    /// variant that is large enough is read; without a limit, the highest.
    public var maximumSize: CGSize {
        get { settings.maximumSize }
        set { shared.withLock { $0.settings.maximumSize = newValue } }
    }
    /// Whether images are rotated and mirrored for display, as the track requires. If false, they have the orientation
    /// in which they are stored. The default is true.
    public var appliesPreferredTrackTransform: Bool {
        get { settings.appliesTransform }
        set { shared.withLock { $0.settings.appliesTransform = newValue } }
    }

    /// Creates a generator. The asset is opened when an image is requested.
    public init(asset: AVURLAsset) { self.asset = asset }
    /// Creates a generator. The asset is opened when an image is requested.
    public convenience init(asset: AVAsset) { self.init(asset: asset.atURL) }

    /// Returns the image at `time` and the time at which its frame starts.
    ///
    /// A time before the first frame returns the first; a time after the end returns the last. The image is generated
    /// on a background thread. Cancelling the task interrupts it.
    ///
    /// - Throws: `.noVideoTrack`, `.decodeFailed`, `.invalidArgument`, `.cancelled`, or the reason why the asset cannot
    ///   be opened.
    public func image(at time: CMTime) async throws(AVError) -> (image: CGImage, actualTime: CMTime) {
        let token = InterruptToken()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Swift.Result<VideoFrame, AVError>, Never>) in
                copy(at: time, token) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            token.interrupt()
        }
        let frame = try result.get()
        return (frame, frame.presentationTime)
    }

    /// Generates one image with the current settings on a new thread. `cancelAllCGImageGeneration()` interrupts it.
    func copy(
        at time: CMTime, _ token: InterruptToken,
        then completion: @escaping @Sendable (Swift.Result<VideoFrame, AVError>) -> Void
    ) {
        let settings = settings
        let ticket = enter(token)
        WorkerThread.detached(name: "zt-images") { [self] in
            let result: Swift.Result<VideoFrame, AVError>
            do throws(AVError) { result = .success(try copyImage(at: time, settings, interrupt: token)) } catch {
                result = .failure(error)
            }
            leave(ticket)
            completion(result)
        }
    }

    /// Registers `token`, so that `cancelAllCGImageGeneration()` interrupts it. Pass the result to `leave(_:)` when the
    /// work is done.
    func enter(_ token: InterruptToken) -> UInt64 {
        shared.withLock { shared in
            shared.next += 1
            shared.running[shared.next] = token
            return shared.next
        }
    }
    func leave(_ ticket: UInt64) { shared.withLock { $0.running[ticket] = nil } }
    /// Whether images that have been requested are still being generated.
    var isRunning: Bool { shared.withLock { !$0.running.isEmpty } }

    /// Cancels all requests that are not finished; they fail with `.cancelled`.
    public func cancelAllCGImageGeneration() {
        let running = shared.withLock { Array($0.running.values) }
        for token in running { token.interrupt() }
    }

    /// Returns the image at `time`, and blocks the calling thread until it is generated.
    package func copyImage(at time: CMTime, interrupt: InterruptToken = InterruptToken()) throws(AVError) -> VideoFrame
    {
        try copyImage(at: time, settings, interrupt: interrupt)
    }

    func copyImage(at time: CMTime, _ settings: Settings, interrupt: InterruptToken) throws(AVError) -> VideoFrame {
        if let problem = asset.optionsProblem { throw problem }
        var settings = settings
        let maximumSize = settings.maximumSize
        // A composition changes upright frames of the full size.
        if settings.frameChange != nil { (settings.appliesTransform, settings.maximumSize) = (true, .zero) }
        var frame = try copyFrame(at: time, settings, interrupt: interrupt)
        if settings.aperture == .encodedPixels { frame = try frame.withSquarePixels() }
        if let change = settings.frameChange { frame = try change.apply(frame) }
        guard maximumSize.width > 0 || maximumSize.height > 0 else { return frame }
        return try ImageEncoder.scaled(frame, toFit: maximumSize)
    }

    private func copyFrame(at time: CMTime, _ settings: Settings, interrupt: InterruptToken) throws(AVError)
        -> VideoFrame
    {
        func tolerance(_ time: CMTime) -> CMTime { MediaTime(time) == nil ? .zero : max(.zero, time) }
        let before = tolerance(settings.before)
        let after = tolerance(settings.after)
        if let file = try asset.streamFrames.file(asset.httpOptions, interrupt) {
            return try FrameExtractor(file).frame(
                at: time, toleranceBefore: before, toleranceAfter: after, appliesRotation: settings.appliesTransform)
        }
        let frame = try asset.streamFrames.frame(
            at: time, toleranceBefore: before, toleranceAfter: after, maximumSize: settings.maximumSize,
            interrupt: interrupt)
        return settings.appliesTransform ? frame : try frame.withoutRotation()
    }
}

extension VideoFrame {
    /// Returns the frame as a PNG or JPEG file.
    ///
    /// ```swift
    /// let image = try await generator.image(at: .zero).image
    /// try image.encoded(as: .png).write(to: URL(fileURLWithPath: "first-frame.png"))
    /// ```
    /// The image has square pixels, is upright, and has 8 bits per channel in BT.709 colors. YCbCr is converted to RGB
    /// with the frame's own matrix and range; HDR is tone mapped, as for display. PNG keeps transparency; JPEG uses a
    /// black background. Blocks the calling thread until encoding is finished.
    ///
    /// - Throws: `.operationNotSupported` if the installed FFmpeg has no encoder for `format`; `.unknown` if memory is
    ///   insufficient or the pixels cannot be converted.
    public func encoded(as format: ImageFormat) throws(AVError) -> Data {
        try ImageEncoder.encode(self, as: format)
    }
}

/// A file format for images.
public enum ImageFormat: String, Sendable, CaseIterable {
    /// `png`: lossless, keeps transparency. `jpeg`: lossy, without transparency.
    case png, jpeg

    /// Creates a format from a file extension; nil unless it is `png`, `jpg` or `jpeg`, in any case.
    public init?(pathExtension: String) {
        switch pathExtension.lowercased() {
        case "png": self = .png
        case "jpg", "jpeg": self = .jpeg
        default: return nil
        }
    }
}
