import CFFmpeg
import Foundation
import MediaCore

/// The playback order of a Matroska file with ordered chapters, which may include parts of other files in the same
/// folder. On a server only the file's own parts are found, because a server does not list a folder.
///
/// A reader of the `MediaSource` gets one continuous video. Packets arrive in playback order with continuous
/// timestamps, and seeks and the duration use the same time. A part rarely begins at a keyframe. Packets that must be
/// decoded before the part are marked as discarded, as libavformat does for media that an MP4 edit list cuts.
final class OrderedTimeline {
    private struct Part {
        /// The index of the file: 0 for the main file, 1 and more for `linked`.
        var source: Int
        /// The range in the media time of its file.
        var start: MediaTime, end: MediaTime
        /// The start of the part in the combined video.
        var begin: MediaTime
        var length: MediaTime { end - start }
    }
    struct Chapter {
        var titles: [(language: String, text: String)]
        var start: MediaTime, end: MediaTime
    }

    let chapters: [Chapter]
    let duration: MediaTime
    /// The error for missing parts, which are in files that were not found, cannot be opened or have another codec;
    /// `nil` if none is missing.
    let problem: AVError?
    private let parts: [Part]
    private let linked: [Linked]
    private var current = 0
    /// The tracks that have reached the end of their part.
    private var ended: Set<Int32> = []
    /// The tracks whose next packet must pass the codec's extra data to the decoder.
    private var tracksNeedingExtraData: Set<Int32> = []

    /// Another file, and the mapping of its tracks to those of the main file.
    private struct Linked {
        var source: MediaSource
        var tracks: [Int32: Int32]
    }

    /// The maximum time for which a track is read beyond the end of its part, while other tracks have not reached that
    /// end.
    private static let maximumOverrun: MediaTime = 5_000_000_000
    private static let fileSuffixes = [".mkv", ".mka", ".mks", ".mk3d", ".webm"]
    /// The maximum number of files in the folder that are examined.
    private static let mostFiles = 500

    /// Reads the ordered chapters of `source`. Returns `nil` if the file is played in its own order.
    init?(_ source: MediaSource, url: URL) {
        // Without chapters, no more of a remote file has to be read.
        guard url.isFileURL || source.remote != nil && source.context.pointee.nb_chapters > 0,
            source.formatName.hasPrefix("matroska"), let io = source.context.pointee.pb,
            let file = MatroskaChapters(io), !file.ordered.isEmpty
        else { return nil }
        var linked: [Linked] = []
        // The index of the file with each identifier: 0 is this one.
        var indices = [file.identifier: 0]
        let linkedIdentifiers = Set(file.ordered.compactMap(\.segment)).subtracting([file.identifier])
        let found =
            linkedIdentifiers.isEmpty || !url.isFileURL
            ? [:] : OrderedTimeline.files(beside: url, with: linkedIdentifiers)
        for (identifier, other) in found {
            guard let opened = try? MediaSource(url: other, interrupt: source.interrupt, isPart: true),
                let tracks = OrderedTimeline.tracks(of: opened, for: source)
            else { continue }
            linked.append(Linked(source: opened, tracks: tracks))
            indices[identifier] = linked.count
        }
        var parts: [Part] = []
        var chapters: [Chapter] = []
        var begin = MediaTime.zero
        var missing = 0
        for (index, chapter) in file.ordered.enumerated() {
            guard let fileIndex = chapter.segment == nil ? 0 : indices[chapter.segment ?? []] else {
                missing += 1
                continue
            }
            let from = fileIndex == 0 ? source : linked[fileIndex - 1].source
            let last = from.ownDuration ?? .max
            // A chapter without an end extends to the start of the next chapter in the same file.
            let next = file.ordered[(index + 1)...].first { $0.segment == chapter.segment && $0.start > chapter.start }
            let nominalEnd = (chapter.end ?? next?.start).map { MediaTime(nanoseconds: $0) - from.startTime }
            let start = max(0, MediaTime(nanoseconds: chapter.start) - from.startTime)
            let end = min(last, nominalEnd ?? last)
            guard end > start, end < .max else { continue }
            if let before = parts.last, before.source == fileIndex, before.end == start {
                parts[parts.count - 1].end = end
            } else {
                parts.append(Part(source: fileIndex, start: start, end: end, begin: begin))
            }
            if !chapter.isHidden {
                chapters.append(Chapter(titles: chapter.titles, start: begin, end: begin + (end - start)))
            }
            begin += end - start
        }
        guard !parts.isEmpty else { return nil }
        // The chapters are in order and complete, as in many files, so the file's own order suffices.
        if parts.count == 1, missing == 0, parts[0].source == 0, parts[0].start == 0, parts[0].end == source.ownDuration
        {
            return nil
        }
        self.parts = parts
        self.chapters = chapters
        self.linked = linked
        duration = begin
        let missingFiles = linkedIdentifiers.count - linked.count
        problem =
            missing == 0
            ? nil
            : AVError(
                .fileTruncated, at: source.location,
                reason:
                    "\(missing) of \(file.ordered.count) chapters are missing because they play parts of \(missingFiles == 1 ? "another file" : "\(missingFiles) other files") that \(OrderedTimeline.missingFilesReason(missingFiles, url))",
                suggestion: url.isFileURL
                    ? "Put all files that belong together into one folder"
                    : "Download all files that belong together into one folder")
        move(to: 0)
    }

