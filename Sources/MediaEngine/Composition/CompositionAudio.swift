import CFFmpeg
import MediaCore

/// The audio of a composition: decodes all enabled audio tracks and mixes them into packets of 32-bit floating-point
/// samples.
final class CompositionAudio {
    /// The mix, with the index of the first track that is mixed.
    let track: AudioTrackDescription
    private let lanes: [CompositionLane]
    private let format: AudioFormat
    /// The audio mix, which can change at any time.
    private let volumes: SharedTrackVolumes
    /// The number of frames up to the end of the last track.
    private let length: Int64
    /// The position of the next frame.
    private var position: Int64 = 0
    private var mixed: [Float] = []

    /// The number of frames in a packet.
    private static let packetLength = 1024

    init(
        _ plan: CompositionPlan, _ volumes: SharedTrackVolumes, interrupt: InterruptToken, _ watch: CompositionBuffer?
    ) throws(AVError) {
        format = plan.format
        self.volumes = volumes
        lanes = plan.audio.enumerated().map {
            CompositionLane($1, index: $0, plan.format, interrupt: interrupt, watch)
        }
        let end = plan.audio.compactMap { $0.pieces.last?.target.upperBound }.max() ?? .zero
        length = end.samples(at: plan.format.sampleRate)
        track = try CompositionAudio.track(plan.format, plan.audio.first?.streamIndex ?? 0)
    }

    private static func track(_ format: AudioFormat, _ streamIndex: Int) throws(AVError) -> AudioTrackDescription {
        guard let parameters = Owned<AVCodecParameters>(avcodec_parameters_alloc()) else { throw noMemory }
        let p = parameters.raw
        p.pointee.codec_type = AVMEDIA_TYPE_AUDIO
        p.pointee.codec_id = AV_CODEC_ID_PCM_F32LE
        p.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
        p.pointee.sample_rate = Int32(format.sampleRate)
        p.pointee.bits_per_coded_sample = 32
        p.pointee.block_align = Int32(format.channelCount * 4)
        av_channel_layout_from_mask(&p.pointee.ch_layout, format.channelMask)
        guard let copy = CodecParameters(copying: p) else { throw noMemory }
        return AudioTrackDescription(
            streamIndex: streamIndex, parameters: copy, timeBase: CompositionReader.nanoseconds,
            sampleRate: format.sampleRate, channelMask: format.channelMask, hasExactTimes: true, tagged: nil)
    }

    private static var noMemory: AVError {
        AVError(.unknown, at: CompositionPlan.location, reason: "there is not enough memory")
    }

    /// The media time up to which packets were returned.
    var reach: MediaTime { MediaTime(samples: position, rate: format.sampleRate) }
    /// The end of the audio that was returned since the last seek; nil before the first packet.
    private(set) var end: MediaTime?
    var isEnded: Bool { position >= length }
    /// The error for a source that ends early.
    var shortfall: AVError? { lanes.lazy.compactMap(\.shortfall).first }

    /// Moves to the frame at `time`. Opens no files.
    func seek(to time: MediaTime) {
        position = min(max(0, time.samples(at: format.sampleRate)), length)
        end = nil
        for lane in lanes { lane.restart() }
    }

    /// Returns the next packet. Blocks.
    ///
    /// - Throws: The reason why a file cannot be opened or read. The next call tries again at the same position.
    func next() throws(AVError) -> MediaPacket {
        let count = Int(min(Int64(CompositionAudio.packetLength), length - position))
        let channels = format.channelCount
        mixed.removeAll(keepingCapacity: true)
        mixed.append(contentsOf: repeatElement(0, count: count * channels))
        let volumes = volumes.value
        do throws(AVError) {
            for lane in lanes { try lane.mix(into: &mixed, at: position, count, volumes) }
        } catch {
            // Some tracks have read their samples, which the next attempt needs again.
            for lane in lanes { lane.restart() }
            throw error
        }
        guard let packet = Owned<AVPacket>(av_packet_alloc()),
            av_new_packet(packet.raw, Int32(count * channels * 4)) >= 0, let data = packet.raw.pointee.data
        else { throw CompositionAudio.noMemory }
        // The codec is little-endian, like all processors that Swift supports on Linux.
        mixed.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress {
                UnsafeMutableRawPointer(data).copyMemory(from: base, byteCount: bytes.count)
            }
        }
        let pts = reach
        position += Int64(count)
        packet.raw.pointee.pts = pts.nanoseconds
        packet.raw.pointee.dts = pts.nanoseconds
        packet.raw.pointee.duration = (reach - pts).nanoseconds
        packet.raw.pointee.flags |= AV_PKT_FLAG_KEY
        end = reach
        return MediaPacket(taking: packet, pts: pts, end: reach)
    }
}

