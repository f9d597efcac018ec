import Filters
import Foundation
import MediaCore
import MediaEngine
import Synchronization

/// A session that decodes, composes and encodes an asset, or a time range of it, into a new file.
///
/// An export can be faster than playback, depending on the machine. All members except
/// `setPicture(_:subtitles:style:viewSize:)` can be used on any thread.
///
/// ```swift
/// let session = AVAssetExportSession(asset: AVURLAsset(url: source))
/// session.timeRange = CMTimeRange(
///     start: CMTime(value: 5, timescale: 1), duration: CMTime(value: 10, timescale: 1))
/// do {
///     try await session.export(to: URL(fileURLWithPath: "clip.mp4"))
/// } catch {
///     print(error.localizedDescription)
/// }
/// ```
///
/// The session writes to a hidden file in the folder of the output file, and gives it its final name when it is
/// complete. A failed export leaves no partial file and does not change an existing file. If the output is a symbolic
/// link, the session replaces the file that the link points to. The new file keeps the permissions of the file that it
/// replaces.
///
/// Frames are written upright, with square pixels and with the source's timestamps; a variable frame rate stays
/// variable. They are encoded as H.264 4:2:0, or VP9 in WebM; if FFmpeg has no such encoder, as MPEG-4 Part 2, or VP8
/// in WebM. The colors are BT.709 from 720 lines up, BT.601 below. WebM keeps alpha if the first frame has alpha. In
/// all other cases, transparent pixels are composed over black.
///
/// The exported audio is the track that a player would select. The session copies it if a whole file is exported and
/// the container can store the track exactly. Otherwise, and for streams and compositions, the session encodes it as
/// AAC, or as Opus in WebM (as Vorbis if FFmpeg has no Opus encoder), and cuts it at the exact sample. Metadata and
/// chapters are copied; other tracks are not. A GIF has no audio, metadata or chapters.
public final class AVAssetExportSession: Sendable {
    /// The status of an export. A session never returns to an earlier status.
    public enum Status: Int, Sendable {
        /// The states in their order: not started; about to start; writing; completed; failed (see `error`); canceled
        /// by `cancelExport()` or by the cancellation of its task.
        case unknown, waiting, exporting, completed, failed, cancelled
    }

    /// An element of the sequence that `states(updateInterval:)` returns.
    public enum State: Sendable {
        /// The export has not been requested yet.
        case pending
        /// The export is about to start.
        case waiting
        /// The export is running. `progress` counts thousandths: up to 999 while writing, 1000 when the file is
        /// complete.
        case exporting(progress: Progress)
    }

    /// The asset to export. Of a composition, the content at the start of the export is exported.
    public let asset: AVAsset
    /// The name of the session's preset, one of the `AVAssetExportPreset…` constants.
    public let presetName: String

    private struct Settings {
        var outputURL: URL?
        var outputFileType: AVFileType?
        var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
        var metadata: [AVMetadataItem]?
        var optimizes = true
        var replaces = false
        var allowsTruncated = false
        var maximumWidth: Int?
        var maximumFrameRate: Double?
        var videoComposition: AVVideoComposition?
        var audioMix: AVAudioMix?
        var composer: (any ExportComposer)?
        var division: ExportDivision?
    }
    private struct Shared {
        var settings = Settings()
        var status = Status.unknown
        var error: AVError?
        var progress = ExportProgress()
        var job: ExportJob?
        var isCancelled = false
        var observers: [UInt64: Observer] = [:]
        var nextObserver: UInt64 = 0
    }
    private struct Observer {
        let continuation: AsyncStream<State>.Continuation
        let interval: Double
        var last: Int64
    }
    private let shared = Mutex(Shared())
    private let preset: ExportPreset
    private let reportedProgress = Progress(totalUnitCount: 1000)

    /// Creates a session with a preset. Returns nil if no preset has the name `presetName`.
    ///
    /// ```swift
    /// guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPreset1280x720) else {
    ///     return
    /// }
    /// try await session.export(to: URL(fileURLWithPath: "small.mp4"))
    /// ```
    public init?(asset: AVAsset, presetName: String) {
        guard let preset = ExportPreset(name: presetName) else { return nil }
        self.asset = asset
        self.presetName = presetName
        self.preset = preset
    }