    private static func missingFilesReason(_ count: Int, _ url: URL) -> String {
        url.isFileURL
            ? "\(count == 1 ? "is" : "are") not in the same folder or \(count == 1 ? "uses" : "use") another codec"
            : "the player can find only in a local folder"
    }

    // MARK: other files

    /// Returns the Matroska files in the same folder that have one of `identifiers`.
    private static func files(beside url: URL, with identifiers: Set<[UInt8]>) -> [[UInt8]: URL] {
        let folder = url.deletingLastPathComponent()
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        var found: [[UInt8]: URL] = [:]
        for name in names.filter({ name in fileSuffixes.contains { name.lowercased().hasSuffix($0) } }).prefix(
            mostFiles)
        where found.count < identifiers.count {
            let file = folder.appendingPathComponent(name)
            guard let path = FilePath(file) else { continue }
            guard let opened = OpenedFile.read(Array("file:".utf8CString.dropLast()) + path.cString),
                let matroska = MatroskaChapters(opened.raw), identifiers.contains(matroska.identifier)
            else { continue }
            found[matroska.identifier] = found[matroska.identifier] ?? file
        }
        return found
    }

    /// Returns the mapping from tracks of `other` to tracks of `source`. Tracks match by kind and codec, in their
    /// order, and by language if possible.
    ///
    /// - Returns: `nil` if no track matches the video of `source`.
    private static func tracks(of other: MediaSource, for source: MediaSource) -> [Int32: Int32]? {
        func language(_ stream: UnsafeMutablePointer<AVStream>) -> String {
            av_dict_get(stream.pointee.metadata, "language", nil, 0).map { String(cString: $0.pointee.value) } ?? ""
        }
        var map: [Int32: Int32] = [:]
        for case let stream? in source.streams {
            guard let p = stream.pointee.codecpar, stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0,
                [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_SUBTITLE].contains(p.pointee.codec_type)
            else { continue }
            let fitting = other.streams.compactMap { $0 }.filter {
                $0.pointee.codecpar?.pointee.codec_id == p.pointee.codec_id && map[$0.pointee.index] == nil
                    && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
            }
            if let best = fitting.first(where: { language($0) == language(stream) }) ?? fitting.first {
                map[best.pointee.index] = stream.pointee.index
            } else if p.pointee.codec_type == AVMEDIA_TYPE_VIDEO {
                return nil
            }
        }
        return map
    }

    // MARK: reading

