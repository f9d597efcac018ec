import Foundation
import MediaCore
import MediaEngine
import Synchronization

/// Writes an asset, or a stretch of it, into a new file: decoded, composed, encoded, faster than it plays.
///
/// AVFoundation's class, on any thread. The file comes into being beside its place under a hidden name, and takes its
/// own in the end: whatever goes wrong, nothing half done is left, and a file that was there before stays. A link is
/// written through: what it leads to becomes new, with the permissions it had.
///
/// Pictures come out upright and in square pixels, with the source's own time stamps (a variable frame rate stays one),
/// as H.264 4:2:0 (VP9 in WebM) in BT.709 from 720 lines on and in BT.601 below. WebM keeps alpha, if the first picture
/// has it; elsewhere what is transparent is over black. The sound is the track that would play; copied if the container
/// takes it and nothing is cut, else encoded (AAC; Opus in WebM), cut to the sample. What the source says about itself,
/// its chapters too, goes along; other tracks do not.
public final class AVAssetExportSession: Sendable {
    /// How far a session has got; it never goes back.
    public enum Status: Int, Sendable {
        /// In this order: nothing was asked yet; about to begin; being written; the file is there; it went wrong
        /// (`error`); it was stopped by `cancelExport()` or its task.
        case unknown, waiting, exporting, completed, failed, cancelled
    }

    /// What `states(updateInterval:)` tells.
    public enum State: Sendable {
        /// Nothing was asked yet.
        case pending
        /// It is about to begin.
        case waiting
        /// It is being written; `progress` counts thousandths up to 999, and to 1000 when the file is there.
        case exporting(progress: Progress)
    }

    /// What is exported; one with a URL, or the export fails with `.operationNotSupported`.
    public let asset: AVAsset
    /// Which preset it was made with, `AVAssetExportPreset…`.
    public let presetName: String

    /// What to write.
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
    private let told = Progress(totalUnitCount: 1000)

    /// Nil when there is no preset of that name.
    public init?(asset: AVAsset, presetName: String) {
        guard let preset = ExportPreset(name: presetName) else { return nil }
        self.asset = asset
        self.presetName = presetName
        self.preset = preset
    }

    /// In the source's own size and the highest quality.
    public init(asset: AVAsset) {
        self.asset = asset
        presetName = AVAssetExportPresetHighestQuality
        preset = ExportPreset(box: nil, quality: .high)
    }

    /// The presets there are.
    public static func allExportPresets() -> [String] { ExportPreset.all.map(\.name) }

    /// The types whose encoders are installed.
    public var supportedFileTypes: [AVFileType] {
        AVFileType.allWritable.filter { (try? ExportEncoders.choose(for: $0, hasSound: true, at: "")) != nil }
    }

    // MARK: what to write. Changes after the begin have no effect.