    /// Creates a session with the highest quality and the size of the source.
    public init(asset: AVAsset) {
        self.asset = asset
        presetName = AVAssetExportPresetHighestQuality
        preset = ExportPreset(box: nil, quality: .high)
    }

    /// Returns the names of all presets.
    public static func allExportPresets() -> [String] { ExportPreset.all.map(\.name) }

    /// The file types whose encoders are installed.
    public var supportedFileTypes: [AVFileType] {
        AVFileType.allWritable.filter { (try? ExportEncoders.choose(for: $0, hasSound: true, at: "")) != nil }
    }

    // MARK: Settings. Changes after the start of the export have no effect.

    /// The URL of the file to write. It must be a file URL. If nil, `exportAsynchronously(completionHandler:)` fails
    /// with `.invalidArgument`.
    public var outputURL: URL? {
        get { shared.withLock { $0.settings.outputURL } }
        set { shared.withLock { $0.settings.outputURL = newValue } }
    }
    /// The type of the file to write. If nil, the path extension of `outputURL` determines the type.
    public var outputFileType: AVFileType? {
        get { shared.withLock { $0.settings.outputFileType } }
        set { shared.withLock { $0.settings.outputFileType = newValue } }
    }
    /// The time range of the source to export. Default: the whole source.
    ///
    /// The range is clamped to the source: from zero to the end of the source. The frame that is displayed at the start
    /// of the range becomes the first frame of the file.
    public var timeRange: CMTimeRange {
        get { shared.withLock { $0.settings.timeRange } }
        set { shared.withLock { $0.settings.timeRange = newValue } }
    }
    /// The metadata to write. If nil, the metadata of the source is written. Items without a `stringValue` are left
    /// out.
    ///
    /// ```swift
    /// session.metadata = [
    ///     AVMetadataItem(identifier: .commonIdentifierTitle, stringValue: "The Kid"),
    ///     AVMetadataItem(identifier: .commonIdentifierArtist, stringValue: "Charlie Chaplin"),
    /// ]
    /// ```
    public var metadata: [AVMetadataItem]? {
        get { shared.withLock { $0.settings.metadata } }
        set { shared.withLock { $0.settings.metadata = newValue } }
    }
    /// Whether the index of an MP4 or QuickTime file is at its front, so that the file can play while it downloads.
    /// Default: true, unlike in AVFoundation.
    public var shouldOptimizeForNetworkUse: Bool {
        get { shared.withLock { $0.settings.optimizes } }
        set { shared.withLock { $0.settings.optimizes = newValue } }
    }
    /// Whether the export replaces an existing file, once the new file is complete. Default: false, and the export
    /// fails with `.fileAlreadyExists` if the file exists.
    public var replacesExistingFile: Bool {
        get { shared.withLock { $0.settings.replaces } }
        set { shared.withLock { $0.settings.replaces = newValue } }
    }
    /// Whether the available part of a truncated source is exported. Default: false, and the export fails with
    /// `.fileTruncated` if the source is truncated.
    public var allowsTruncatedSource: Bool {
        get { shared.withLock { $0.settings.allowsTruncated } }
        set { shared.withLock { $0.settings.allowsTruncated = newValue } }
    }
    /// The maximum width, in pixels. Values below 2 become 2. If nil, only the preset limits the width, and a GIF is at
    /// most 480 pixels wide.
    ///
    /// ```swift
    /// session.maximumWidth = 320
    /// session.maximumFrameRate = 10
    /// try await session.export(to: URL(fileURLWithPath: "preview.gif"))
    /// ```
    public var maximumWidth: Int? {
        get { shared.withLock { $0.settings.maximumWidth } }
        set { shared.withLock { $0.settings.maximumWidth = newValue.map { max(2, $0) } } }
    }
    /// The maximum frame rate, in frames per second, clamped to 0.1…1000. Frames above this rate are dropped.
    ///
    /// If nil or not a number, all frames are kept, and a GIF has at most 12.5 frames per second. A GIF never has more
    /// than 50.
    public var maximumFrameRate: Double? {
        get { shared.withLock { $0.settings.maximumFrameRate } }
        set {
            shared.withLock {
                $0.settings.maximumFrameRate = newValue.flatMap { $0.isNaN ? nil : min(1000, max(0.1, $0)) }
            }
        }
    }
    /// The composition that changes the frames, before filters and scaling. Nil leaves them unchanged. The session
    /// copies the composition when it is set.
    ///
    /// ```swift
    /// session.videoComposition = AVVideoComposition(asset: session.asset) { request in
    ///     request.finish(with: request.sourceImage.applyingFilter("CIPhotoEffectNoir"), context: nil)
    /// }
    /// ```
    /// An error of the handler, and a request that it does not finish within ten seconds, make the export fail.
    public var videoComposition: AVVideoComposition? {
        get { shared.withLock { $0.settings.videoComposition } }
        set {
            let copy = newValue?.unchanging
            shared.withLock { $0.settings.videoComposition = copy }
        }
    }
    /// The volumes of the asset's audio tracks over time, in times of the asset. Nil, the default, leaves them
    /// unchanged. The session copies the mix when it is set.
    ///
    /// Audio that the mix changes is encoded, also if the session could copy it otherwise.
    public var audioMix: AVAudioMix? {
        get { shared.withLock { $0.settings.audioMix } }
        set {
            let copy = newValue?.unchanging
            shared.withLock { $0.settings.audioMix = copy }
        }
    }
    /// The composer of the frames to write. If nil, the frames of the source are only scaled.
    package var composer: (any ExportComposer)? {
        get { shared.withLock { $0.settings.composer } }
        set { shared.withLock { $0.settings.composer = newValue } }
    }

