import CFFmpeg
import Foundation
import MediaCore

/// Takes pictures out of an asset, after AVFoundation's class of that name.
///
/// A value, so that a task may carry a configured one away. Unlike Apple's, it is exact unless told
/// otherwise (both tolerances are zero, Apple's infinite) and turns pictures upright
/// (`appliesPreferredTrackTransform` is true, Apple's false).
public struct AVAssetImageGenerator: Sendable {
    public let asset: AVURLAsset
    /// How far before the wanted time the picture may start; wider is faster. Negative counts as zero.
    ///
    /// In an HLS stream with I-frame playlists the nearest of their pictures within the tolerances is taken: it costs
    /// one request of that picture's bytes, whatever the segments weigh.
    public var requestedTimeToleranceBefore: CMTime = .zero
    /// How far after the wanted time the picture may start.
    public var requestedTimeToleranceAfter: CMTime = .zero
    /// The result's presentation size fits in here, aspect kept, never enlarged; a side of 0 is no limit. Of an HLS
    /// stream the lowest variant that is large enough is read, without a limit the largest.
    public var maximumSize: CGSize = .zero
    /// Pictures carry the track's rotation; off, they lie as stored.
    public var appliesPreferredTrackTransform = true

    public init(asset: AVURLAsset) { self.asset = asset }

    /// The picture that stands at `time`, and when it starts.
    ///
    /// Before the first picture (and negative): the first. Beyond the end: the last. Works on a
    /// background thread; cancelling the task interrupts it.
    /// - Throws: `.noVideoTrack`, `.decodeFailed`, `.invalidArgument`, or why the file does not open.
    public func image(at time: CMTime) async throws(AVError) -> (image: VideoFrame, actualTime: CMTime) {
        let token = InterruptToken()
        let job = self
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<VideoFrame, AVError>, Never>) in
                let thread = Thread {
                    do throws(AVError) {
                        continuation.resume(returning: .success(try job.copyImage(at: time, interrupt: token)))
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
                thread.name = "image generator"
                thread.start()
            }
        } onCancel: {
            token.interrupt()
        }
        let frame = try result.get()
        return (frame, frame.presentationTime)
    }

    /// The same, blocking the calling thread.
    package func copyImage(at time: CMTime, interrupt: InterruptToken = InterruptToken()) throws(AVError) -> VideoFrame {
        if let problem = asset.optionsProblem { throw problem }
        let frame = try copyFrame(at: time, interrupt: interrupt)
        guard maximumSize.width > 0 || maximumSize.height > 0 else { return frame }
        return try ImageEncoder.scaled(frame, toFit: maximumSize)
    }

    private func copyFrame(at time: CMTime, interrupt: InterruptToken) throws(AVError) -> VideoFrame {
        let before = max(.zero, requestedTimeToleranceBefore), after = max(.zero, requestedTimeToleranceAfter)
        if !asset.pictures.isStream {
            do throws(AVError) {
                let extractor = try FrameExtractor(url: asset.url, options: asset.httpOptions, interrupt: interrupt)
                return try extractor.frame(at: time, toleranceBefore: before, toleranceAfter: after, appliesRotation: appliesPreferredTrackTransform)
            } catch {
                guard error.isPlaylistFound else { throw error }
                asset.pictures.isFoundToBeStream()
            }
        }
        let frame = try asset.pictures.frame(at: time, toleranceBefore: before, toleranceAfter: after, maximumSize: maximumSize, interrupt: interrupt)
        return appliesPreferredTrackTransform ? frame : try frame.unturned()
    }
}

extension VideoFrame {
    /// The picture as a PNG or JPEG file, as it is to be seen: square pixels, upright, RGB by the frame's
    /// own matrix and range, in BT.709's colours. 8 bits a channel; HDR is tone mapped, as in a window. Blocks for as
    /// long as encoding takes.
    public func encoded(as format: ImageFormat) throws(AVError) -> Data {
        try ImageEncoder.encode(self, as: format)
    }
}

/// A file format for pictures.
public enum ImageFormat: String, Sendable, CaseIterable {
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