    /// The file to write.
    public var outputURL: URL? {
        get { shared.withLock { $0.settings.outputURL } }
        set { shared.withLock { $0.settings.outputURL = newValue } }
    }
    /// Nil: by the ending of `outputURL`.
    public var outputFileType: AVFileType? {
        get { shared.withLock { $0.settings.outputFileType } }
        set { shared.withLock { $0.settings.outputFileType = newValue } }
    }
    /// What of the source; by default all. The picture that stands where it begins is the first, from there on. A begin
    /// before zero is zero, an end behind the source's is the source's.
    public var timeRange: CMTimeRange {
        get { shared.withLock { $0.settings.timeRange } }
        set { shared.withLock { $0.settings.timeRange = newValue } }
    }
    /// Texts to write instead of what the source says about itself; nil: the source's.
    public var metadata: [AVMetadataItem]? {
        get { shared.withLock { $0.settings.metadata } }
        set { shared.withLock { $0.settings.metadata = newValue } }
    }
    /// The index of an MP4 or QuickTime file comes first, so that it plays while it loads. By default it does, other
    /// than AVFoundation's.
    public var shouldOptimizeForNetworkUse: Bool {
        get { shared.withLock { $0.settings.optimizes } }
        set { shared.withLock { $0.settings.optimizes = newValue } }
    }
    /// A file of that name may be replaced, once the new one is whole. By default it may not: `.fileAlreadyExists`.
    public var replacesExistingFile: Bool {
        get { shared.withLock { $0.settings.replaces } }
        set { shared.withLock { $0.settings.replaces = newValue } }
    }
    /// Of a source that is cut off what there is may be written. By default it may not: `.fileTruncated`.
    public var allowsTruncatedSource: Bool {
        get { shared.withLock { $0.settings.allowsTruncated } }
        set { shared.withLock { $0.settings.allowsTruncated = newValue } }
    }
    /// Pixels, 2 or more; smaller values are 2. Nil: the preset's; of a GIF 480.
    public var maximumWidth: Int? {
        get { shared.withLock { $0.settings.maximumWidth } }
        set { shared.withLock { $0.settings.maximumWidth = newValue.map { max(2, $0) } } }
    }
    /// Pictures a second, 0.1…1000, clamped; where there are more, some are left out. Nil: all; of a GIF 12.5.
    public var maximumFrameRate: Double? {
        get { shared.withLock { $0.settings.maximumFrameRate } }
        set {
            shared.withLock {
                $0.settings.maximumFrameRate = newValue.flatMap { $0.isNaN ? nil : min(1000, max(0.1, $0)) }
            }
        }
    }
    /// Makes the pictures to write; nil: they are as they are.
    package var composer: (any ExportComposer)? {
        get { shared.withLock { $0.settings.composer } }
        set { shared.withLock { $0.settings.composer = newValue } }
    }

    /// Writes one part of the export, or all of it like parts that are joined. Nil: the export is not divided.
    package var division: ExportDivision? {
        get { shared.withLock { $0.settings.division } }
        set { shared.withLock { $0.settings.division = newValue } }
    }

    // MARK: how it goes

    /// How far it has got; safe to read on any thread.
    public var status: Status { shared.withLock { $0.status } }
    /// Why it failed or was cancelled; an `AVError`.
    public var error: (any Error)? { shared.withLock { $0.error } }
    /// 0…1; 1 only when the file is there. Stays 0 while the source does not say how long it is.
    public var progress: Float {
        shared.withLock { $0.status == .completed ? 1 : Float(min(0.999, $0.progress.fraction)) }
    }
    package var exportProgress: ExportProgress { shared.withLock { $0.progress } }

    /// What happens from now on, up to the end, with which the sequence ends; `export(to:as:)` tells how it ended.
    /// - Parameter updateInterval: seconds between two reports of progress at the least; infinite: none but the first.
    public func states(updateInterval: TimeInterval = .infinity) -> AsyncStream<State> {
        AsyncStream(bufferingPolicy: .bufferingNewest(8)) { continuation in
            let (now, isOver) = shared.withLock { shared -> (State, Bool) in
                let isOver = [.completed, .failed, .cancelled].contains(shared.status)
                if !isOver {
                    shared.nextObserver += 1
                    let id = shared.nextObserver
                    shared.observers[id] = Observer(
                        continuation: continuation, interval: max(0, updateInterval), last: HostClock.now())
                    continuation.onTermination = { [weak self] _ in
                        self?.shared.withLock { _ = $0.observers.removeValue(forKey: id) }
                    }
                }
                return (self.state(of: shared.status), isOver)
            }
            if isOver { continuation.finish() } else { continuation.yield(now) }
        }
    }

    private func state(of status: Status) -> State {
        switch status {
        case .unknown: .pending
        case .waiting: .waiting
        default: .exporting(progress: told)
        }
    }

    // MARK: doing it