    /// The division of the export into parts. If nil, the export is not divided.
    package var division: ExportDivision? {
        get { shared.withLock { $0.settings.division } }
        set { shared.withLock { $0.settings.division = newValue } }
    }

    // MARK: Progress

    /// The current status.
    public var status: Status { shared.withLock { $0.status } }
    /// The `AVError` with which the export failed or was canceled. Nil before that, and if the export has completed.
    public var error: (any Error)? { shared.withLock { $0.error } }
    /// The fraction of the export that is done, 0…1. The value is 1 only when the file is complete, and stays 0 while
    /// the duration of the source is unknown.
    public var progress: Float {
        shared.withLock { $0.status == .completed ? 1 : Float(min(0.999, $0.progress.fraction)) }
    }
    package var exportProgress: ExportProgress { shared.withLock { $0.progress } }

    /// Returns the states of the session from now on. The sequence ends when the export ends, and is empty if the
    /// export has already ended.
    ///
    /// The result of the export is not part of the sequence: `export(to:as:)` returns or throws it. If the caller does
    /// not read fast enough, only the newest eight states are kept.
    ///
    /// ```swift
    /// for await state in session.states(updateInterval: 0.5) {
    ///     if case .exporting(let progress) = state { fraction = progress.fractionCompleted }
    /// }
    /// ```
    ///
    /// - Parameter updateInterval: The minimum number of seconds between two progress updates. If infinite, the
    ///   sequence has no progress updates after the first `.exporting` state.
    public func states(updateInterval: TimeInterval = .infinity) -> AsyncStream<State> {
        AsyncStream(bufferingPolicy: .bufferingNewest(8)) { continuation in
            let isOver = shared.withLock { shared in
                let isOver = [.completed, .failed, .cancelled].contains(shared.status)
                if !isOver {
                    // All states are yielded while the lock is held, so that they arrive in their order.
                    continuation.yield(state(of: shared.status))
                    shared.nextObserver += 1
                    let id = shared.nextObserver
                    shared.observers[id] = Observer(
                        continuation: continuation, interval: max(0, updateInterval), last: HostClock.now())
                    continuation.onTermination = { [weak self] _ in
                        self?.shared.withLock { _ = $0.observers.removeValue(forKey: id) }
                    }
                }
                return isOver
            }
            if isOver { continuation.finish() }
        }
    }

    private func state(of status: Status) -> State {
        switch status {
        case .unknown: .pending
        case .waiting: .waiting
        default: .exporting(progress: reportedProgress)
        }
    }