    /// Reads the next packet of the combined video, from `main` or from another file.
    ///
    /// - Returns: 0, or an error code of libavformat.
    func read(_ packet: UnsafeMutablePointer<AVPacket>, _ main: MediaSource) -> Int32 {
        while current < parts.count {
            let part = parts[current]
            let source = part.source == 0 ? main : linked[part.source - 1].source
            let rc = source.readOwn(packet)
            if rc == zt_averror_eof() {
                if let failure = advance(main) { return failure }
                continue
            }
            guard rc >= 0 else { return rc }
            if take(packet, of: part, source, main) { return 0 }
            av_packet_unref(packet)
            if isOver(source), let failure = advance(main) { return failure }
        }
        return zt_averror_eof()
    }

    /// Continues with the next part.
    ///
    /// - Returns: The code of a failed seek; `nil` on success.
    private func advance(_ main: MediaSource) -> Int32? {
        move(to: current + 1)
        guard current < parts.count else { return nil }
        let rc = begin(at: parts[current].start, main)
        return rc < 0 ? rc : nil
    }

    private func move(to part: Int) {
        current = part
        ended = []
        tracksNeedingExtraData = linked.isEmpty ? [] : Set(0..<64)
    }

    private func begin(at time: MediaTime, _ main: MediaSource, track: Int32 = -1) -> Int32 {
        let part = parts[current]
        guard part.source > 0 else { return main.seekOwn(to: time, track: track) }
        let other = linked[part.source - 1]
        // The same tracks are read from this file as from the main file.
        for case let stream? in other.source.streams {
            let own = other.tracks[stream.pointee.index]
            stream.pointee.discard =
                own.flatMap { main.streams.indices.contains(Int($0)) ? main.streams[Int($0)]?.pointee.discard : nil }
                ?? AVDISCARD_ALL
        }
        return other.source.seekOwn(to: time, track: other.tracks.first { $0.value == track }?.key ?? -1)
    }

    /// Seeks to a position from which the frame at `target` can be decoded. `target` is a time of the combined video.
    ///
    /// - Returns: A code of libavformat, negative on failure.
    func seek(to target: MediaTime, track: Int32, _ main: MediaSource) -> Int32 {
        let part = parts.lastIndex { $0.begin <= max(0, target) } ?? 0
        move(to: part)
        let into = min(max(0, target - parts[part].begin), parts[part].length)
        return begin(at: parts[part].start + into, main, track: track)
    }

