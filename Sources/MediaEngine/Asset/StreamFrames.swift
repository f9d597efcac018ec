import Foundation
import MediaCore
import Streaming
import Synchronization

/// A source of single frames from an HLS stream or a composition.
///
/// A stream's frames come from I-frame playlists if the tolerance allows, otherwise from segments. Each asset has one
/// source, so that playlists and keys are loaded once for all previews. All methods block and can be called from any
/// thread.
final class StreamFrames: Sendable {
    private struct State {
        /// Whether the content, not the URL, has shown that this is a stream.
        var isFound = false
        var presentation: HLSPresentation?
        /// The loaders by index in `HLSPresentation.iFrames`.
        var loaders: [Int: IFrameLoader] = [:]
    }
    private let state = Mutex(State())
    private let url: URL
    private let options: AssetOptions
    private let location: String

    init(url: URL, options: AssetOptions) {
        self.url = url
        self.options = options
        location = url.location
    }

    var isStream: Bool { HLSReader.claims(url, options.http) || state.withLock { $0.isFound } }
    /// Opens the file. Returns nil for a composition or a stream, and remembers that the URL is a stream.
    func file(_ options: HTTPOptions, _ interrupt: InterruptToken) throws(AVError) -> MediaSource? {
        guard !isStream else { return nil }
        switch try MediaFound.at(
            url, options: options, forwardBytes: FrameExtractor.forwardBytes, interrupt: interrupt)
        {
        case .file(let source): return source
        case .composition: return nil
        case .stream:
            state.withLock { $0.isFound = true }
            return nil
        }
    }

    /// Returns the frame displayed at `time`, or one that starts within the tolerances.
    ///
    /// A time before the first frame returns the first; a time after the last returns the last. In a live stream, time
    /// counts from the current start of its window.
    func frame(
        at time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime, maximumSize: CGSize, interrupt: InterruptToken
    ) throws(AVError) -> VideoFrame {
        guard time.isValid, !time.isIndefinite else {
            throw AVError(
                .invalidArgument, at: location, reason: "\(time) is not a valid time for a frame")
        }
        // An infinite time minus an infinite tolerance is not a number, and therefore no bound.
        let requestedTime = MediaTime(time) ?? .max
        let from = MediaTime(time - toleranceBefore) ?? .min
        let to = MediaTime(time + toleranceAfter) ?? .max
        if let plan = options.http.composition {
            return try StreamFrameExtractor(plan, start: requestedTime, interrupt: interrupt)
                .frame(at: requestedTime, from: from, to: to)
        }
        do throws(AVError) {
            if from < to, let frame = try iFrame(nearest: requestedTime, in: min(from, to)...to, maximumSize, interrupt)
            {
                return frame
            }
            return try StreamFrameExtractor(
                url: url, options: options.http, maximumSize: maximumSize, start: requestedTime, interrupt: interrupt
            )
            .frame(at: requestedTime, from: from, to: to)
        } catch {
            if error.code == .cancelled, interrupt.isOverTime, !interrupt.isInterrupted {
                throw AVError(
                    .timedOut, at: location, reason: "no data arrived in time",
                    suggestion: "Check the network connection, or increase the timeout")
            }
            throw error
        }
    }

    /// Returns the nearest I-frame. Nil if the stream has no I-frame playlist, or if no I-frame in `allowed` can be
    /// loaded. The caller then uses the segments.
    private func iFrame(
        nearest time: MediaTime, in allowed: ClosedRange<MediaTime>, _ size: CGSize, _ interrupt: InterruptToken
    ) throws(AVError) -> VideoFrame? {
        let isInterrupted: @Sendable () -> Bool = { interrupt.isInterrupted || interrupt.isOverTime }
        let presentation = try self.presentation(isInterrupted)
        guard let index = StreamFrames.choice(among: presentation.iFrames, for: size) else { return nil }
        let loader = state.withLock { state in
            if let known = state.loaders[index] { return known }
            let fresh = IFrameLoader(
                presentation.iFrames[index], variables: presentation.multivariant?.variables ?? [:],
                options: options.http)
            state.loaders[index] = fresh
            return fresh
        }
        do throws(AVError) {
            guard
                let frame = try loader.picture(
                    nearest: time.nanoseconds, in: allowed.lowerBound.nanoseconds...allowed.upperBound.nanoseconds,
                    isInterrupted: isInterrupted)
            else { return nil }
            return try IFrameDecoder.decode(frame)
        } catch {
            if error.code == .cancelled { throw error }
            return nil
        }
    }

    /// Returns the stream's thumbnail sheets and the variables that their playlist can import. Nil if there are none.
    ///
    /// Chooses the smallest thumbnails that fill `size`, in pixels, in width or height, else the largest.
    func images(for size: CGSize, interrupt: InterruptToken) throws(AVError) -> (
        rendition: ImageRendition, variables: [String: String]
    )? {
        guard let playlist = try presentation({ interrupt.isInterrupted || interrupt.isOverTime }).multivariant else {
            return nil
        }
        func area(_ rendition: ImageRendition) -> Int {
            rendition.resolution.map { $0.width.multipliedSaturating(by: $0.height) } ?? 0
        }
        func fills(_ rendition: ImageRendition) -> Bool {
            rendition.resolution.map { Double($0.width) >= size.width || Double($0.height) >= size.height } ?? false
        }
        let all = playlist.imageRenditions
        return (all.filter(fills).min { area($0) < area($1) } ?? all.max { area($0) < area($1) }).map {
            ($0, playlist.variables)
        }
    }

    private func presentation(_ isInterrupted: @escaping @Sendable () -> Bool) throws(AVError) -> HLSPresentation {
        if let known = state.withLock({ $0.presentation }) { return known }
        let fresh = try PresentationLoader.load(
            url, settings: HLSReader.settings(options.http), isInterrupted: isInterrupted)
        state.withLock { $0.presentation = fresh }
        return fresh
    }

    /// Returns the index of the smallest source that fills `size`, in pixels, else the largest. A side of 0 is not
    /// limited.
    ///
    /// Sources must be sorted by increasing bit rate. Among sources of equal size, the one with the lowest bit rate is
    /// chosen if it fills `size`, else the one with the highest.
    static func choice(among sources: [HLSPresentation.VariantSource], for size: CGSize) -> Int? {
        func area(_ index: Int) -> Int {
            guard let own = sources[index].attributes.resolution else { return 0 }
            let (product, overflow) = own.width.multipliedReportingOverflow(by: own.height)
            return overflow ? .max : product
        }
        func fills(_ index: Int) -> Bool {
            guard let own = sources[index].attributes.resolution, own.width > 0, own.height > 0,
                size.width > 0 || size.height > 0
            else { return false }
            let scale = min(
                size.width > 0 ? size.width / Double(own.width) : .infinity,
                size.height > 0 ? size.height / Double(own.height) : .infinity)
            return scale <= 1
        }
        return sources.indices.filter(fills).min { area($0) < area($1) }
            ?? sources.indices.reversed().max { area($0) < area($1) }
    }
}
