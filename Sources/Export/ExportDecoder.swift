import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// The work of an export's reading thread: reads, decodes and cuts the source.
struct ExportDecoder {
    private let request: ExportJob.Request
    private let interrupt: InterruptToken
    private let hasSound: Bool

    init(_ request: ExportJob.Request, interrupt: InterruptToken, hasSound: Bool) {
        self.request = request
        self.interrupt = interrupt
        self.hasSound = hasSound
    }

    func run(into queue: ExportQueue<ExportItem>) throws(AVError) {
        let reader = try open()
        guard let video = reader.video else {
            throw reader.videoProblem
                ?? AVError(.noVideoTrack, at: reader.location, reason: "the file has no video track")
        }
        let facts = try divisionFacts(reader)
        let range = try range(in: reader, lasting: facts.duration)
        reader.allowsTruncated = request.allowsTruncated
        if !request.allowsTruncated, range.end == .max, let error = reader.truncation { throw error }
        let audio = hasSound ? try audio(of: reader, range) : .none
        let length = length(of: range, in: facts.duration)
        let cuts = try cuts(of: reader, audio, range, length, facts)
        var tracks = ExportTracks(
            location: reader.location, video: video, audio: audio, duration: length,
            details: hasSound ? try details(of: reader, range) : ExportTracks.Details())
        if let division = request.division {
            tracks.isDivided = true
            if let part = division.part { try describe(part, cuts, range, in: &tracks) }
        }
        try queue.push(.tracks(tracks))
        if cuts.begin != nil { try queue.push(.frame(try sizeFrame(range, cuts))) }
        try cut(reader, audio, range, cuts, into: queue)
    }

    private func open() throws(AVError) -> OfflineReader {
        try OfflineReader(
            url: request.url, options: request.options, volumes: SharedTrackVolumes(request.volumes),
            interrupt: interrupt)
    }

    /// Returns the volume ramps that the samples of `reader` need.
    private func ramps(for reader: OfflineReader) -> VolumeRamps {
        // The reader of a composition has already applied the mix.
        guard let track = reader.sound, !reader.hasDecodedSound else { return VolumeRamps() }
        return request.volumes.ramps(of: track.trackID)
    }

    // MARK: Parts

    /// Returns the duration of the source, and whether parts can be found by a seek. A file that is divided is examined
    /// more closely than a file that is exported in one piece.
    private func divisionFacts(_ reader: OfflineReader) throws(AVError) -> MediaSource.DivisionFacts {
        guard request.division != nil, request.url.isFileURL, !reader.isStream, !reader.hasDecodedSound else {
            return MediaSource.DivisionFacts(duration: reader.duration, hasExactSeeks: true)
        }
        return try MediaSource(url: request.url, options: request.options, interrupt: interrupt).divisionFacts()
    }

    /// Returns the times at which the export is divided.
    /// - Throws: `.operationNotSupported` for a source of unknown duration.
    private func cuts(
        of reader: OfflineReader, _ audio: ExportTracks.Audio, _ range: ExportRange, _ length: MediaTime?,
        _ facts: MediaSource.DivisionFacts
    ) throws(AVError) -> PartCuts {
        guard let division = request.division else { return .none }
        guard let length, length > 0 else {
            throw AVError(
                .operationNotSupported, at: reader.location,
                reason: "its duration is unknown, so it can't be divided into parts",
                suggestion: "Export it in one part")
        }
        var rate = reader.sound?.sampleRate
        if case .encoded(let format) = audio { rate = format.sampleRate }
        if case .none = audio { rate = nil }
        var cuts = PartCuts(division, start: max(0, range.start), length: length, sampleRate: rate)
        cuts.leadIn = MediaTime(seconds: request.composer?.leadIn ?? 0)
        cuts.allowsSeeks = facts.hasExactSeeks
        return cuts
    }

    /// Returns the first frame of the whole export, whose size the frames of all parts have.
    private func sizeFrame(_ range: ExportRange, _ cuts: PartCuts) throws(AVError) -> ExportFrame {
        let reader = try open()
        reader.allowsTruncated = request.allowsTruncated
        let placed = try placed(reader, at: range.start, cuts)
        var frames = FrameTrimmer(range: range, maximumFrameRate: nil)
        var first: ExportFrame?
        while first == nil, !frames.isDone {
            let step = try placed.read()
            if case .end = step { break }
            if case .picture(let frame) = step { first = frames.take(frame) }
        }
        if first == nil { first = try frames.finish(location: reader.location) }
        guard var frame = first else {
            throw AVError(.decodeFailed, at: reader.location, reason: "the first frame could not be decoded")
        }
        frame.use = .size
        return frame
    }

