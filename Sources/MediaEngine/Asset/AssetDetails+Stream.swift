import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// The details of an HLS stream that files do not have.
package struct StreamDetails: Sendable {
    /// The selectable options.
    package let presentation: HLSPresentation
    package let variants: [AVAssetVariant]
    /// Whether the stream is live, so that its end is unknown.
    package let isLive: Bool
    /// The range to which a player can seek, in seconds; for a live stream, its window.
    package let seekable: Range<Double>?
    /// The encryption `METHOD` of the segments, as in the playlist; nil if they are not encrypted.
    package let encryption: String?
    /// The number of I-frame playlists of the stream.
    package var iFrameStreams: Int { presentation.multivariant?.iFrameVariants.count ?? 0 }
}

extension AssetDetails {
    /// The tracks, or an error if they are unknown.
    var knownTracks: [AVAssetTrack] {
        get throws(AVError) {
            if let tracksProblem { throw tracksProblem }
            return tracks
        }
    }

    /// Loads the playlists, and as much of the first segments as is needed to find their tracks. Blocks the calling
    /// thread.
    ///
    /// Also returns details of a valid stream that this player cannot play because of a key system or a missing
    /// decoder.
    static func readStream(_ url: URL, options: HTTPOptions, interrupt: InterruptToken) throws(AVError) -> AssetDetails
    {
        var settings = HLSReader.settings(options)
        settings.loadsOnDemand = true
        let session = HLSSession(url: url, settings: settings)
        let isInterrupted: @Sendable () -> Bool = { interrupt.isInterrupted || interrupt.isOverTime }
        session.setInterrupt(isInterrupted)
        interrupt.addWaker(session) { [weak session] in session?.wake() }
        defer {
            interrupt.removeWaker(session)
            session.close()
        }
        do throws(AVError) {
            do throws(AVError) {
                let opened = try session.open(StreamSelection())
                guard let presentation = session.currentPresentation else {
                    throw AVError(.unknown, at: session.location, reason: "the stream returned no metadata")
                }
                let duration = opened.duration.map { CMTime(nanoseconds: $0) } ?? .indefinite
                let data = try sessionData(presentation, settings, isInterrupted)
                let tracks: [AVAssetTrack]
                let problem: AVError?
                do throws(AVError) {
                    (tracks, problem) = (try self.tracks(session, opened, presentation, duration), nil)
                } catch {
                    guard error.code == .unsupportedKeySystem else { throw error }
                    (tracks, problem) = ([], error)
                }
                return AssetDetails(
                    details(session, presentation, opened.encryption), duration: duration, tracks: tracks,
                    metadata: data, problem: problem, location: session.location)
            } catch {
                guard error.code == .decoderNotFound else { throw error }
                // No variant can be opened, so only the playlist's contents are returned.
                var settings = settings
                settings.canDecode = { _ in true }
                let presentation = try PresentationLoader.load(url, settings: settings, isInterrupted: isInterrupted)
                return AssetDetails(
                    details(session, presentation, nil), duration: .indefinite, tracks: [],
                    metadata: try sessionData(presentation, settings, isInterrupted), problem: error,
                    location: session.location)
            }
        } catch {
            if error.code == .cancelled, interrupt.isOverTime, !interrupt.isInterrupted {
                throw AVError(
                    .timedOut, at: session.location, reason: "no data arrived in time",
                    suggestion: "Check the network connection, or increase the timeout")
            }
            throw error
        }
    }

    private static func details(_ session: HLSSession, _ presentation: HLSPresentation, _ encryption: String?)
        -> StreamDetails
    {
        let buffer = session.buffer
        return StreamDetails(
            presentation: presentation, variants: presentation.multivariant.map(AVAssetVariant.all) ?? [],
            isLive: buffer.seekable != nil && buffer.end == nil,
            seekable: buffer.seekable.map { Double($0.lowerBound) / 1e9..<Double($0.upperBound) / 1e9 },
            encryption: encryption)
    }

    // MARK: Tracks

