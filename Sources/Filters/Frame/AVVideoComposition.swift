import Foundation
import MediaCore
import MediaEngine
import Synchronization

/// A description of how the frames of an item are changed: by Core Image filters that a handler chooses for each frame,
/// or by instructions. AVFoundation's type.
///
/// ```swift
/// let sepia = AVVideoComposition(asset: item.asset) { request in
///     let strength = min(1, request.compositionTime.seconds / 5)
///     let image = request.sourceImage.applyingFilter(
///         "CISepiaTone", parameters: [kCIInputIntensityKey: strength])
///     request.finish(with: image, context: nil)
/// }
/// item.videoComposition = sepia
/// ```
/// The composition applies wherever the item's frames are displayed: in all views, in Picture in Picture, and in an
/// export (`AVAssetExportSession.videoComposition`). It also applies to the images of a generator
/// (`AVAssetImageGenerator.videoComposition`). Filters of a `PictureSettings` are applied after it.
/// `AVPlayerItemVideoOutput` returns the source frames.
///
/// Frames keep their times. See ``AVMutableVideoCompositionInstruction`` for instructions. Animation tools and custom
/// compositors are not supported.
public class AVVideoComposition: @unchecked Sendable {
    // Unchecked because the class can be subclassed in this module. All changeable values are in `values`.
    struct Values: Sendable {
        var renderSize: CGSize?
        var frameDuration: CMTime?
        var renderScale: Float = 1
        var instructions: [any AVVideoCompositionInstructionProtocol] = []
    }
    let values: Mutex<Values>
    /// The asset of the frames; nil for a composition that is created without an asset.
    private let asset: AVAsset?
    /// The handler; nil for a composition with instructions.
    private let handler: Handler?
    fileprivate typealias Handler = @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    /// The handler as the composing threads use it. Nil for a composition that can change.
    private let fixed: ImageFiltering?

    /// Creates a composition whose handler is called for each frame. Reads nothing.
    ///
    /// The handler runs on the thread that composes frames, one request at a time, off the main thread. It must finish
    /// each request, at once or later. If a request is not finished within one second, the player shows the source
    /// frame and reports an error. Until the handler finishes a request again, the player does not wait for it. An
    /// export waits ten seconds for a request and then fails.
    ///
    /// - Parameters:
    ///   - asset: The asset of the item.
    ///   - applier: The handler.
    public init(
        asset: AVAsset,
        applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) {
        self.asset = asset
        handler = applier
        values = Mutex(Values())
        fixed = ImageFiltering(renderSize: nil, handler: applier)
    }

    /// Creates a composition whose values can change. For `AVMutableVideoComposition`.
    fileprivate init(changeable asset: AVAsset?, _ handler: Handler?, _ values: Values = Values()) {
        self.asset = asset
        self.handler = handler
        self.values = Mutex(values)
        fixed = nil
    }

    /// Creates a composition that shows the video of `asset` upright, with one instruction for its whole duration.
    ///
    /// `renderSize` is the size that the app has set for a composition (`AVMutableComposition.naturalSize`), or else
    /// contains all video tracks. If the asset has not been read yet, its tracks are read, which blocks the calling
    /// thread.
    public init(propertiesOf asset: AVAsset) {
        let properties = Values(propertiesOf: asset)
        self.asset = asset
        handler = nil
        values = Mutex(properties)
        fixed = AVVideoComposition.filtering(nil, properties)
    }

    /// Reads the tracks of `asset`, and returns a composition that shows its video upright, with one instruction for
    /// its whole duration.
    ///
    /// - Throws: `.noVideoTrack` if the asset has no video. The errors of `AVAsset.load(_:)`.
    public class func videoComposition(withPropertiesOf asset: AVAsset) async throws(AVError) -> AVVideoComposition {
        try await requireVideo(asset)
        return AVVideoComposition(propertiesOf: asset)
    }

    private init(copying other: AVVideoComposition) {
        asset = other.asset
        handler = other.handler
        let copied = other.values.withLock { $0 }
        values = Mutex(copied)
        fixed = AVVideoComposition.filtering(other.handler, copied)
    }

    private static func filtering(_ handler: Handler?, _ values: Values) -> ImageFiltering {
        if let handler { return ImageFiltering(renderSize: values.renderSize, handler: handler) }
        let plan = InstructionPlan(values.instructions)
        return ImageFiltering(renderSize: values.renderSize) { request in
            request.finish(with: plan.image(of: request), context: nil)
        }
    }

    /// Reads the tracks of `asset`, and returns a composition for it.
    ///
    /// ```swift
    /// item.videoComposition = try await AVVideoComposition.videoComposition(with: item.asset) { request in
    ///     request.finish(with: request.sourceImage.applyingFilter("CIPhotoEffectNoir"), context: nil)
    /// }
    /// ```
    ///
    /// - Throws: `.noVideoTrack` if the asset has no video. The errors of `AVAsset.load(_:)`.
    public class func videoComposition(
        with asset: AVAsset,
        applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) async throws(AVError) -> AVVideoComposition {
        try await requireVideo(asset)
        return AVVideoComposition(asset: asset, applyingCIFiltersWithHandler: applier)
    }

