import CFFmpeg
import Foundation
import MediaCore
import Testing

@testable import MediaEngine

@Suite("Start of a stream and ends of its tracks")
struct StreamStartTests {
    @Test("only a new stream already loads its start")
    func fresh() {
        var start = StreamStart(at: 5)
        let isNeeded = start.seek(to: 5)
        #expect(!isNeeded)
        start.didRead()
        let isNeededLater = start.seek(to: 5)
        #expect(isNeededLater && start.time == 5)
    }

    @Test("opening can move the start, and a seek forgets the move")
    func moved() {
        var start = StreamStart(at: 5)
        start.move(to: 9)
        start.didOpen()
        #expect(start.time == 9 && start.movedTo == 9)
        let isNeeded = start.seek(to: 3)
        #expect(isNeeded && start.time == 9 && start.movedTo == nil)
    }

    @Test("the end of a track is its latest one")
    func ends() {
        var ends = ReadEnds()
        ends.didReturn(isVideo: true, until: 40)
        ends.didReturn(isVideo: true, until: 20)
        ends.didReturn(isVideo: false, until: -5)
        #expect(ends.video == 40 && ends.audio == -5)
        #expect(ends.end(isVideo: true) == 40 && ends.end(isVideo: false) == -5)
    }
}

@Suite("Audio of an offline reader")
struct OfflineAudioTests {
    private let format = AudioFormat(sampleRate: 48_000, channelMask: AudioFormat.stereo)

    private func track(_ codec: AVCodecID, _ sampleFormat: AVSampleFormat) throws -> AudioTrackDescription {
        guard let owner = Owned<AVCodecParameters>(avcodec_parameters_alloc()) else { throw CancellationError() }
        let raw = owner.raw
        raw.pointee.codec_type = AVMEDIA_TYPE_AUDIO
        raw.pointee.codec_id = codec
        raw.pointee.format = sampleFormat.rawValue
        raw.pointee.sample_rate = 48_000
        av_channel_layout_default(&raw.pointee.ch_layout, 2)
        guard let parameters = CodecParameters(copying: raw) else { throw CancellationError() }
        return AudioTrackDescription(
            streamIndex: 0, parameters: parameters, timeBase: AVRational(num: 1, den: 48_000), sampleRate: 48_000,
            channelMask: AudioFormat.stereo, hasExactTimes: true)
    }
    private func floats() throws -> AudioTrackDescription { try track(AV_CODEC_ID_PCM_F32LE, AV_SAMPLE_FMT_FLT) }
    private func integers() throws -> AudioTrackDescription { try track(AV_CODEC_ID_PCM_S16LE, AV_SAMPLE_FMT_S16) }

    private func packet<Sample>(_ samples: [Sample], at frame: Int64 = 0) throws -> MediaPacket {
        let size = samples.count * MemoryLayout<Sample>.stride
        guard let owner = Owned<AVPacket>(av_packet_alloc()), av_new_packet(owner.raw, Int32(size)) >= 0,
            let data = owner.raw.pointee.data
        else { throw CancellationError() }
        samples.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: data, count: size).copyBytes(from: $0) }
        owner.raw.pointee.pts = frame
        return MediaPacket(taking: owner, pts: 0, end: 0)
    }

    @Test("samples are decoded only if they are requested")
    func modes() throws {
        var audio = OfflineAudio(location: "audio", startOffset: 10_000_000)
        let packet = try packet([0.25, -0.25, 0.5, -0.5] as [Float], at: 960)
        var all: [Float] = []
        var times: [MediaTime?] = []
        for mode in 0..<3 {
            if mode == 1 { audio.returnPackets() }
            if mode == 2 { try audio.returnSamples(of: floats(), as: format) }
            #expect(audio.returnsPackets == (mode == 1))
            audio.decode(packet) { samples, time in
                all += samples
                times.append(time)
            }
            #expect(all.isEmpty == (mode < 2))
        }
        #expect(all == [0.25, -0.25, 0.5, -0.5] && times == [10_000_000])
    }

    @Test("another coding gets another decoder")
    func change() throws {
        var audio = OfflineAudio(location: "audio", startOffset: 0)
        try audio.returnSamples(of: floats(), as: format)
        var all: [Float] = []
        try audio.change(to: integers()) { samples, _ in all += samples }
        audio.decode(try packet([16_384, -16_384] as [Int16])) { samples, _ in all += samples }
        #expect(all == [0.5, -0.5])
    }

    @Test("damaged audio is an error unless something was decoded before")
    func damaged() throws {
        let (intact, damaged) = (try packet([0, 0] as [Float]), try packet([1] as [UInt8]))
        var audio = OfflineAudio(location: "audio", startOffset: 0)
        try audio.returnSamples(of: floats(), as: format)
        audio.decode(damaged) { _, _ in }
        let error = #expect(throws: AVError.self) { try audio.requireDecoded() }
        #expect(error?.code == .decodeFailed)
        audio.decode(intact) { _, _ in }
        try audio.requireDecoded()
        try audio.change(to: integers()) { _, _ in }
        audio.decode(damaged) { _, _ in }
        try audio.requireDecoded()
    }
}

@Suite("Subtitles that are read with audio and video")
struct InlineSubtitlesTests {
    @Test("the selected track is read, and no other")
    func selection() throws {
        guard let container = Owned<AVFormatContext>(avformat_alloc_context()) else { throw CancellationError() }
        for _ in 0..<2 {
            guard let stream = avformat_new_stream(container.raw, nil) else { throw CancellationError() }
            stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
            stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_SUBRIP
            stream.pointee.discard = AVDISCARD_ALL
        }
        let streams: UnsafeBufferPointer<UnsafeMutablePointer<AVStream>?> = UnsafeBufferPointer(
            start: container.raw.pointee.streams, count: 2)
        guard let packet = Owned<AVPacket>(av_packet_alloc()) else { throw CancellationError() }

        let item = ItemSubtitles(url: URL(string: "http://localhost/film.mkv") ?? URL(fileURLWithPath: "/"))
        var description = ItemDescription()
        description.legible = [LegibleTrack(streamIndex: 0), LegibleTrack(streamIndex: 1)]
        item.opened(description)
        var subtitles = InlineSubtitles()
        var headers = 0
        for selected in [0, 1] {
            item.choose(.stream(selected))
            subtitles.item = item
            for _ in 0..<2 {
                subtitles.follow(streams, startOffset: 0) {
                    headers += 1
                    return SubtitleHeader()
                }
            }
            #expect(headers == selected + 1)
            for index in 0..<2 {
                let isRead = streams[index]?.pointee.discard == AVDISCARD_DEFAULT
                packet.raw.pointee.stream_index = Int32(index)
                let isDecoded = subtitles.decode(packet.raw)
                #expect(isRead == (index == selected) && isDecoded == isRead)
            }
        }
    }
}
