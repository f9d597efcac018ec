import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// The first of an export's threads: reads, decodes and cuts.
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
        let reader = try OfflineReader(url: request.url, options: request.options, interrupt: interrupt)
        guard let video = reader.video else {
            throw reader.videoProblem
                ?? AVError(.noVideoTrack, at: reader.location, reason: "the file has no video track")
        }
        let range = try range(in: reader)
        reader.allowsTruncated = request.allowsTruncated
        if !request.allowsTruncated, range.end == .max, let error = reader.truncation { throw error }
        let sound = hasSound ? try sound(of: reader, range) : .none
        try queue.push(
            .tracks(
                ExportTracks(
                    location: reader.location, video: video, sound: sound, duration: duration(of: reader, range),
                    details: hasSound ? try details(of: reader, range) : ExportTracks.Details())))
        try cut(reader, sound, range, into: queue)
    }

    /// - Throws: `.invalidArgument` for one that begins behind the end, as far as that is known.
    private func range(in reader: OfflineReader) throws(AVError) -> ExportRange {
        var range = request.range
        if let duration = reader.duration {
            guard range.start < duration || range.start <= 0 else {
                throw AVError(
                    .invalidArgument, at: reader.location,
                    reason: "the file lasts \(duration), but the time range begins at \(range.start)",
                    suggestion: "Choose an earlier start time")
            }
            // Asked for whole: then nothing is cut.
            if range.end >= duration { range.end = .max }
        }
        return range
    }

    private func duration(of reader: OfflineReader, _ range: ExportRange) -> MediaTime? {
        if range.end != .max { return range.end - range.start }
        return reader.duration.map { $0 - range.start }
    }

    private func sound(of reader: OfflineReader, _ range: ExportRange) throws(AVError) -> ExportTracks.Sound {
        guard let sound = reader.sound else { return .none }
        // A stream's sound comes in pieces that need not fit together as they are.
        if range.isWhole, !reader.isStream, ExportEncoders.canCopy(sound, into: request.type) {
            reader.passSoundPackets()
            return .copied(sound)
        }
        let encoders = try ExportEncoders.choose(for: request.type, hasSound: true, at: request.target.location)
        let format = ExportEncoders.soundFormat(for: sound, encoder: encoders.sound ?? "")
        try reader.decodeSound(as: format)
        return .encoded(format)
    }

    private func details(of reader: OfflineReader, _ range: ExportRange) throws(AVError) -> ExportTracks.Details {
        var details = ExportTracks.Details()
        if let own = request.metadata { details.metadata = own }
        // A stream says no more than its playlist, which is not worth asking for again.
        guard !reader.isStream else { return details }
        let source = try AssetDetails.read(request.url, options: request.options, interrupt: interrupt)
        if request.metadata == nil {
            details.metadata = source.metadata.compactMap { item in item.stringValue.map { (item.key, $0) } }
        }
        details.soundLanguage =
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
        _ reader: OfflineReader, _ sound: ExportTracks.Sound, _ range: ExportRange,
        into queue: ExportQueue<ExportItem>
    ) throws(AVError) {
        func fresh() -> (PictureCut, SoundCut?) {
            let pictures = PictureCut(range: range, maximumFrameRate: request.maximumFrameRate)
            guard case .encoded(let format) = sound, let source = reader.sound else { return (pictures, nil) }
            return (pictures, SoundCut(range: range, format: format, source: source))
        }
        var (pictures, samples) = fresh()
        // Decoders of sound need a run-in: of AAC the packet before, of Opus 80 ms. Demuxers may find their place too
        // late (open groups, sparse indices): then again from further back, at last from the start.
        var further: [MediaTime] = range.start > 0 ? [2_000_000_000, 20_000_000_000, .max] : []
        if range.start > 0 { try reader.seek(to: max(0, range.start - 150_000_000)) }
        var waitsForPicture = true
        // Sound is not let out before it is sure that the place was right.
        var early: [[Float]] = []
        func again(_ back: MediaTime) throws(AVError) {
            further.removeFirst()
            early = []
            (pictures, samples) = fresh()
            try reader.seek(to: back == .max ? 0 : max(0, range.start - back))
        }
        reading: while true {
            switch try reader.read() {
            case .picture(let frame):
                if waitsForPicture {
                    if let back = further.first, let time = MediaTime(frame.presentationTime),
                        !time.hasBegun(by: range.start)
                    {
                        try again(back)
                        continue
                    }
                    waitsForPicture = false
                    for chunk in early { try queue.push(.sound(chunk)) }
                    early = []
                }
                if let complete = pictures.take(frame) { try queue.push(.picture(complete)) }
                if pictures.isDone { reader.skipsPictures = true }
            case .sound(let chunk, let time):
                try samples?.take(chunk, at: time) { (chunk) throws(AVError) in
                    if waitsForPicture { early.append(chunk) } else { try queue.push(.sound(chunk)) }
                }
            case .soundPacket(let packet): try queue.push(.packet(packet))
            case .end:
                guard waitsForPicture, let back = further.first else { break reading }
                try again(back)
            }
            // Sound that lies apart from its pictures by more than seconds does not come any more.
            if pictures.isDone, samples?.isDone ?? true || reader.videoReach - 5_000_000_000 > range.end { break }
        }
        guard reader.decodedPictures > 0 else {
            throw AVError(
                .decodeFailed, at: reader.location, reason: "no frame of the video track could be decoded")
        }
        try queue.push(.picture(try pictures.finish(location: reader.location)))
        try samples?.finish(paddingTo: range.isWhole ? nil : pictures.end) { (chunk) throws(AVError) in
            try queue.push(.sound(chunk))
        }
    }
}