    /// Writes `url` and returns when it is there. Once for each session. Cancelling the task cancels the export.
    ///
    /// - Parameter fileType: nil: by the ending of `url`.
    /// - Throws: an `AVError`: `.fileAlreadyExists`, `.noVideoTrack`, `.encoderNotFound`, `.diskFull`, `.writeFailed`,
    ///   `.invalidArgument` (a range without pictures, a name without a type), `.cancelled`, and whatever keeps the
    ///   source from being read.
    public func export(to url: URL, as fileType: AVFileType? = nil) async throws(AVError) {
        shared.withLock {
            guard $0.status == .unknown else { return }
            $0.settings.outputURL = url
            if let fileType { $0.settings.outputFileType = fileType }
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

    /// Writes `outputURL`; `handler` is called on another thread at the end, however it ends: see `status` and `error`.
    public func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
        start { _ in handler() }
    }

    /// Stops it: what was written goes. Nothing happens after the end.
    public func cancelExport() {
        let job = shared.withLock { shared in
            shared.isCancelled = true
            return shared.job
        }
        job?.cancel()
    }

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

    /// - Throws: what is wrong with what was asked for; the session has failed then.
    private func begin() throws(AVError) -> ExportJob {
        let again = shared.withLock { shared in
            if shared.status != .unknown { return true }
            shared.status = .waiting
            for observer in shared.observers.values { observer.continuation.yield(.waiting) }
            return false
        }
        if again {
            throw AVError(
                .operationNotSupported, at: (asset as? AVURLAsset)?.url.location ?? "",
                reason: "an export session can be used only once", suggestion: "Create another session")
        }
        do throws(AVError) {
            let job = ExportJob(try request()) { [weak self] in self?.update($0) }
            let isCancelled = shared.withLock { shared in
                shared.job = job
                shared.status = .exporting
                for observer in shared.observers.values { observer.continuation.yield(.exporting(progress: told)) }
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
        guard let source = asset as? AVURLAsset else {
            throw AVError(.operationNotSupported, at: "\(asset)", reason: "only assets with a URL can be exported")
        }
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
        // Hundredths of a second are a GIF's clock, and viewers slow down what is quicker than two.
        if type == .gif { request.maximumFrameRate = min(50, request.maximumFrameRate ?? 50) }
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

    /// libavformat's name of what an app's own item means.
    private static func containerKey(of item: AVMetadataItem) -> String {
        switch item.commonKey {
        case .commonKeyAlbumName?: "album"
        case .commonKeyCreator?: "composer"
        case .commonKeyDescription?: "comment"
        case .commonKeyCreationDate?: "date"
        case .commonKeyCopyrights?: "copyright"
        case .commonKeyType?: "genre"
        default: item.key
        }
    }

    private func range(_ range: CMTimeRange, at location: String) throws(AVError) -> ExportRange {
        let senseless = AVError(.invalidArgument, at: location, reason: "\(range) is not a valid time range to export")
        guard range.isValid, !range.isIndefinite, !range.isEmpty, !range.start.isPositiveInfinity,
            !range.end.isNegativeInfinity
        else { throw senseless }
        let start = max(0, MediaTime(range.start) ?? 0)
        let end = range.duration.isPositiveInfinity ? .max : MediaTime(range.end) ?? .max
        guard end > start else { throw senseless }
        return ExportRange(start: start, end: end)
    }

    private func update(_ progress: ExportProgress) {
        told.completedUnitCount = Int64(min(0.999, progress.fraction) * 1000)
        shared.withLock { shared in
            shared.progress = progress
            let now = HostClock.now()
            for (id, observer) in shared.observers where Double(now - observer.last) / 1e9 >= observer.interval {
                shared.observers[id]?.last = now
                observer.continuation.yield(.exporting(progress: told))
            }
        }
    }

    private func conclude(_ result: Result<Void, AVError>) -> Result<Void, AVError> {
        let observers = shared.withLock { shared in
            switch result {
            case .success:
                shared.status = .completed
                told.completedUnitCount = told.totalUnitCount
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
