import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// Functions with which the tests of compositions make times, and read what a composition plays.
enum CompositionRig {
    static func time(_ value: Int64, _ scale: Int32 = 30) -> CMTime { CMTime(value: value, timescale: scale) }
    /// Returns the range from frame `from` up to frame `to`.
    static func frames(_ from: Int64, _ to: Int64, _ scale: Int32 = 30) -> CMTimeRange {
        CMTimeRange(start: time(from, scale), end: time(to, scale))
    }

    static func track(_ name: String, _ type: AVMediaType = .video) throws -> AVAssetTrack {
        try track(TestMedia.url(name), type)
    }
    static func track(_ url: URL, _ type: AVMediaType) throws -> AVAssetTrack {
        try #require(AVURLAsset(url: url).tracks(withMediaType: type).first)
    }

    /// Adds a track that plays `ranges` of `source`, one after the other.
    @discardableResult
    static func add(
        _ ranges: [CMTimeRange], of source: AVAssetTrack, to composition: AVMutableComposition
    ) throws -> AVMutableCompositionTrack {
        let track = try #require(
            composition.addMutableTrack(
                withMediaType: source.mediaType, preferredTrackID: kCMPersistentTrackID_Invalid))
        for range in ranges { try track.insertTimeRange(range, of: source, at: .invalid) }
        return track
    }

    static func reader(
        _ composition: AVComposition, volumes: SharedTrackVolumes = SharedTrackVolumes()
    ) throws -> OfflineReader {
        let asset = composition.atURL
        return try OfflineReader(
            url: asset.mediaURL, options: asset.httpOptions, volumes: volumes, interrupt: InterruptToken())
    }

    struct Shown {
        let number: Int
        let time: Double
        let frame: VideoFrame
    }
    /// Returns all frames of the composition with their times.
    static func shown(_ composition: AVComposition, from start: MediaTime? = nil) throws -> [Shown] {
        let reader = try reader(composition)
        if let start { try reader.seek(to: start) }
        var all: [Shown] = []
        while true {
            switch try reader.read() {
            case .picture(let frame):
                all.append(
                    Shown(number: Rig.number(frame), time: frame.presentationTime.seconds, frame: frame))
            case .end: return all
            case .sound, .soundPacket: continue
            }
        }
    }

    /// Returns the samples of the first channel, from the first one of the composition on.
    static func samples(
        _ composition: AVComposition, rate: Int = 48_000, channels: Int = 2, mix: AVAudioMix? = nil
    ) throws -> [Float] {
        let reader = try reader(composition, volumes: SharedTrackVolumes(mix?.volumes ?? TrackVolumes()))
        try reader.decodeSound(
            as: AudioFormat(sampleRate: rate, channelMask: channels == 1 ? 4 : AudioFormat.stereo))
        reader.skipsPictures = true
        var all: [Float] = []
        while true {
            switch try reader.read() {
            case .sound(let chunk, _): all += stride(from: 0, to: chunk.count, by: channels).map { chunk[$0] }
            case .end: return all
            case .picture, .soundPacket: continue
            }
        }
    }
}
