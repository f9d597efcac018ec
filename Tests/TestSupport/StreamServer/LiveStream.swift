import Foundation
import MediaCore

/// A live stream made of the segments of an on-demand stream. Its window moves with the clock, or when a test moves it.
///
/// The stream is served under one path. `master.m3u8` is the master playlist, and media playlists have the names that
/// the master playlist gives them. Segments are next to their playlist, named by their media sequence number. After its
/// last segment, the program repeats after a discontinuity. All renditions move together, by the nominal segment
/// duration of the on-demand stream.
package final class LiveStream: @unchecked Sendable {
    package enum Pace: Sendable {
        /// Only `advance` moves the window.
        case manual
        case realTime(speed: Double)
    }

    package struct Options: Sendable {
        package var pace: Pace
        /// The number of segments in the playlist.
        package var window: Int
        /// The number of complete segments at the start, at least 1.
        package var initialSegments: Int
        /// Whether the playlist is of type EVENT, from which segments are never removed.
        package var isEvent: Bool
        /// The number of segments after which the stream ends with EXT-X-ENDLIST; nil for an endless stream.
        package var endsAfter: Int?
        package var firstMediaSequence: Int
        /// EXT-X-PROGRAM-DATE-TIME of the first segment; nil for none.
        package var startDate: Date?
        /// The number of parts of a segment, for low latency with blocking reload; nil for no parts. Segments of fMP4
        /// must have at least as many fragments.
        package var partsPerSegment: Int?
        /// Whether parts are separate resources instead of byte ranges of the segment.
        package var hasPartFiles: Bool
        package var blocksReloads: Bool
        /// Whether the server answers `_HLS_skip=YES` with delta updates.
        package var skips: Bool

        package init(
            pace: Pace = .manual, window: Int = 6, initialSegments: Int? = nil, isEvent: Bool = false,
            endsAfter: Int? = nil, firstMediaSequence: Int = 0,
            startDate: Date? = nil, partsPerSegment: Int? = nil, hasPartFiles: Bool = false, blocksReloads: Bool? = nil,
            skips: Bool = false
        ) {
            self.pace = pace
            self.window = max(1, window)
            self.initialSegments = max(1, initialSegments ?? window)
            self.isEvent = isEvent
            self.endsAfter = endsAfter
            self.firstMediaSequence = firstMediaSequence
            self.startDate = startDate
            self.partsPerSegment = partsPerSegment
            self.hasPartFiles = hasPartFiles
            self.blocksReloads = blocksReloads ?? (partsPerSegment != nil)
            self.skips = skips
        }
    }

    package let options: Options
    package let url: URL
    private let path: String
    private let source: LiveSource
    private weak let server: StreamServer?
    private let started = HostClock.now()

    // The lock guards the following properties. A unit is a part, or a segment if there are no parts.
    private let lock = NSLock()
    private var advanced = 0
    private var end: Int?
    private var stuckAt: Int?
    /// The number of units at the last restart of the encoder, which are no longer counted.
    private var base = 0
    /// The segments at which the encoder restarted the program, and whether a discontinuity tag marks them.
    private var breaks: [LivePlaylist.Break] = []

    /// Serves a live stream.
    /// - Parameters:
    ///   - path: The path on the server, such as `live`.
    ///   - playlist: The master or media playlist of the on-demand stream.
    /// - Throws: `ServerFailed` if the stream can't be served with these options.
    package init(_ server: StreamServer, at path: String, over playlist: URL, options: Options = Options()) throws {
        source = try LiveSource(playlist, partsPerSegment: options.partsPerSegment)
        self.options = options
        self.path = path
        self.server = server
        url = server.url(for: "\(path)/\(source.master == nil ? source.renditions[0].name : "master.m3u8")")
        end = options.endsAfter.map { $0 * (options.partsPerSegment ?? 1) }
        server.serve("\(path)/*") { try self.answer($0, $1) }
    }

    /// The number of units in a segment.
    private var perSegment: Int { options.partsPerSegment ?? 1 }

    // MARK: Moving the window

    package func advance(segments: Int = 1) { advance(by: segments * perSegment) }
    /// Adds parts. Only valid for a stream with parts.
    package func advance(parts: Int) { advance(by: parts) }

    private func advance(by units: Int) {
        lock.withLock { advanced += units }
        server?.wake()
    }

    /// Ends the stream after the segment in progress, which is completed immediately.
    package func finish() {
        let now = edge()
        lock.withLock {
            end = (now + perSegment - 1) / perSegment * perSegment
            advanced += perSegment
        }
        server?.wake()
    }

    /// Restarts the encoder. Media sequence numbers restart at `firstMediaSequence`; the program and its timestamps
    /// restart from their beginning.
    /// - Parameter segments: The number of segments that exist after the restart, at least 1.
    package func restart(segments: Int = 1) {
        lock.withLock {
            stuckAt = nil
            breaks = []
            base = absoluteEdge() - max(1, segments) * perSegment
        }
        server?.wake()
    }

    /// Restarts the program and its timestamps at the next segment. Media sequence numbers continue.
    /// - Parameter tagged: Whether `EXT-X-DISCONTINUITY` marks the restart.
    package func interrupt(tagged: Bool) {
        let next = edge() / perSegment
        lock.withLock { breaks.append(LivePlaylist.Break(index: next, isTagged: tagged)) }
    }

    /// Whether the playlists stay unchanged although time passes.
    package var isStuck: Bool {
        get { lock.withLock { stuckAt != nil } }
        set {
            let now = edge()
            lock.withLock { stuckAt = newValue ? stuckAt ?? now : nil }
            server?.wake()
        }
    }

    /// The media sequence number after the newest complete segment, and the number of existing parts of that next
    /// segment.
    package var liveEdge: (mediaSequence: Int, parts: Int) {
        let now = edge()
        return (options.firstMediaSequence + now / perSegment, now % perSegment)
    }

    /// The longest target duration of the renditions, in seconds.
    package var segmentDuration: Double { source.renditions.map { Double($0.targetDuration) }.max() ?? 1 }

    /// Returns the number of existing units.
    private func edge() -> Int { lock.withLock { stuckAt ?? absoluteEdge() - base } }

    /// Returns the number of units without a restart or a stop. Requires the lock to be held.
    private func absoluteEdge() -> Int {
        var units = options.initialSegments * perSegment + advanced
        if case .realTime(let speed) = options.pace {
            units += Int(Double(HostClock.now() - started) / 1e9 * speed / segmentDuration * Double(perSegment))
        }
        return min(units, end ?? .max)
    }

    private var hasEnded: Bool {
        let now = edge()
        return lock.withLock { end.map { now >= $0 } ?? false }
    }

    // MARK: Answering requests

    private func answer(_ request: ServerRequest, _ context: ServerContext) throws -> ServerResponse? {
        let name = String(request.path.dropFirst(path.count + 1))
        if name == "master.m3u8", let master = source.master { return .playlist(master) }
        for rendition in source.renditions {
            if name == rendition.name { return try playlist(rendition, request, context) }
            let folder = String(rendition.name.dropLast((rendition.name as NSString).lastPathComponent.count))
            guard name.hasPrefix(folder), case let file = String(name.dropFirst(folder.count)), !file.contains("/"),
                file.hasSuffix("." + rendition.suffix) || file == "init.mp4"
            else { continue }
            if file == "init.mp4", let map = rendition.map {
                return ServerResponse(
                    headers: ["Content-Type": "video/mp4"], body: .file(map.file, offset: map.offset, count: map.count))
            }
            if let answer = try segment(rendition, file, request, context) { return answer }
        }
        return .status(404)
    }

    private func playlist(_ rendition: LiveSource.Rendition, _ request: ServerRequest, _ context: ServerContext) throws
        -> ServerResponse
    {
        if options.blocksReloads, let wanted = request.query["_HLS_msn"].flatMap(Int.init) {
            let part = options.partsPerSegment == nil ? nil : request.query["_HLS_part"].flatMap(Int.init)
            let units = (wanted - options.firstMediaSequence) * perSegment + (part.map { $0 + 1 } ?? perSegment)
            // RFC 8216bis §6.2.5.2: a request too far ahead is an error, and no request waits longer than three target
            // durations.
            if !hasEnded, units > edge() + 3 * perSegment { return .status(400) }
            guard try wait(for: units, context) else { return .status(503) }
        }
        let now = edge()
        let writer = LivePlaylist(
            options: options, rendition: rendition, others: source.renditions.filter { $0.name != rendition.name },
            units: now, hasEnded: hasEnded,
            breaks: lock.withLock { breaks })
        return .playlist(
            writer.text(skipping: options.skips && ["YES", "v2"].contains(request.query["_HLS_skip"] ?? "")))
    }

    private func segment(
        _ rendition: LiveSource.Rendition, _ file: String, _ request: ServerRequest, _ context: ServerContext
    ) throws -> ServerResponse? {
        let names = file.split(separator: ".")
        guard let sequence = Int(names[0]), case let index = sequence - options.firstMediaSequence, index >= 0 else {
            return nil
        }
        let segment = rendition.segments[
            LivePlaylist.content(of: index, lock.withLock { breaks }) % rendition.segments.count]
        let part = names.count == 3 ? Int(names[1]) : nil
        if names.count == 3, part == nil || !(0..<perSegment).contains(part ?? -1) { return nil }
        // Segments that have left the window stay available for at least the same duration (RFC 8216 §6.2.2).
        let oldest = options.isEvent ? 0 : edge() / perSegment - 2 * options.window
        var needed = (index + 1) * perSegment
        if let part {
            needed = index * perSegment + part + 1
        } else if case .some(.some(let range)) = request.headers["Range"].flatMap({
            RangeAnswer.parse($0, size: segment.count)
        }),
            let parts = segment.partBounds.firstIndex(where: { $0 >= range.upperBound })
        {
            needed = index * perSegment + parts
        }
        // Only parts that a preload hint announces are waited for.
        guard index >= oldest, needed <= edge() + (options.partsPerSegment == nil ? 0 : perSegment) else {
            return .status(404)
        }
        guard try wait(for: needed, context) else { return .status(404) }
        var bytes = 0..<segment.count
        if let part { bytes = segment.partBounds[part]..<segment.partBounds[part + 1] }
        return ServerResponse(
            headers: ["Content-Type": MIMEType.of(file)],
            body: .file(segment.file, offset: segment.offset + bytes.lowerBound, count: Int64(bytes.count)))
    }

    /// Waits until `units` units exist.
    /// - Returns: False if the wait takes longer than three segments (in real time) or ten seconds (if moved manually),
    ///   or if the stream ends first.
    private func wait(for units: Int, _ context: ServerContext) throws -> Bool {
        let ready = { self.edge() >= units || self.hasEnded }
        guard case .realTime(let speed) = options.pace else {
            return try context.wait(seconds: 10, ready) && edge() >= units
        }
        let deadline = HostClock.now() + Int64(3 * segmentDuration / speed * 1e9)
        while !ready() {
            let left = Double(deadline - HostClock.now()) / 1e9
            guard left > 0 else { return false }
            try context.wait(seconds: min(left, segmentDuration / speed / Double(perSegment) / 16), ready)
        }
        return edge() >= units
    }
}