    private static func tracks(
        _ session: HLSSession, _ opened: HLSSession.Opened, _ presentation: HLSPresentation, _ duration: CMTime
    ) throws(AVError) -> [AVAssetTrack] {
        var main = try container(session, session.mainFeed)
        while let error = HLSReader.undecodableVideo(of: main, at: session.location),
            session.excludeUndecodable(main.first, error)
        {
            main = try container(session, session.mainFeed)
        }
        var separateAudio: SegmentDemuxer?
        if opened.hasSeparateAudio {
            do throws(AVError) { separateAudio = try container(session, session.audioFeed) } catch {
                // If the separate audio cannot be opened, the audio in the main rendition is used, as in a player.
                guard error.code != .cancelled,
                    main.streams.contains(where: { $0?.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO })
                else { throw error }
            }
        }
        let isSplit = separateAudio != nil
        var all = tracks(
            main, isSplit ? [AVMEDIA_TYPE_VIDEO] : [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO], duration,
            .init(firstID: 0, isDefault: true, characteristics: [], frameRate: session.frameRate(of: main.first)))
        if let separateAudio {
            let option =
                presentation.audio.first(where: \.isDefault) ?? presentation.audio.first(where: \.isAutoselect)
                ?? presentation.audio.first
            all += tracks(
                separateAudio, [AVMEDIA_TYPE_AUDIO], duration,
                .init(
                    firstID: Int32(main.streams.count), language: option?.language, name: option?.name, isDefault: true,
                    characteristics: Set((option?.characteristics ?? []).map(AVMediaCharacteristic.init))))
        }
        guard !all.isEmpty else {
            throw AVError(.noPlayableTracks, at: session.location, reason: "the stream contains no audio or video")
        }
        return all
    }

    private static func tracks(
        _ demuxer: SegmentDemuxer, _ kinds: [AVMediaType_C], _ duration: CMTime, _ rendition: AVAssetTrack.Rendition
    ) -> [AVAssetTrack] {
        let trackContainer = AVAssetTrack.Container(
            context: demuxer.context,
            startTime: max(0, MediaTime(stamp: demuxer.context.pointee.start_time, base: MediaSource.clock) ?? 0),
            formatName: demuxer.context.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? "",
            rendition: rendition)
        return demuxer.streams.compactMap { $0 }.filter { kinds.contains($0.pointee.codecpar.pointee.codec_type) }
            .map { AVAssetTrack(stream: $0, in: trackContainer, assetDuration: duration) }
    }

    /// Opens the first readable segment of the feed and returns its container.
    private static func container(_ session: HLSSession, _ feed: SegmentFeed) throws(AVError) -> SegmentDemuxer {
        let location = session.location
        while true {
            switch feed.next() {
            case .segment(let segment):
                do throws(AVError) {
                    if case .demuxer(let demuxer) = try SegmentDemuxer.open(segment, feed: feed) { return demuxer }
                } catch {
                    guard error.code != .cancelled else { throw error }
                    if let unrecoverable = session.segmentIsUnreadable(segment, error) { throw unrecoverable }
                }
            case .end:
                throw AVError(
                    .noPlayableTracks, at: location, reason: "the stream has no segments",
                    suggestion: "Check the URL, or try again later")
            case .jump:
                throw AVError(
                    .noLongerPlayable, at: location,
                    reason: "the live stream removed its segments before they could be read")
            case .failed(let error): throw error
            case .interrupted: throw AVError(.cancelled, at: location, reason: "the operation was cancelled")
            }
        }
    }

    // MARK: Session data

    private static func sessionData(
        _ presentation: HLSPresentation, _ settings: HLSSession.Settings,
        _ isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> [AVMetadataItem] {
        guard let playlist = presentation.multivariant else { return [] }
        var items: [AVMetadataItem] = []
        for datum in playlist.sessionData {
            if let value = datum.value {
                items.append(
                    AVMetadataItem(
                        sessionData: datum.dataID, text: value, data: Data(value.utf8), type: "text/plain",
                        language: datum.language.flatMap { LanguageTag($0)?.description }))
            } else if let url = playlist.url(of: datum), items.count < 32 {
                // Session data that cannot be loaded does not make the stream unusable.
                let bytes: [UInt8]
                do throws(AVError) {
                    bytes = try PresentationLoader.sessionData(
                        at: url, options: settings.options, isInterrupted: isInterrupted)
                } catch {
                    if error.code == .cancelled { throw error }
                    continue
                }
                let isJSON = datum.format == .json
                items.append(
                    AVMetadataItem(
                        sessionData: datum.dataID, text: isJSON ? String(validating: bytes, as: UTF8.self) : nil,
                        data: Data(bytes),
                        type: isJSON ? "application/json" : "application/octet-stream",
                        language: datum.language.flatMap { LanguageTag($0)?.description }))
            }
        }
        return items
    }
}
