import CFFmpeg
import Filters
import Foundation
import MediaCore
import MediaEngine
import Streaming
import Synchronization

/// The progress of an export.
package struct ExportProgress: Sendable, Equatable {
    /// The number of frames written.
    package var frames = 0
    /// The duration written, in seconds.
    package var time = 0.0
    /// The duration of the complete export, in seconds. Nil if it is unknown before the end.
    package var duration: Double?
    /// The fraction of all passes that is done, 0…1. Stays 0 while the duration is unknown.
    package var fraction = 0.0
    /// Whether transparent pixels were composed over black, because the file type or the first frame has no alpha.
    package var losesAlpha = false
}

/// A single run of an export. It decodes, composes and writes at the same time on three threads, with few frames
/// waiting between them.
///
/// `run` composes on the calling thread. `cancel` can be called on any thread.
final class ExportJob: Sendable {
    struct Request: Sendable {
        var url: URL
        var options = HTTPOptions()
        var target: URL
        var type: AVFileType
        var preset: ExportPreset
        var range = ExportRange()
        var maximumWidth: Int?
        var maximumFrameRate: Double?
        /// The handler of the video composition, which changes frames before `composer` gets them.
        var filtering: ImageFiltering?
        var composer: (any ExportComposer)?
        /// The audio mix.
        var volumes = TrackVolumes()
        /// The metadata to write. If nil, the metadata of the source is written.
        var metadata: [(key: String, value: String)]?
        var replaces = false
        var allowsTruncated = false
        var optimizesForNetwork = true
        var division: ExportDivision?
    }

    private let request: Request
    private let interrupt = InterruptToken()
    /// The wait for the handler of the video composition. A handler that computes on the CPU may need seconds.
    private let requests = RequestWait(limit: 10)
    private let firstFailure = Mutex<AVError?>(nil)
    private let queues = Mutex<[ExportQueue<ExportItem>]>([])
    private let onProgress: @Sendable (ExportProgress) -> Void

    /// - Parameter onProgress: Called on the writing thread after each frame.
    init(_ request: Request, onProgress: @escaping @Sendable (ExportProgress) -> Void) {
        self.request = request
        self.onProgress = onProgress
    }

    private var source: String { request.url.mediaName }

    /// Cancels the export. `run` then removes the partial file and throws `.cancelled`, unless it has already
    /// completed.
    func cancel() { fail(AVError(.cancelled, at: request.target.location, reason: "the export was cancelled")) }

    /// Stops all threads with `error`. Only the first error is reported, because later errors are its consequences.
    private func fail(_ error: AVError) {
        firstFailure.withLock { $0 = $0 ?? error }
        interrupt.interrupt()
        requests.close()
        for queue in queues.withLock({ $0 }) { queue.fail(error) }
    }

    private func throwFailure() throws(AVError) {
        if let failure = firstFailure.withLock({ $0 }) { throw failure }
    }

    /// Exports and returns when the file has its final name. Blocks the calling thread.
    /// - Throws: The first error. No partial file remains.
    func run() throws(AVError) {
        guard request.target.isFileURL else {
            throw AVError(
                .invalidArgument, at: request.target.absoluteString,
                reason: "the URL is not a valid file URL to write to")
        }
        // Check the encoders first, before the source is read or a file is created.
        let encoders = try ExportEncoders.choose(for: request.type, hasSound: true, at: request.target.location)
        try throwFailure()
        let file = try PartialFile(beside: request.target, replaces: request.replaces)
        do {
            if request.type == .gif { try writeGIF(file) } else { try writeMovie(file, encoders) }
            try throwFailure()
            try file.commit()
        } catch {
            file.discard()
            throw firstFailure.withLock { $0 } ?? error
        }
    }

    private func writeMovie(_ file: PartialFile, _ encoders: ExportEncoders) throws(AVError) {
        let request = request
        try pass(hasSound: true) { (job, composed) throws(AVError) -> Void in
            let tracks = try job.tracks(composed)
            let writer = try MovieWriter(
                MovieWriter.Settings(
                    type: request.type, encoders: encoders, quality: request.preset.quality,
                    optimizesForNetwork: request.optimizesForNetwork, maximumFrameRate: request.maximumFrameRate),
                path: file.path, target: file.target, tracks: tracks)
            var meter = Meter(job, tracks, 0...1)
            while let item = try composed.pop() {
                switch item {
                case .tracks: break
                case .frame(let item) where item.use == .shape: try writer.open(for: item.frame)
                case .frame(let item):
                    try writer.take(item)
                    meter.wrote(item)
                case .audio(let samples): try writer.take(samples)
                case .packet(let packet): try writer.take(packet)
                }
            }
            try writer.finish()
        }
    }

