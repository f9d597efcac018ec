import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// A writer that adds one part after the other to the joined file. Frames are copied; audio is copied or encoded.
final class JoinWriter {
    private let set: PartSet
    private let file: OutputFile
    private let videoStream: UnsafeMutablePointer<AVStream>?
    private let audioStream: UnsafeMutablePointer<AVStream>?
    /// The encoder of the audio. Nil if the audio is copied.
    private let audioEncoder: AudioEncoder?
    private let order: DecodeOrder
    private var part: Reading?
    /// The number of samples passed to the encoder.
    private var samples: Int64 = 0
    private(set) var pictures = 0
    /// The end of the last frame, in seconds.
    private(set) var seconds = 0.0

    /// The part that is currently read.
    private struct Reading {
        let file: PartFile
        let video: Int32?
        let audio: Int32?
        /// The value added to the frames' timestamps, in ticks of the part's stream. Nil before the first packet.
        var shift: Int64?
        var frameCount = 0
    }

    /// Creates the joined file and writes its header.
    init(_ set: PartSet, path: FilePath, target: String) throws(AVError) {
        self.set = set
        file = try OutputFile(set.type, path: path, target: target)
        order = DecodeOrder(delay: set.video?.delay ?? 0)
        // All parts have equal streams, but a part without frames or audio lacks a stream.
        let sources = try JoinWriter.sourceParts(set)
        if let source = sources.video?.pictures, let video = set.video {
            let stream = try file.addStream()
            avcodec_parameters_copy(stream.pointee.codecpar, source.pointee.codecpar)
            stream.pointee.codecpar.pointee.codec_tag = 0
            stream.pointee.time_base = video.timeBase.value
            stream.pointee.avg_frame_rate = video.frameRate.value
            stream.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            stream.pointee.disposition = AV_DISPOSITION_DEFAULT
            // Matroska marks alpha with a metadata text.
            if let alpha = av_dict_get(source.pointee.metadata, "alpha_mode", nil, 0)?.pointee.value {
                av_dict_set(&stream.pointee.metadata, "alpha_mode", alpha, 0)
            }
            videoStream = stream
        } else {
            videoStream = nil
        }
        if let record = set.record.sound {
            let stream = try file.addStream()
            if let name = record.encoder {
                let encoder = try AudioEncoder(
                    name, format: AudioFormat(sampleRate: record.rate, channelMask: record.channelMask),
                    quality: ExportPreset.Quality(rawValue: set.record.quality) ?? .high,
                    isGlobal: file.wantsGlobalHeader, location: target)
                avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context)
                audioEncoder = encoder
            } else {
                audioEncoder = nil
                if let source = sources.audio?.sound {
                    avcodec_parameters_copy(stream.pointee.codecpar, source.pointee.codecpar)
                    stream.pointee.codecpar.pointee.codec_tag = 0
                    stream.pointee.codecpar.pointee.initial_padding = max(0, record.padding ?? 0)
                }
            }
            stream.pointee.time_base = AVRational(num: 1, den: Int32(record.rate))
            stream.pointee.disposition = AV_DISPOSITION_DEFAULT
            if let language = set.record.details.language {
                av_dict_set(&stream.pointee.metadata, "language", language, 0)
            }
            audioStream = stream
        } else {
            audioStream = nil
            audioEncoder = nil
        }
        if set.type.isMovieFamily {
            if set.record.optimizesForNetwork { file.setOption("movflags", "+faststart") }
            if let video = set.video {
                file.setMovieScale(
                    pictures: video.timeBase.value, samples: set.record.sound.map { Int32(clamping: $0.rate) })
            }
        }
        try file.begin(set.record.details.tracks)
    }

    /// Returns the first part that has frames, and the first part that has audio.
    private static func sourceParts(_ set: PartSet) throws(AVError) -> (video: PartFile?, audio: PartFile?) {
        var found: (video: PartFile?, audio: PartFile?)
        for url in set.files {
            if found.video != nil || set.video == nil, found.audio != nil || set.record.sound == nil { break }
            let file = try PartFile(url)
            if found.video == nil, file.pictures != nil { found.video = file }
            if found.audio == nil, file.sound != nil { found.audio = file }
        }
        return found
    }

    func begin(_ file: PartFile) throws(AVError) {
        part = Reading(file: file, video: file.pictures?.pointee.index, audio: file.sound?.pointee.index)
    }

    func take(_ packet: UnsafeMutablePointer<AVPacket>) throws(AVError) {
        if packet.pointee.stream_index == part?.video {
            try takeFrame(packet)
        } else if packet.pointee.stream_index == part?.audio {
            try takeAudio(packet)
        }
    }

    /// Ends the current part.
    /// - Throws: `.fileTruncated` if the part has fewer frames than its header declares.
    func endPart() throws(AVError) {
        guard let part, let stream = part.file.pictures else { return }
        guard stream.pointee.nb_frames <= 0 || stream.pointee.nb_frames == Int64(part.frameCount) else {
            throw AVError(
                .fileTruncated, at: part.file.location,
                reason: "it holds \(part.frameCount) of \(stream.pointee.nb_frames) frames",
                suggestion: "Copy it again, or render it again")
        }
    }

    func finish() throws(AVError) {
        try audioEncoder?.finish(deliver: writeAudio)
        try order.finish(deliver: writeFrame)
        try file.finish()
    }

    // MARK: Frames

    private func ticks(_ stamp: Int64, _ base: AVRational, in other: AVRational) -> Int64 {
        MediaTime(stamp: stamp, base: base)?.stamp(in: other) ?? 0
    }

    private func takeFrame(_ packet: UnsafeMutablePointer<AVPacket>) throws(AVError) {
        guard let reading = part, let stream = reading.file.pictures, let video = reading.file.record.video,
            packet.pointee.pts != zt_nopts()
        else { return }
        let base = stream.pointee.time_base
        // The timestamps of a part begin at zero in QuickTime. In Matroska, they are those of the whole export.
        let shift =
            reading.shift
            ?? (set.type.isMovieFamily
                ? ticks(video.first, video.timeBase.value, in: base).subtractingSaturating(packet.pointee.pts)
                : -PartRecord.lead)
        part?.shift = shift
        part?.frameCount += 1
        pictures += 1
        packet.pointee.pts = packet.pointee.pts.addingSaturating(shift)
        // QuickTime stores the distances between packets in decoding order, not the durations of the frames.
        if let last = video.last, let end = video.end {
            let start = ticks(packet.pointee.pts, base, in: video.timeBase.value)
            let length = ticks((start < last ? last : end).subtractingSaturating(start), video.timeBase.value, in: base)
            packet.pointee.duration = start < last ? min(packet.pointee.duration, length) : max(0, length)
        }
        let end = packet.pointee.pts.addingSaturating(max(0, packet.pointee.duration))
        seconds = max(seconds, Double(end) * av_q2d(base))
        let target = videoStream?.pointee.time_base ?? base
        av_packet_rescale_ts(packet, base, target)
        packet.pointee.stream_index = videoStream?.pointee.index ?? 0
        try order.take(packet, deliver: writeFrame)
    }

    private func writeFrame(_ packet: UnsafeMutablePointer<AVPacket>) throws(AVError) { try file.write(packet) }

    // MARK: Audio

    private func takeAudio(_ packet: UnsafeMutablePointer<AVPacket>) throws(AVError) {
        guard let reading = part, let stream = reading.file.sound, let record = reading.file.record.sound else {
            return
        }
        guard let audioEncoder else { return try copyAudio(packet, stream.pointee.time_base, record) }
        let channels = AudioFormat(sampleRate: record.rate, channelMask: record.channelMask).channelCount
        guard stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_PCM_F32LE else { return }
        // If the samples of a part end early, silence fills the time until the next part.
        if samples < record.begin { try silence(upTo: record.begin, channels) }
        guard let data = packet.pointee.data, packet.pointee.size > 0 else { return }
        let chunk = UnsafeRawBufferPointer(start: data, count: Int(packet.pointee.size))
        let count = chunk.count / 4
        let values = [Float](unsafeUninitializedCapacity: count) { buffer, done in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: chunk[..<(count * 4)]))
            done = count
        }
        samples += Int64(count / max(1, channels))
        try audioEncoder.encode(values, deliver: writeAudio)
    }

    private func silence(upTo end: Int64, _ channels: Int) throws(AVError) {
        while samples < end, let record = set.record.sound {
            let count = min(end - samples, Int64(record.rate))
            samples += count
            try audioEncoder?.encode([Float](repeating: 0, count: Int(count) * channels), deliver: writeAudio)
        }
    }

    private func copyAudio(_ packet: UnsafeMutablePointer<AVPacket>, _ base: AVRational, _ record: PartRecord.Sound)
        throws(AVError)
    {
        if !set.type.isMovieFamily { packet.pointee.pts = packet.pointee.pts.subtractingSaturating(PartRecord.lead) }
        av_packet_rescale_ts(packet, base, AVRational(num: 1, den: Int32(clamping: record.rate)))
        packet.pointee.pts = packet.pointee.pts.addingSaturating(record.first ?? 0)
        packet.pointee.dts = packet.pointee.pts
        try writeAudio(packet)
    }

    /// Writes an audio packet whose timestamps count samples.
    private func writeAudio(_ packet: UnsafeMutablePointer<AVPacket>) throws(AVError) {
        guard let audioStream, let record = set.record.sound else { return }
        av_packet_rescale_ts(
            packet, AVRational(num: 1, den: Int32(clamping: record.rate)), audioStream.pointee.time_base)
        packet.pointee.stream_index = audioStream.pointee.index
        try file.write(packet)
    }
}