    // MARK: Export

    /// Writes the file at `url` and returns when it is complete. Canceling the task cancels the export.
    ///
    /// A session can export only once.
    ///
    /// ```swift
    /// session.replacesExistingFile = true
    /// try await session.export(to: URL(fileURLWithPath: "film.webm"))
    /// ```
    ///
    /// - Parameters:
    ///   - url: The file to write. Replaces `outputURL`.
    ///   - fileType: The type of the file. If nil, `outputFileType` or the path extension of `url` determines the type.
    /// - Throws: `.fileAlreadyExists`, `.noVideoTrack`, `.encoderNotFound`, `.diskFull`, `.writeFailed` or
    ///   `.cancelled`. `.invalidArgument` for a range without frames or a path extension that no supported type has.
    ///   `.operationNotSupported` if the session has been used before, or can't export the asset or write the file
    ///   type. Errors from reading the source.
    public func export(to url: URL, as fileType: AVFileType? = nil) async throws(AVError) {
        // Only the call that claims the session may cancel its export.
        try claim { settings in
            settings.outputURL = url
            if let fileType { settings.outputFileType = fileType }
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, AVError>, Never>) in
                start { continuation.resume(returning: $0) }
            }
        } onCancel: {
            cancelExport()
        }
        try result.get()
    }

    /// Writes the file at `outputURL` and calls `handler` when the export has ended.
    ///
    /// Read the result from `status` and `error`. The handler runs on a thread of the export, or on the calling thread
    /// if the export can't start. A session can export only once: a second call changes neither property and calls
    /// `handler` at once.
    ///
    /// ```swift
    /// session.outputURL = URL(fileURLWithPath: "clip.mp4")
    /// session.exportAsynchronously {
    ///     if let error = session.error { print(error.localizedDescription) }
    /// }
    /// ```
    public func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
        do throws(AVError) { try claim() } catch { return handler() }
        start { _ in handler() }
    }

    /// Cancels the export and removes the partial file. Has no effect after the export has ended.
    ///
    /// The method does not wait: the export ends soon after, with the error `.cancelled`. If the export has not started
    /// yet, it is canceled when it starts.
    public func cancelExport() {
        let job = shared.withLock { shared in
            shared.isCancelled = true
            return shared.job
        }
        job?.cancel()
    }

    /// Marks the session as used and changes its settings.
    /// - Throws: `.operationNotSupported` if the session has been used before.
    private func claim(_ change: (inout Settings) -> Void = { _ in }) throws(AVError) {
        let isFirst = shared.withLock { shared in
            guard shared.status == .unknown else { return false }
            change(&shared.settings)
            shared.status = .waiting
            for observer in shared.observers.values { observer.continuation.yield(.waiting) }
            return true
        }
        guard isFirst else {
            throw AVError(
                .operationNotSupported, at: (asset as? AVURLAsset)?.url.location ?? "",
                reason: "an export session can be used only once", suggestion: "Create another session")
        }
    }

    /// Starts the export of the claimed session.
    private func start(_ done: @escaping @Sendable (Result<Void, AVError>) -> Void) {
        let job: ExportJob
        do throws(AVError) {
            job = try begin()
        } catch {
            return done(.failure(error))
        }
        WorkerThread.detached(name: "zt-export") { [self] in
            done(conclude(Result { () throws(AVError) in try job.run() }))
        }
    }

    /// - Throws: The reason why the export can't start. The status is `.failed` then.
    private func begin() throws(AVError) -> ExportJob {
        do throws(AVError) {
            let job = ExportJob(try request()) { [weak self] in self?.update($0) }
            let isCancelled = shared.withLock { shared in
                shared.job = job
                shared.status = .exporting
                for observer in shared.observers.values {
                    observer.continuation.yield(.exporting(progress: reportedProgress))
                }
                return shared.isCancelled
            }
            if isCancelled { job.cancel() }
            return job
        } catch {
            _ = conclude(.failure(error))
            throw error
        }
    }

    private func request() throws(AVError) -> ExportJob.Request {
        let settings = shared.withLock { $0.settings }
        let source = asset.atURL
        if let problem = source.optionsProblem { throw problem }
        guard let target = settings.outputURL else {
            throw AVError(
                .invalidArgument, at: source.url.location, reason: "outputURL is not set",
                suggestion: "Set outputURL to the file to write")
        }
        guard
            let type = settings.outputFileType
                ?? AVFileType(pathExtension: FilePath(target)?.pathExtension ?? target.pathExtension)
        else {
            throw AVError(
                .invalidArgument, at: target.location, reason: "the file extension does not name a supported file type",
                suggestion:
                    "Use one of these extensions: \(AVFileType.allWritable.map { "." + $0.preferredPathExtension }.joined(separator: ", "))"
            )
        }
        var request = ExportJob.Request(
            url: source.mediaURL, options: source.httpOptions, target: target.absoluteURL, type: type, preset: preset)
        request.range = try range(settings.timeRange, at: source.url.location)
        request.metadata = settings.metadata?.compactMap { item in
            item.stringValue.map { (AVAssetExportSession.containerKey(of: item), $0) }
        }
        request.optimizesForNetwork = settings.optimizes
        request.replaces = settings.replaces
        request.allowsTruncated = settings.allowsTruncated
        request.maximumWidth = settings.maximumWidth ?? (type == .gif ? 480 : nil)
        request.maximumFrameRate = settings.maximumFrameRate ?? (type == .gif ? 12.5 : nil)
        // A GIF counts time in hundredths of a second, and viewers slow down frames that last less than two hundredths.
        if type == .gif { request.maximumFrameRate = min(50, request.maximumFrameRate ?? 50) }
        request.filtering = settings.videoComposition?.filtering
        request.volumes = settings.audioMix?.volumes ?? TrackVolumes()
        request.composer = settings.composer
        request.division = settings.division
        if type == .gif, request.division != nil {
            throw AVError(
                .operationNotSupported, at: target.location,
                reason: "a GIF can't be divided into parts, because all its frames share one palette",
                suggestion: "Choose another file type, or write the GIF in one part")
        }
        return request
    }

    /// Returns the name that libavformat's muxers use for the item's common key.
    private static func containerKey(of item: AVMetadataItem) -> String {
        switch item.commonKey {
        case .commonKeyAlbumName?: "album"
        case .commonKeyCreator?: "composer"
        case .commonKeyDescription?: "comment"
        case .commonKeyCreationDate?: "date"
        case .commonKeyCopyrights?: "copyright"
        case .commonKeyType?: "genre"
        default: item.containerKey
        }
    }

    private func range(_ range: CMTimeRange, at location: String) throws(AVError) -> ExportRange {
        let invalidRange = AVError(
            .invalidArgument, at: location, reason: "\(range) is not a valid time range to export")
        guard range.isValid, !range.isIndefinite, !range.isEmpty, !range.start.isPositiveInfinity,
            !range.end.isNegativeInfinity
        else { throw invalidRange }
        let start = max(0, MediaTime(range.start) ?? 0)
        let end = range.duration.isPositiveInfinity ? .max : MediaTime(range.end) ?? .max
        guard end > start else { throw invalidRange }
        return ExportRange(start: start, end: end)
    }

    private func update(_ progress: ExportProgress) {
        reportedProgress.completedUnitCount = Int64(min(0.999, progress.fraction) * 1000)
        shared.withLock { shared in
            shared.progress = progress
            let now = HostClock.now()
            for (id, observer) in shared.observers where Double(now - observer.last) / 1e9 >= observer.interval {
                shared.observers[id]?.last = now
                observer.continuation.yield(.exporting(progress: reportedProgress))
            }
        }
    }

    private func conclude(_ result: Result<Void, AVError>) -> Result<Void, AVError> {
        let observers = shared.withLock { shared in
            switch result {
            case .success:
                shared.status = .completed
                reportedProgress.completedUnitCount = reportedProgress.totalUnitCount
            case .failure(let error):
                shared.status = error.code == .cancelled ? .cancelled : .failed
                shared.error = error
            }
            shared.job = nil
            shared.settings.composer = nil
            defer { shared.observers = [:] }
            return Array(shared.observers.values)
        }
        for observer in observers { observer.continuation.finish() }
        return result
    }
}