    private func writeGIF(_ file: PartialFile) throws(AVError) {
        let palette = try pass(hasSound: false) { (job, composed) throws(AVError) -> [UInt32] in
            let finder = PaletteFinder(location: file.target)
            try job.frames(composed, 0...0.4) { (item) throws(AVError) in try finder.take(item) }
            return try finder.finish()
        }
        try pass(hasSound: false) { (job, composed) throws(AVError) -> Void in
            let writer = try GIFWriter(path: file.path, target: file.target, palette: palette)
            try job.frames(composed, 0.4...1) { (item) throws(AVError) in try writer.take(item) }
            try writer.finish()
        }
    }

    /// Returns the tracks, the first item of `queue`. An empty queue is an error: it must not lead to an empty file.
    private func tracks(_ queue: ExportQueue<ExportItem>) throws(AVError) -> ExportTracks {
        guard case .tracks(let tracks)? = try queue.pop() else {
            throw AVError(
                .readFailed, at: source, reason: "the data ended before its contents could be identified",
                suggestion: "Copy or download the file again")
        }
        return tracks
    }

    /// Passes all frames of one pass to `take`.
    private func frames(
        _ queue: ExportQueue<ExportItem>, _ share: ClosedRange<Double>, _ take: (ExportFrame) throws(AVError) -> Void
    ) throws(AVError) {
        let tracks = try tracks(queue)
        var meter = Meter(self, tracks, share)
        while let item = try queue.pop() {
            guard case .frame(let item) = item else { continue }
            try take(item)
            meter.wrote(item)
        }
    }

    /// The progress of one pass, reported after each frame.
    private struct Meter {
        private let job: ExportJob
        private let share: ClosedRange<Double>
        private var keepsAlpha: Bool?
        private var progress = ExportProgress()
        private let begin: MediaTime

        init(_ job: ExportJob, _ tracks: ExportTracks, _ share: ClosedRange<Double>) {
            self.job = job
            self.share = share
            begin = tracks.begin
            progress.duration = tracks.duration?.seconds
        }

        mutating func wrote(_ item: ExportFrame) {
            progress.frames += 1
            let keeps = keepsAlpha ?? (job.request.type == .webm && item.frame.hasAlpha)
            keepsAlpha = keeps
            if item.frame.hasAlpha, !keeps { progress.losesAlpha = true }
            progress.time = (item.start + item.duration - begin).seconds
            if let duration = progress.duration, duration > 0 {
                progress.fraction =
                    share.lowerBound + min(1, progress.time / duration) * (share.upperBound - share.lowerBound)
            }
            job.onProgress(progress)
        }
    }

    // MARK: One pass over the source

    /// - Parameter consume: Runs on the writing thread.
    private func pass<R: Sendable>(
        hasSound: Bool, _ consume: @escaping @Sendable (ExportJob, ExportQueue<ExportItem>) throws(AVError) -> R
    ) throws(AVError) -> R {
        let decoded = ExportQueue<ExportItem>(limit: 64) { $0.weight }
        let composed = ExportQueue<ExportItem>(limit: 64) { $0.weight }
        queues.withLock { $0 = [decoded, composed] }
        try throwFailure()
        let result = SharedOutcome<R>()
        let reading = WorkerThread(name: "zt-x-read") { [self] in
            do throws(AVError) {
                try ExportDecoder(request, interrupt: interrupt, hasSound: hasSound).run(into: decoded)
                decoded.finish()
            } catch {
                fail(error)
            }
        }
        let writing = WorkerThread(name: "zt-x-write") { [self] in
            // Without this, exceeding a file size limit (SIGXFSZ) would end the app instead of failing the write.
            BlockedSignals.during {
                do throws(AVError) {
                    result.set(try consume(self, composed))
                } catch {
                    fail(error)
                }
            }
        }
        if !reading.isStarted || !writing.isStarted {
            fail(AVError(.unknown, at: source, reason: "the system can't create more threads"))
        }
        do throws(AVError) {
            try compose(decoded, into: composed, keepsYUV: hasSound)
            composed.finish()
        } catch {
            fail(error)
        }
        reading.join()
        writing.join()
        try throwFailure()
        guard let value = result.value else {
            throw AVError(.unknown, at: source, reason: "the export ended without a result")
        }
        return value
    }