    /// Converts the packet's times to the combined video.
    ///
    /// - Returns: `false` if the packet is not needed.
    private func take(
        _ packet: UnsafeMutablePointer<AVPacket>, of part: Part, _ source: MediaSource, _ main: MediaSource
    ) -> Bool {
        let index = Int(packet.pointee.stream_index)
        guard source.streams.indices.contains(index), let stream = source.streams[index],
            let p = stream.pointee.codecpar
        else { return false }
        let base = stream.pointee.time_base
        let zero = source.startTime
        func time(_ timestamp: Int64) -> MediaTime? { MediaTime(stamp: timestamp, base: base).map { $0 - zero } }
        guard let shown = time(packet.pointee.pts) ?? time(packet.pointee.dts) else { return false }
        let length = MediaTime(stamp: max(0, packet.pointee.duration), base: base) ?? .zero
        if time(packet.pointee.dts) ?? shown >= part.end {
            ended.insert(packet.pointee.stream_index)
            if shown - part.end > OrderedTimeline.maximumOverrun {
                ended.formUnion(source.streams.indices.map(Int32.init))
            }
            return false
        }
        switch p.pointee.codec_type {
        case AVMEDIA_TYPE_SUBTITLE:
            let (from, to) = (max(shown, part.start), min(shown + length, part.end))
            guard to > from || length == .zero && shown >= part.start else { return false }
            packet.pointee.pts = (from + zero).stamp(in: base)
            packet.pointee.dts = packet.pointee.pts
            if length > .zero { packet.pointee.duration = max(1, (to - from).stamp(in: base)) }
        case AVMEDIA_TYPE_AUDIO:
            if shown + length <= part.start || shown >= part.end {
                packet.pointee.flags |= AV_PKT_FLAG_DISCARD
            } else {
                OrderedTimeline.trim(
                    packet, before: max(.zero, part.start - shown), after: max(.zero, shown + length - part.end),
                    rate: Int(p.pointee.sample_rate))
            }
        default:
            // Containers count in milliseconds, so a frame belongs to the part that contains its middle.
            let middle = shown + length / 2
            if middle < part.start || middle >= part.end || length == .zero && shown < part.start {
                packet.pointee.flags |= AV_PKT_FLAG_DISCARD
            }
        }
        addExtraData(packet, p)
        var streamIndex = packet.pointee.stream_index
        var target = base
        if part.source > 0 {
            guard let own = linked[part.source - 1].tracks[streamIndex], let stream = main.streams[Int(own)] else {
                return false
            }
            (streamIndex, target) = (own, stream.pointee.time_base)
            packet.pointee.stream_index = own
            packet.pointee.duration =
                MediaTime(stamp: packet.pointee.duration, base: base)?.stamp(in: target) ?? 0
        }
        // Converts a timestamp of the part's file to one of the combined video, in the timestamps of the main file.
        func converted(_ timestamp: Int64) -> Int64 {
            guard let time = time(timestamp) else { return zt_nopts() }
            if part.source == 0 { return timestamp.addingSaturating((part.begin - part.start).stamp(in: base)) }
            return (time - part.start + part.begin + main.startTime).stamp(in: target)
        }
        packet.pointee.pts = converted(packet.pointee.pts)
        packet.pointee.dts = converted(packet.pointee.dts)
        return true
    }

    /// Adds the codec's extra data to the first packet of a track, because the decoder may have decoded another file
    /// before.
    private func addExtraData(_ packet: UnsafeMutablePointer<AVPacket>, _ p: UnsafeMutablePointer<AVCodecParameters>) {
        guard tracksNeedingExtraData.remove(packet.pointee.stream_index) != nil, p.pointee.extradata_size > 0,
            let extra = p.pointee.extradata,
            p.pointee.codec_type == AVMEDIA_TYPE_VIDEO || p.pointee.codec_type == AVMEDIA_TYPE_AUDIO,
            let side = av_packet_new_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, Int(p.pointee.extradata_size))
        else { return }
        side.update(from: extra, count: Int(p.pointee.extradata_size))
    }

    /// Makes the decoder cut the audio to the sample.
    private static func trim(
        _ packet: UnsafeMutablePointer<AVPacket>, before: MediaTime, after: MediaTime, rate: Int
    ) {
        guard before > .zero || after > .zero, rate > 0,
            av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, nil) == nil,
            let side = av_packet_new_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, 10)
        else { return }
        func samples(_ time: MediaTime) -> UInt32 {
            UInt32(clamping: Int((time.seconds * Double(rate)).rounded().bounded(to: 0...1_000_000)))
        }
        side.update(repeating: 0, count: 10)
        for (byteOffset, value) in [(0, samples(before)), (4, samples(after))] {
            for byte in 0..<4 { side[byteOffset + byte] = UInt8(value >> (8 * UInt32(byte)) & 255) }
        }
    }

    /// Returns whether every track that is read has reached the end of the part. Sparse tracks count only if there are
    /// no others.
    private func isOver(_ source: MediaSource) -> Bool {
        guard !ended.isEmpty else { return false }
        let read = source.streams.compactMap { $0 }.filter { $0.pointee.discard.rawValue < AVDISCARD_ALL.rawValue }
        let dense = read.filter {
            let type = $0.pointee.codecpar?.pointee.codec_type
            return (type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO)
                && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        }
        return (dense.isEmpty ? read : dense).allSatisfy { ended.contains($0.pointee.index) }
    }
}
