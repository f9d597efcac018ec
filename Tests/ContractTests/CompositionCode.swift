import Zoetrope

// Compositions, as editors for iOS use them.

@MainActor
final class FilmEditor {
    private(set) var problem: (any Error)?

    /// Joins films, and plays music under them.
    func join(_ films: [AVAsset], music: AVAsset) async throws -> AVMutableComposition {
        let composition = AVMutableComposition()
        for film in films {
            let duration = try await film.load(.duration)
            try await composition.insertTimeRange(
                CMTimeRange(start: .zero, duration: duration), of: film, at: composition.duration)
        }
        guard
            let track = composition.addMutableTrack(
                withMediaType: .audio, preferredTrackID: kCMPersistentTrackID_Invalid),
            let source = try await music.loadTracks(withMediaType: .audio).first
        else { return composition }
        try track.insertTimeRange(
            CMTimeRange(start: .zero, duration: composition.duration), of: source, at: CMTime.zero)
        track.preferredVolume = 0.5
        return composition
    }

    /// Cuts one film with the tracks of a composition.
    func cut(_ film: AVAssetTrack, in composition: AVMutableComposition) throws {
        let id: CMPersistentTrackID = film.asset == nil ? kCMPersistentTrackID_Invalid : film.trackID
        let added: AVMutableCompositionTrack? = composition.addMutableTrack(
            withMediaType: .video, preferredTrackID: id)
        guard let track = composition.mutableTrack(compatibleWith: film) ?? added else { return }
        let second = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1))
        try track.insertTimeRanges(
            [NSValue(timeRange: second), NSValue(timeRange: second)], of: [film, film], at: .invalid)
        track.insertEmptyTimeRange(second)
        track.scaleTimeRange(second, toDuration: CMTime(value: 2, timescale: 1))
        track.removeTimeRange(second)
        track.preferredTransform = film.preferredTransform
        track.naturalTimeScale = film.naturalTimeScale
        track.isEnabled = true
        track.languageCode = "deu"
        track.extendedLanguageTag = "de"
        composition.naturalSize = CGSize(width: 1280, height: 720)
        composition.insertEmptyTimeRange(second)
        composition.scaleTimeRange(second, toDuration: second.duration)
        composition.removeTimeRange(second)
        if composition.tracks.count > 8, let last = composition.tracks.last { composition.removeTrack(last) }
    }

    /// Inserts a film without concurrency, with both older forms.
    func insert(_ film: AVAsset, into composition: AVMutableComposition) {
        let range = CMTimeRange(start: .zero, duration: film.duration)
        do {
            try composition.insertTimeRange(range, of: film, at: .invalid)
        } catch {
            problem = error
        }
        composition.insertTimeRange(range, of: film, at: .zero) { error in
            if let error { print(error.localizedDescription) }
        }
    }

    /// Describes the segments of a composition.
    func describe(_ composition: AVComposition) -> [String] {
        composition.tracks.flatMap { (track: AVCompositionTrack) -> [String] in
            track.segments.map { (segment: AVCompositionTrackSegment) -> String in
                let mapping: CMTimeMapping = segment.timeMapping
                let same: AVAssetTrackSegment = segment
                guard !same.isEmpty, let url = segment.sourceURL else { return "empty" }
                return "\(url) \(segment.sourceTrackID) \(mapping.source.start.seconds) \(track.mediaType) "
                    + "\(track.timeRange) \(track.preferredVolume) \(track.isEnabled) \(track.trackID)"
            }
        }
    }

    func play(_ composition: AVMutableComposition) -> AVPlayer? {
        guard let fixed = composition.copy() as? AVComposition,
            let other = fixed.mutableCopy() as? AVMutableComposition, fixed.naturalSize == other.naturalSize,
            other.tracks(withMediaType: .video).first?.trackID == fixed.track(withTrackID: 1)?.trackID
        else { return nil }
        return AVPlayer(playerItem: AVPlayerItem(asset: fixed))
    }

    /// Plays music quietly under a film, and fades it out at the end.
    func mix(_ music: AVAssetTrack, in item: AVPlayerItem, lasting duration: CMTime) -> AVMutableAudioMix {
        let second = CMTime(value: 1, timescale: 1)
        let parameters = AVMutableAudioMixInputParameters(track: music)
        parameters.setVolume(0.3, at: .zero)
        parameters.setVolumeRamp(
            fromStartVolume: 0.3, toEndVolume: 0.0,
            timeRange: CMTimeRange(start: duration - second, duration: second))
        let film = AVMutableAudioMixInputParameters()
        film.trackID = 2
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters, film]
        item.audioMix = mix
        return mix
    }

    /// Returns the volume to which a mix changes at `time`.
    func volume(in mix: AVAudioMix?, at time: CMTime) -> Float? {
        guard let copy = mix?.mutableCopy() as? AVMutableAudioMix, let same = copy.copy() as? AVAudioMix,
            let parameters: AVAudioMixInputParameters = same.inputParameters.first(where: {
                $0.trackID != kCMPersistentTrackID_Invalid
            })
        else { return nil }
        var startVolume: Float = 1
        var endVolume: Float = 1
        var timeRange = CMTimeRange.zero
        let isFound = parameters.getVolumeRamp(
            for: time, startVolume: &startVolume, endVolume: &endVolume, timeRange: &timeRange)
        return isFound && timeRange.containsTime(time) ? endVolume : startVolume
    }

    func export(_ composition: AVComposition, _ mix: AVAudioMix? = nil, to url: URL) async throws {
        _ = try await AVAssetImageGenerator(asset: composition).image(at: .zero)
        guard let session = AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetHighestQuality)
        else { return }
        session.audioMix = mix
        try await session.export(to: url, as: .mp4)
    }
}