    /// Returns a reader that delivers everything from `time` on, or everything if parts can't be found by a seek.
    private func placed(
        _ reader: OfflineReader, at time: MediaTime, _ cuts: PartCuts, runIn: MediaTime = ExportDecoder.runIn
    ) throws(AVError) -> SeekedReader {
        try SeekedReader(reader, from: cuts.allowsSeeks ? time : 0, runIn: runIn)
    }

    private func describe(
        _ part: ExportPart, _ cuts: PartCuts, _ range: ExportRange, in tracks: inout ExportTracks
    ) throws(AVError) {
        let encoders = try ExportEncoders.choose(for: request.type, hasSound: true, at: request.target.location)
        let begin = (cuts.begin ?? range.start) - range.start
        let end = cuts.end.map { $0 - range.start }
        var record = PartRecord(
            source: try PartDigests.source(request.url), settings: PartDigests.settings(request, range, encoders),
            part: part, request: request, begin: begin, end: end, details: tracks.details)
        let audioFormat: (name: String?, rate: Int, mask: UInt64)? =
            switch tracks.audio {
            case .none: nil
            case .copied(let track): (nil, track.sampleRate, track.channelMask)
            case .encoded(let format): (encoders.audio, format.sampleRate, format.channelMask)
            }
        record.sound = audioFormat.map {
            PartRecord.Sound(
                encoder: $0.name, rate: $0.rate, channelMask: $0.mask, begin: begin.samples(at: $0.rate),
                end: end?.samples(at: $0.rate))
        }
        if case .copied(let track) = tracks.audio {
            record.sound?.padding = track.withParameters { $0.pointee.initial_padding }
        }
        let whole = tracks.duration ?? 0
        tracks = ExportTracks(
            location: tracks.location, video: tracks.video, audio: tracks.audio, begin: begin,
            duration: (end ?? whole) - begin, details: tracks.details, isDivided: true, part: record)
    }

    // MARK: The whole export

    /// Returns the requested range, with `.max` as its end if the range reaches the end of the source.
    /// - Throws: `.invalidArgument` for a range that begins at or after the end of the source, if the duration is
    ///   known.
    private func range(in reader: OfflineReader, lasting duration: MediaTime?) throws(AVError) -> ExportRange {
        var range = request.range
        if let duration {
            guard range.start < duration || range.start <= 0 else {
                throw AVError(
                    .invalidArgument, at: reader.location,
                    reason: "the file lasts \(duration), but the time range begins at \(range.start)",
                    suggestion: "Choose an earlier start time")
            }
            if range.end >= duration { range.end = .max }
        }
        return range
    }

    private func length(of range: ExportRange, in duration: MediaTime?) -> MediaTime? {
        if range.end != .max { return range.end - range.start }
        return duration.map { $0 - range.start }
    }

    private func audio(of reader: OfflineReader, _ range: ExportRange) throws(AVError) -> ExportTracks.Audio {
        guard let track = reader.sound else {
            // A video without its audio would look like a complete export.
            if let error = reader.soundProblem { throw error }
            return .none
        }
        // The audio of a stream arrives in pieces that can't be joined without decoding.
        if range.isWhole, !reader.isStream, !reader.hasDecodedSound, !reader.hasCutSound, ramps(for: reader).isEmpty,
            ExportEncoders.canCopy(track, into: request.type)
        {
            reader.passSoundPackets()
            return .copied(track)
        }
        let encoders = try ExportEncoders.choose(for: request.type, hasSound: true, at: request.target.location)
        let format = ExportEncoders.audioFormat(for: track, encoder: encoders.audio ?? "")
        // `PartAudio` reads the audio of a later part with another reader.
        if request.division?.part.map({ $0.number == 1 }) ?? true { try reader.decodeSound(as: format) }
        return .encoded(format)
    }

    private func details(of reader: OfflineReader, _ range: ExportRange) throws(AVError) -> ExportTracks.Details {
        var details = ExportTracks.Details()
        if let own = request.metadata { details.metadata = own }
        // A stream has no details beyond those in its playlist, so another request would only take time.
        guard !reader.isStream else { return details }
        let source = try AssetDetails.read(request.url, options: request.options, interrupt: interrupt)
        if request.metadata == nil {
            details.metadata = source.metadata.compactMap { item in item.stringValue.map { (item.keyText, $0) } }
        }
        details.audioLanguage =
            source.tracks.first { $0.mediaType == .audio && $0.streamIndex == reader.sound?.streamIndex }?.languageCode
        details.chapters = source.chapters.compactMap { chapter in
            guard let start = MediaTime(chapter.timeRange.start), let end = MediaTime(chapter.timeRange.end),
                start < range.end, end > range.start
            else { return nil }
            let title = chapter.items.first { $0.commonKey == .commonKeyTitle }?.stringValue ?? ""
            return (title, max(start, range.start) - range.start, min(end, range.end) - range.start)
        }
        return details
    }