    /// Reads the tracks of `asset`, and calls `completionHandler` on any thread with a composition for it or with an
    /// error.
    ///
    /// The errors are those of `videoComposition(with:applyingCIFiltersWithHandler:)`.
    public class func videoComposition(
        with asset: AVAsset,
        applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void,
        completionHandler: @escaping @Sendable (AVVideoComposition?, (any Error)?) -> Void
    ) {
        Task {
            do throws(AVError) {
                try await requireVideo(asset)
                completionHandler(AVVideoComposition(asset: asset, applyingCIFiltersWithHandler: applier), nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }

    fileprivate static func requireVideo(_ asset: AVAsset) async throws(AVError) {
        if try await asset.loadTracks(withMediaType: .video).isEmpty {
            throw AVError(
                .noVideoTrack, at: asset.atURL.url.location, reason: "the asset has no video to compose")
        }
    }

    /// The size of the composed frames, in pixels: the size of the asset's video, upright and with square pixels. See
    /// `init(propertiesOf:)` for assets with several video tracks.
    ///
    /// If the asset has not been read yet, this property reads it, which blocks the calling thread. Zero if the asset
    /// has no video.
    public var renderSize: CGSize { values.withLock { $0.renderSize } ?? video?.presentationSize ?? .zero }
    /// The duration of a frame: that of the asset's video, or 1/30 s if it is unknown.
    ///
    /// If the asset has not been read yet, this property reads it, which blocks the calling thread. Frames keep the
    /// times of the source in any case.
    public var frameDuration: CMTime {
        if let duration = values.withLock({ $0.frameDuration }) { return duration }
        guard let rate = video?.nominalFrameRate, rate > 0 else { return CMTime(value: 1, timescale: 30) }
        return CMTime(seconds: 1 / Double(rate), preferredTimescale: 90_000)
    }
    /// The scale of the composed frames: 1. It has no effect.
    public var renderScale: Float { values.withLock { $0.renderScale } }
    /// The instructions; empty for a composition with a handler.
    public var instructions: [any AVVideoCompositionInstructionProtocol] { values.withLock { $0.instructions } }

    private var video: AVAssetTrack? { asset?.tracks(withMediaType: .video).first }

    /// The composition as it is now. Later changes of this object do not affect it.
    package var unchanging: AVVideoComposition { fixed == nil ? AVVideoComposition(copying: self) : self }
    /// The handler with the values that composing threads need. A composition whose values cannot change always returns
    /// the same object.
    package var filtering: ImageFiltering {
        fixed ?? AVVideoComposition.filtering(handler, values.withLock { $0 })
    }
}

extension AVVideoComposition.Values {
    /// Creates the values that show the video of `asset` upright. They have no instructions if it has no video.
    fileprivate init(propertiesOf asset: AVAsset) {
        let tracks = asset.tracks(withMediaType: .video)
        guard !tracks.isEmpty else { return }
        let sizes = tracks.map(\.presentationSize)
        let size = CGSize(width: sizes.map(\.width).max() ?? 0, height: sizes.map(\.height).max() ?? 0)
        renderSize = AVMutableVideoComposition.wholePixels((asset as? AVComposition)?.chosenSize ?? size)
        if let rate = tracks.map(\.nominalFrameRate).max(), rate > 0 {
            frameDuration = CMTime(seconds: 1 / Double(rate), preferredTimescale: 90_000)
        }
        let instruction = AVMutableVideoCompositionInstruction()
        instruction.timeRange = CMTimeRange(start: .zero, duration: asset.duration)
        instruction.layerInstructions = tracks.map { track in
            let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
            layer.setTransform(track.preferredTransform, at: .zero)
            return layer
        }
        instructions = [instruction]
    }
}

/// A video composition whose values can be changed. AVFoundation's type.
///
/// ```swift
/// let square = AVMutableVideoComposition(asset: asset) { request in
///     request.finish(with: request.sourceImage.cropped(to: CGRect(x: 0, y: 0, width: 720, height: 720)), context: nil)
/// }
/// square.renderSize = CGSize(width: 720, height: 720)
/// session.videoComposition = square
/// ```
/// An item and an export session copy the composition when it is set. Set it again after a change.
public class AVMutableVideoComposition: AVVideoComposition, @unchecked Sendable {
    // `@unchecked Sendable`, because a subclass must repeat what its superclass declares.
    /// Creates a composition whose handler is called for each frame, as `AVVideoComposition` does. Reads nothing.
    public override init(
        asset: AVAsset,
        applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) {
        super.init(changeable: asset, applier)
    }

    /// Creates a composition without instructions. Set `renderSize`, `frameDuration` and `instructions`.
    ///
    /// ```swift
    /// let stretched = AVMutableVideoComposition()
    /// stretched.renderSize = CGSize(width: 1280, height: 720)
    /// stretched.frameDuration = CMTime(value: 1, timescale: 30)
    /// stretched.instructions = [instruction]
    /// item.videoComposition = stretched
    /// ```
    public init() { super.init(changeable: nil, nil) }

    /// Creates a composition that shows the video of `asset` upright, as `AVVideoComposition` does.
    ///
    /// If the asset has not been read yet, its tracks are read, which blocks the calling thread.
    public override init(propertiesOf asset: AVAsset) {
        super.init(changeable: asset, nil, AVVideoComposition.Values(propertiesOf: asset))
    }

    /// Reads the tracks of `asset`, and returns a composition that shows its video upright. See `AVVideoComposition`.
    public override class func videoComposition(
        withPropertiesOf asset: AVAsset
    ) async throws(AVError) -> AVMutableVideoComposition {
        try await requireVideo(asset)
        return AVMutableVideoComposition(propertiesOf: asset)
    }

    /// Reads the tracks of `asset`, and returns a composition for it. See `AVVideoComposition`.
    public override class func videoComposition(
        with asset: AVAsset,
        applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) async throws(AVError) -> AVMutableVideoComposition {
        try await requireVideo(asset)
        return AVMutableVideoComposition(asset: asset, applyingCIFiltersWithHandler: applier)
    }

    /// Reads the tracks of `asset`, and calls `completionHandler` on any thread with a composition for it or with an
    /// error.
    public override class func videoComposition(
        with asset: AVAsset,
        applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void,
        completionHandler: @escaping @Sendable (AVMutableVideoComposition?, (any Error)?) -> Void
    ) {
        Task {
            do throws(AVError) {
                try await requireVideo(asset)
                completionHandler(AVMutableVideoComposition(asset: asset, applyingCIFiltersWithHandler: applier), nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }

    /// The size of the composed frames, rounded to whole pixels from 1 to 16,384. Until it is set, each frame keeps its
    /// own size, and the value is the size of the asset's video. A size that is not positive counts as not set.
    public override var renderSize: CGSize {
        get { super.renderSize }
        set { values.withLock { $0.renderSize = AVMutableVideoComposition.wholePixels(newValue) } }
    }
    /// The duration of a frame. Stored without effect: frames keep the times of the source.
    public override var frameDuration: CMTime {
        get { super.frameDuration }
        set { values.withLock { $0.frameDuration = newValue } }
    }
    /// The instructions, in any order. A composition with a handler ignores them. In any other composition without
    /// instructions, only `renderSize` has an effect.
    public override var instructions: [any AVVideoCompositionInstructionProtocol] {
        get { super.instructions }
        set { values.withLock { $0.instructions = newValue } }
    }
    /// The scale of the composed frames. Stored without effect.
    public override var renderScale: Float {
        get { super.renderScale }
        set { values.withLock { $0.renderScale = newValue } }
    }

    fileprivate static func wholePixels(_ size: CGSize) -> CGSize? {
        guard size.width.isFinite, size.height.isFinite, size.width > 0, size.height > 0 else { return nil }
        func whole(_ side: CGFloat) -> CGFloat { min(max(1, side.rounded()), 16_384) }
        return CGSize(width: whole(size.width), height: whole(size.height))
    }
}

extension AVVideoComposition: FrameChange {}

extension AVPlayerItem {
    /// The composition that changes the item's frames. Nil shows the frames of the file. The item copies the
    /// composition when it is set.
    ///
    /// A change is visible with the next frame, or at once while the player is paused. Errors of the handler appear in
    /// `errorLog()`.
    public var videoComposition: AVVideoComposition? {
        get { frameChange as? AVVideoComposition }
        set { frameChange = newValue?.unchanging }
    }
}

/// The video composition of an export, which changes its frames before they are scaled.
///
/// Not Sendable: it belongs to the thread that composes.
package final class VideoCompositionRenderer {
    private let filtering: ImageFiltering
    private let requests: RequestWait
    private var renderer: PictureRenderer?

    /// - Parameter requests: The wait for the handler, which another thread can close.
    package init(_ filtering: ImageFiltering, _ requests: RequestWait) {
        self.filtering = filtering
        self.requests = requests
    }

    /// Returns the changed frame.
    /// - Throws: The error of the handler or of drawing.
    package func compose(_ frame: VideoFrame) throws(AVError) -> VideoFrame {
        let outcome = FrameComposer.run([.request(filtering)], on: frame, with: &renderer, requests)
        if let problem = outcome.itemProblem { throw problem }
        return outcome.frame ?? frame
    }
}