/// One audio track of a composition, whose samples are added to the mix.
private final class CompositionLane {
    private let lane: CompositionPlan.Lane
    private let index: Int
    private let format: AudioFormat
    private let interrupt: InterruptToken
    private let watch: CompositionBuffer?
    /// The gain of the audio mix.
    private var gain = MixGain()
    /// The samples that were read last.
    private var samples: PieceSamples?
    /// The index of the piece that was mixed last; nil after a restart.
    private var number: Int?
    private(set) var shortfall: AVError?

    init(
        _ lane: CompositionPlan.Lane, index: Int, _ format: AudioFormat, interrupt: InterruptToken,
        _ watch: CompositionBuffer?
    ) {
        self.lane = lane
        self.index = index
        self.format = format
        self.interrupt = interrupt
        self.watch = watch
    }

    /// Makes the next call of `mix` find its position again. The file stays open for that.
    func restart() {
        number = nil
        gain.restart()
    }

    private func close() {
        samples = nil
        watch?.setAudio(nil, lane: index)
    }

    /// Adds the samples of `count` frames from `start` on, multiplied by the volumes of the track.
    func mix(into mixed: inout [Float], at start: Int64, _ count: Int, _ volumes: TrackVolumes) throws(AVError) {
        let rate = format.sampleRate
        let gains = gain.gains(volumes.ramps(of: lane.trackID), from: start, count, rate: rate)
        var at = start
        let stop = start + Int64(count)
        while at < stop {
            // Positions only increase until the next restart.
            let rest = lane.pieces[(number ?? 0)...]
            guard let number = rest.firstIndex(where: { $0.target.upperBound.samples(at: rate) > at }) else {
                return close()
            }
            let piece = lane.pieces[number]
            let first = piece.target.lowerBound.samples(at: rate)
            at = max(at, first)
            guard at < stop else { return }
            let part = Int(min(stop, piece.target.upperBound.samples(at: rate)) - at)
            guard part > 0 else { continue }
            guard piece.isAudible else {
                self.number = number
                // A stretcher would count all samples of a fast piece, and make minutes of silence from one packet of a
                // very slow piece.
                at += Int64(part)
                continue
            }
            let reader = try reader(of: piece, number, at: at - first)
            let channels = format.channelCount
            let offset = Int(at - start)
            let volume = lane.volume
            try reader.read(part) { values, frames, done in
                let first = offset + done
                guard let gains else {
                    for n in 0..<frames * channels { mixed[first * channels + n] += values[n] * volume }
                    return
                }
                for frame in 0..<frames {
                    let gain = gains[first + frame] * volume
                    for channel in 0..<channels {
                        mixed[(first + frame) * channels + channel] += values[frame * channels + channel] * gain
                    }
                }
            }
            shortfall = shortfall ?? reader.shortfall
            watch?.readAudio(to: reader.sourceTime, of: piece, lane: index)
            at += Int64(part)
        }
    }

    /// Returns the samples of `piece` from the frame `offset` on.
    private func reader(of piece: CompositionPiece, _ number: Int, at offset: Int64) throws(AVError) -> PieceSamples {
        if let samples, self.number == number, samples.position == offset { return samples }
        self.number = nil
        guard let source = piece.source else { throw CompositionPlan.emptyError }
        let former = samples
        // After an error, the next attempt opens the file again.
        samples = nil
        watch?.beginOpening()
        defer { watch?.endOpening() }
        let reader = try PieceSamples(piece, source, format, at: offset, reusing: former, interrupt: interrupt)
        watch?.setAudio(reader.buffer, lane: index)
        samples = reader
        self.number = number
        return reader
    }
}