    private func cut(
        _ reader: OfflineReader, _ audio: ExportTracks.Audio, _ range: ExportRange, _ cuts: PartCuts,
        into queue: ExportQueue<ExportItem>
    ) throws(AVError) {
        let window = ExportRange(start: cuts.begin ?? range.start, end: cuts.end ?? range.end)
        var frames = FrameTrimmer(range: range, maximumFrameRate: request.maximumFrameRate, cuts: cuts)
        var samples: AudioTrimmer?
        var part: PartAudio?
        if case .encoded(let format) = audio, let source = reader.sound {
            if cuts.begin == nil {
                samples = AudioTrimmer(range: window, format: format, source: source, isCut: range.start > 0)
            } else {
                let placed = try placed(audioReader(as: format), at: range.start, cuts)
                part = PartAudio(placed, source, format: format, range: range, window: window)
            }
        }
        var packets = PacketTrimmer(window, isWanted: audio.isCopied, isFirst: cuts.begin == nil)
        var volume: ExportVolume?
        if case .encoded(let format) = audio {
            volume = ExportVolume(ramps(for: reader), from: window.start, format)
        }
        func push(_ chunk: [Float]) throws(AVError) {
            var chunk = chunk
            volume?.apply(to: &chunk)
            try queue.push(.audio(chunk))
        }
        // A later part has only frames that begin in it. The first frame of a range may begin long before the range.
        if cuts.begin != nil, cuts.allowsSeeks { reader.neededFrom = frames.needed }
        // In some files, audio is stored up to a second before the frames that it belongs to.
        let placed = try placed(
            reader, at: frames.needed, cuts, runIn: cuts.begin == nil ? ExportDecoder.runIn : 1_000_000_000)
        reading: while true {
            switch try placed.read() {
            case .picture(let frame):
                if let complete = frames.take(frame) {
                    try queue.push(.frame(complete))
                    if complete.use == .written { try part?.advance(to: complete.itemTime, push) }
                }
                if frames.isDone { reader.skipsPictures = true }
            case .sound(let chunk, let time): try samples?.take(chunk, at: time, push)
            case .soundPacket(let packet): if packets.takes(packet) { try queue.push(.packet(packet)) }
            case .end: break reading
            }
            // Audio can be stored up to five seconds after its frames. Audio that is missing after that does not exist.
            if frames.isDone,
                samples?.isDone ?? packets.isDone || reader.videoReach - 5_000_000_000 > window.end
            {
                break
            }
        }
        guard reader.decodedPictures > 0 else {
            throw AVError(
                .decodeFailed, at: reader.location, reason: "no frame of the video track could be decoded")
        }
        try reader.requireDecodedSound()
        if let last = try frames.finish(location: reader.location) { try queue.push(.frame(last)) }
        if frames.isEmpty, let frame = frames.shape {
            try queue.push(
                .frame(ExportFrame(frame: frame, itemTime: window.start, start: 0, duration: 0, use: .shape)))
        }
        try part?.finish(push)
        // Silence at the end of a part is not written, because a join knows the position of the next part's samples.
        let end = range.isWhole || cuts.end != nil ? nil : frames.end - (window.start - range.start)
        try samples?.finish(paddingTo: end, push)
        if let end { try part?.pad(to: end, push) }
    }

    private static let runIn: MediaTime = 150_000_000

    /// Returns a second reader of the source, for the audio of a part.
    private func audioReader(as format: AudioFormat) throws(AVError) -> OfflineReader {
        let reader = try open()
        reader.allowsTruncated = request.allowsTruncated
        try reader.decodeSound(as: format)
        return reader
    }
}

extension ExportTracks.Audio {
    fileprivate var isCopied: Bool { if case .copied = self { true } else { false } }
}

/// A filter that selects the packets of copied audio that begin in a part.
private struct PacketTrimmer {
    private let window: ExportRange
    private let isFirst: Bool
    /// Whether all later packets are after the end of the part.
    private(set) var isDone: Bool

    init(_ window: ExportRange, isWanted: Bool, isFirst: Bool) {
        self.window = window
        self.isFirst = isFirst
        isDone = !isWanted
    }

    mutating func takes(_ packet: OfflineReader.Packet) -> Bool {
        guard !isDone else { return false }
        let time = packet.withAVPacket {
            MediaTime(stamp: $0.pointee.pts != zt_nopts() ? $0.pointee.pts : $0.pointee.dts, base: packet.timeBase)
        }
        // A packet without a timestamp passes, and the writer throws the error.
        guard let time = time.map({ $0 - packet.offset }) else { return true }
        isDone = time >= window.end
        return !isDone && (isFirst || time >= window.start)
    }
}
