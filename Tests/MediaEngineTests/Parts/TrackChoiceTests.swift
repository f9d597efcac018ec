import CFFmpeg
import Foundation
import MediaCore
import Streaming
import Testing

@testable import MediaEngine

@Suite("Choice of tracks")
struct TrackChoiceTests {
    private func choice(_ trait: AVMediaCharacteristic, _ name: String?) -> AVMediaSelection {
        .named([trait: name], in: nil)
    }

    @Test("without a selection, the container's defaults apply")
    func automatic() {
        var choice = TrackChoice()
        #expect(choice.audio == .automatic && choice.streamSubtitles == .automatic)
        #expect(choice.subtitles == .automatic(ranked: []))
        choice.rankedSubtitleLanguages = ["de"]
        #expect(choice.subtitles == .automatic(ranked: ["de"]) && choice.streamSubtitles == .automatic)
    }

    @Test("preferred languages choose where no option is selected")
    func languages() {
        var choice = TrackChoice()
        choice.audioLanguages = ["fr"]
        choice.subtitleLanguages = ["en", "de"]
        choice.rankedSubtitleLanguages = ["it"]
        #expect(choice.audio == .languages(["fr"]) && choice.subtitles == .languages(["en", "de"]))
        #expect(choice.streamSubtitles == .languages(["en", "de"]))
    }

    @Test("selecting no subtitles overrides preferred languages")
    func none() {
        var choice = TrackChoice(selection: choice(.legible, nil))
        choice.subtitleLanguages = ["en"]
        #expect(choice.subtitles == .none && choice.streamSubtitles == StreamSelection.Choice.none)
        #expect(choice.audio == .automatic)
    }

    @Test("captions replace other subtitles")
    func captions() {
        var choice = TrackChoice(selection: choice(.legible, nil))
        choice.showsCaptions = true
        #expect(choice.subtitles == .captions)
    }

    // MARK: descriptions of tracks

    @Test("a codec is named with its four characters, if it has any")
    func codec() {
        var parameters = AVCodecParameters()
        parameters.codec_id = AV_CODEC_ID_H264
        parameters.codec_tag = "avc1".utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        let codec = TrackCodec(parameters)
        #expect(codec.name == "h264" && codec.fourCharCode == "avc1" && codec.hasDecoder)
        parameters.codec_tag = 1
        #expect(TrackCodec(parameters).fourCharCode.isEmpty)
        parameters.codec_id = AV_CODEC_ID_NONE
        #expect(!TrackCodec(parameters).hasDecoder)
    }

    @Test("audio without a layout has a channel count and no name")
    func audio() throws {
        var parameters = AVCodecParameters()
        parameters.codec_type = AVMEDIA_TYPE_AUDIO
        parameters.sample_rate = 48_000
        parameters.ch_layout.nb_channels = 2
        parameters.bits_per_coded_sample = 16
        let audio = try #require(TrackAudio(parameters))
        #expect(audio.channelCount == 2 && audio.channelLayout == nil && audio.bitDepth == 16 && audio.isComplete)
        av_channel_layout_default(&parameters.ch_layout, 6)
        #expect(TrackAudio(parameters)?.channelLayout == "5.1")
        parameters.sample_rate = 0
        #expect(TrackAudio(parameters)?.isComplete == false)
        parameters.codec_type = AVMEDIA_TYPE_VIDEO
        #expect(TrackAudio(parameters) == nil)
    }
}