    /// A result that one thread stores and another thread reads.
    private final class SharedOutcome<R: Sendable>: Sendable {
        private let box = Mutex<R?>(nil)
        func set(_ new: R) { box.withLock { $0 = new } }
        var value: R? { box.withLock { $0 } }
    }

    private func compose(_ decoded: ExportQueue<ExportItem>, into composed: ExportQueue<ExportItem>, keepsYUV: Bool)
        throws(AVError)
    {
        let plain = PlainComposer(keepsYUV: keepsYUV)
        let composition = request.filtering.map { VideoCompositionRenderer($0, requests) }
        var size: (width: Int, height: Int)?
        var previous: VideoFrame?
        var tick: MediaTime = 1
        while let item = try decoded.pop() {
            guard case .frame(var item) = item else {
                if case .tracks(let tracks) = item { tick = MediaTime(stamp: 1, base: tracks.video.timeBase) ?? 1 }
                try composed.push(item)
                continue
            }
            if let composition { item.frame = try composition.compose(item.frame) }
            // All frames have the size of the first frame of the whole export, because an encoder has one size.
            let target =
                size ?? request.preset.size(for: item.frame.presentationSize, maximumWidth: request.maximumWidth)
            size = target
            if item.use == .size { continue }
            if let composer = request.composer {
                let picture = try picture {
                    try composer.compose(item.frame, at: item.itemTime.time, size: target)
                }
                // While a frame is dropped, the previous one stays visible.
                guard let visible = picture ?? previous else { continue }
                item.frame = visible
                if item.use == .written { try update(&item, with: composer, tick, into: composed) }
                previous = item.frame
                if item.use == .leadIn { continue }
            } else {
                item.frame = try plain.compose(item.frame, size: target, location: source)
            }
            try composed.push(.frame(item))
        }
        if request.composer != nil, size != nil, previous == nil {
            throw AVError(
                .encodeFailed, at: source, reason: "a filter dropped all frames",
                suggestion: "Remove the filter, or let it return a frame")
        }
    }

    private func picture(_ body: () throws -> VideoFrame?) throws(AVError) -> VideoFrame? {
        do {
            return try body()
        } catch {
            throw error as? AVError
                ?? AVError(.unknown, at: source, reason: "a frame could not be composed: \(error)")
        }
    }

    /// The duration above which a frame is written again when its overlays change. Below 6 frames per second, every
    /// subtitle would otherwise wait for the next frame, or never appear.
    private static let longFrame: MediaTime = 170_000_000
    /// The interval at which the overlays of a long frame are compared: that of 30 frames per second, rounded up.
    private static let updateInterval: MediaTime = 33_333_334
    /// The maximum number of comparisons for one frame, because wrong timestamps can make it last for years.
    private static let maximumUpdates = 200_000

    /// Writes a long frame up to the last change of its overlays, and returns the rest in `item`.
    /// - Parameter tick: The shortest time between two timestamps in the file.
    private func update(
        _ item: inout ExportFrame, with composer: any ExportComposer, _ tick: MediaTime,
        into composed: ExportQueue<ExportItem>
    ) throws(AVError) {
        guard item.duration > ExportJob.longFrame else { return }
        let whole = item
        let interval = max(
            ExportJob.updateInterval, tick,
            MediaTime(nanoseconds: whole.duration.nanoseconds / Int64(ExportJob.maximumUpdates)),
            request.maximumFrameRate.map { MediaTime(seconds: 1 / $0) } ?? 0)
        var offset = interval
        while offset < whole.duration {
            try throwFailure()
            if let changed = try picture({ try composer.update(at: (whole.itemTime + offset).time) }) {
                let begun = item.itemTime - whole.itemTime
                try composed.push(
                    .frame(
                        ExportFrame(
                            frame: item.frame, itemTime: item.itemTime, start: item.start, duration: offset - begun,
                            opensGroup: item.opensGroup)))
                item = ExportFrame(
                    frame: changed, itemTime: whole.itemTime + offset, start: whole.start + offset,
                    duration: whole.duration - offset)
            }
            offset = offset + interval
        }
    }
}
