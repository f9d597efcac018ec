import CFFmpeg
import Foundation
import MediaCore
import Synchronization

/// Takes pictures out of an asset, after AVFoundation's class of that name.
///
/// Any thread. Unlike Apple's, it is exact unless told otherwise (both tolerances are zero, Apple's infinite) and turns
/// pictures upright (`appliesPreferredTrackTransform` is true, Apple's false). What is set holds for what is asked for
/// later.
public final class AVAssetImageGenerator: Sendable {
    /// What pictures are taken of.
    public let asset: AVURLAsset
    private let shared = Mutex((settings: Settings(), running: [UInt64: InterruptToken](), next: UInt64(0)))

    /// What a picture is asked for with.
    struct Settings: Sendable {
        var before = CMTime.zero, after = CMTime.zero
        var maximumSize = CGSize.zero
        var appliesTransform = true
    }
    var settings: Settings { shared.withLock { $0.settings } }

    /// How far before the wanted time the picture may start; wider is faster. Negative counts as zero.
    ///
    /// In an HLS stream with I-frame playlists the nearest of their pictures within the tolerances is taken: it costs
    /// one request of that picture's bytes, whatever the segments weigh.
    public var requestedTimeToleranceBefore: CMTime {
        get { settings.before }
        set { shared.withLock { $0.settings.before = newValue } }
    }
    /// How far after the wanted time the picture may start.
    public var requestedTimeToleranceAfter: CMTime {
        get { settings.after }
        set { shared.withLock { $0.settings.after = newValue } }
    }
    /// The result's presentation size fits in here, aspect kept, never enlarged; a side of 0 is no limit. Of an HLS
    /// stream the lowest variant that is large enough is read, without a limit the largest.
    public var maximumSize: CGSize {
        get { settings.maximumSize }
        set { shared.withLock { $0.settings.maximumSize = newValue } }
    }
    /// Pictures carry the track's rotation; off, they lie as stored.
    public var appliesPreferredTrackTransform: Bool {
        get { settings.appliesTransform }
        set { shared.withLock { $0.settings.appliesTransform = newValue } }
    }

    /// Opens nothing until a picture is asked for.
    public init(asset: AVURLAsset) { self.asset = asset }
    /// Opens nothing until a picture is asked for.
    public convenience init(asset: AVAsset) { self.init(asset: asset.atURL) }

    /// The picture that stands at `time`, and when it starts.
    ///
    /// Before the first picture (and negative): the first. Beyond the end: the last. Works on a
    /// background thread; cancelling the task interrupts it.
    /// - Throws: `.noVideoTrack`, `.decodeFailed`, `.invalidArgument`, `.cancelled`, or why the file does not open.
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

    /// Takes one picture on a thread of its own, by the present settings; `cancelAllCGImageGeneration()` interrupts it.
    func copy(
        at time: CMTime, _ token: InterruptToken,
        then answer: @escaping @Sendable (Swift.Result<VideoFrame, AVError>) -> Void
    ) {
        let settings = settings
        let ticket = enter(token)
        WorkerThread.detached(name: "zt-images") { [self] in
            let result: Swift.Result<VideoFrame, AVError>
            do throws(AVError) { result = .success(try copyImage(at: time, settings, interrupt: token)) } catch {
                result = .failure(error)
            }
            leave(ticket)
            answer(result)
        }
    }

    /// What runs now is interrupted by `cancelAllCGImageGeneration()`; until `leave`.
    func enter(_ token: InterruptToken) -> UInt64 {
        shared.withLock { shared in
            shared.next += 1
            shared.running[shared.next] = token
            return shared.next
        }
    }
    func leave(_ ticket: UInt64) { shared.withLock { $0.running[ticket] = nil } }
    /// Whether images that have been requested are still being made.
    var isRunning: Bool { shared.withLock { !$0.running.isEmpty } }

    /// Interrupts all pictures that have been asked for and are not there yet; they are answered `.cancelled`.
    public func cancelAllCGImageGeneration() {
        let running = shared.withLock { Array($0.running.values) }
        for token in running { token.interrupt() }
    }

    /// The same, blocking the calling thread.
    package func copyImage(at time: CMTime, interrupt: InterruptToken = InterruptToken()) throws(AVError) -> VideoFrame
    {
        try copyImage(at: time, settings, interrupt: interrupt)
    }

    func copyImage(at time: CMTime, _ settings: Settings, interrupt: InterruptToken) throws(AVError) -> VideoFrame {
        if let problem = asset.optionsProblem { throw problem }
        let frame = try copyFrame(at: time, settings, interrupt: interrupt)
        guard settings.maximumSize.width > 0 || settings.maximumSize.height > 0 else { return frame }
        return try ImageEncoder.scaled(frame, toFit: settings.maximumSize)
    }

    private func copyFrame(at time: CMTime, _ settings: Settings, interrupt: InterruptToken) throws(AVError)
        -> VideoFrame
    {
        let before = max(.zero, settings.before)
        let after = max(.zero, settings.after)
        if let file = try asset.pictures.file(asset.httpOptions, interrupt) {
            return try FrameExtractor(file).frame(
                at: time, toleranceBefore: before, toleranceAfter: after, appliesRotation: settings.appliesTransform)
        }
        let frame = try asset.pictures.frame(
            at: time, toleranceBefore: before, toleranceAfter: after, maximumSize: settings.maximumSize,
            interrupt: interrupt)
        return settings.appliesTransform ? frame : try frame.unturned()
    }
}

extension VideoFrame {
    /// The picture as a PNG or JPEG file, as it is to be seen: square pixels, upright, RGB by the frame's
    /// own matrix and range, in BT.709's colours. 8 bits a channel; HDR is tone mapped, as in a window. A PNG keeps
    /// transparency, a JPEG is over black. Blocks for as long as encoding takes.
    public func encoded(as format: ImageFormat) throws(AVError) -> Data {
        try ImageEncoder.encode(self, as: format)
    }
}

/// A file format for pictures.
public enum ImageFormat: String, Sendable, CaseIterable {
    /// Lossless with transparency, and lossy without.
    case png, jpeg

    /// By a file's extension; nil for any but `png`, `jpg` and `jpeg`.
    public init?(pathExtension: String) {
        switch pathExtension.lowercased() {
        case "png": self = .png
        case "jpg", "jpeg": self = .jpeg
        default: return nil
        }
    }
}
