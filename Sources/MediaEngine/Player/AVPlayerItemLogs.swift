import Foundation
import MediaCore
import Streaming

/// What an item has cost the network so far: Apple's `AVPlayerItemAccessLog`. A value taken at one moment.
public struct AVPlayerItemAccessLog: Sendable {
    /// One for each stretch played from one rung (HLS), oldest first, at most 200; for a remote file one in all.
    public let events: [AVPlayerItemAccessLogEvent]
}

/// Apple's `AVPlayerItemAccessLogEvent`. Numbers that are not known are negative, as there.
public struct AVPlayerItemAccessLogEvent: Sendable {
    /// The media playlist, or the file.
    public let uri: String?
    /// The host that was asked, as its URL names it; no IP address, unlike Apple's.
    public let serverAddress: String?
    /// When this stretch began, by the machine's clock; nil for a file.
    public let playbackStartDate: Date?
    /// `VOD`, `LIVE` or `FILE`.
    public let playbackType: String?
    /// Bit/s as the playlist tells: the peak, and the mean.
    public let indicatedBitrate: Double
    /// Bit/s as the playlist tells, the mean (`AVERAGE-BANDWIDTH`).
    public let indicatedAverageBitrate: Double
    /// Bit/s the network was seen to carry.
    public let observedBitrate: Double
    /// Requests for media, not those for playlists and keys.
    public let numberOfMediaRequests: Int
    /// Of media, as they came over the network.
    public let numberOfBytesTransferred: Int64
    /// Seconds spent receiving.
    public let transferDuration: TimeInterval
    /// Seconds of media received.
    public let segmentsDownloadedDuration: TimeInterval
    /// Segments that took longer to come than they last.
    public let downloadOverdue: Int
    /// Times playing stopped for want of data, of the whole item; told in its newest event, 0 in the others.
    public let numberOfStalls: Int
    /// Pictures that came too late to be shown, of the whole item; told in its newest event, 0 in the others.
    public let numberOfDroppedVideoFrames: Int
    /// Pixels of the rung's pictures, ours; nil if the playlist does not say.
    public let resolution: CGSize?
    /// Why this rung was taken, ours: `startup`, `throughput`, `buffer`, `limit`, `panic`, `abandoned`.
    public let switchReason: String?
}

/// What went wrong on the network, mended or not, that a file is cut off, and tracks that cannot be decoded: Apple's
/// `AVPlayerItemErrorLog`.
public struct AVPlayerItemErrorLog: Sendable {
    /// Oldest first, at most 200.
    public let events: [AVPlayerItemErrorLogEvent]
}

/// Something that went wrong, mended or not: Apple's `AVPlayerItemErrorLogEvent`. A value.
public struct AVPlayerItemErrorLogEvent: Sendable {
    /// When it went wrong, by the machine's clock; nil for a file.
    public let date: Date?
    /// The address that it was about.
    public let uri: String?
    /// The host that was asked, as its URL names it; nil where that names none.
    public let serverAddress: String?
    /// The HTTP status; 0 when no server answered.
    public let errorStatusCode: Int
    /// `ZoetropeStreaming` of what failed on the network, `Zoetrope` of what the file or the stream itself lacks: it is
    /// cut off, a segment is missing and passed over, a playlist contradicts the specification.
    public let errorDomain: String
    /// What went wrong, a sentence.
    public let errorComment: String?

    package static let networkDomain = "ZoetropeStreaming"
    package static let contentDomain = "Zoetrope"
}

extension AVPlayerItem {
    /// Nil for a local file, and before anything was asked for.
    public func accessLog() -> AVPlayerItemAccessLog? {
        let played = player?.current === self ? player?.statistics : nil
        let stalls = stallCount
        if let session = entry.session {
            let log = session.currentLog
            let isLive = session.buffer.end == nil
            guard !log.accesses.isEmpty else { return nil }
            let last = log.accesses.count - 1
            return AVPlayerItemAccessLog(
                events: log.accesses.enumerated().map { index, access in
                    AVPlayerItemAccessLogEvent(
                        uri: access.url.absoluteString, serverAddress: access.url.host(),
                        playbackStartDate: access.began,
                        playbackType: isLive ? "LIVE" : "VOD", indicatedBitrate: access.indicatedBitRate,
                        indicatedAverageBitrate: access.averageBitRate ?? -1, observedBitrate: access.observedBitRate,
                        numberOfMediaRequests: access.requests, numberOfBytesTransferred: access.bytes,
                        transferDuration: access.transferDuration, segmentsDownloadedDuration: access.mediaDuration,
                        downloadOverdue: access.overdue, numberOfStalls: index == last ? stalls : 0,
                        numberOfDroppedVideoFrames: index == last ? played?.framesDropped ?? -1 : 0,
                        resolution: access.resolution.map { CGSize(width: $0.width, height: $0.height) },
                        switchReason: access.reason)
                })
        }
        guard let log = entry.remoteFile?.transferLog, log.requests > 0 else { return nil }
        let url = asset.url.withoutCredentials
        return AVPlayerItemAccessLog(events: [
            AVPlayerItemAccessLogEvent(
                uri: url.absoluteString, serverAddress: url.host(), playbackStartDate: nil, playbackType: "FILE",
                indicatedBitrate: -1,
                indicatedAverageBitrate: -1, observedBitrate: log.observedBitRate, numberOfMediaRequests: log.requests,
                numberOfBytesTransferred: log.bytes, transferDuration: Double(log.receiving) / 1e9,
                segmentsDownloadedDuration: -1,
                downloadOverdue: -1, numberOfStalls: stalls, numberOfDroppedVideoFrames: played?.framesDropped ?? -1,
                resolution: nil, switchReason: nil)
        ])
    }

    /// Nil while nothing went wrong.
    public func errorLog() -> AVPlayerItemErrorLog? {
        var events: [AVPlayerItemErrorLogEvent] = []
        if let session = entry.session {
            events = session.currentLog.failures.map {
                AVPlayerItemErrorLogEvent(
                    date: $0.date, uri: $0.url.absoluteString, serverAddress: $0.url.host(),
                    errorStatusCode: $0.status ?? 0,
                    errorDomain: $0.isOfContent
                        ? AVPlayerItemErrorLogEvent.contentDomain : AVPlayerItemErrorLogEvent.networkDomain,
                    errorComment: $0.comment)
            }
        } else if let error = entry.remoteFile?.transferLog.lastError {
            events.append(
                AVPlayerItemErrorLogEvent(
                    date: nil, uri: error.url.absoluteString, serverAddress: error.url.host(),
                    errorStatusCode: error.status ?? 0,
                    errorDomain: AVPlayerItemErrorLogEvent.networkDomain, errorComment: error.reason))
        }
        if let note = entry.remoteFile?.transferLog.note {
            events.append(
                AVPlayerItemErrorLogEvent(
                    date: nil, uri: note.url.absoluteString, serverAddress: note.url.host(), errorStatusCode: 0,
                    errorDomain: AVPlayerItemErrorLogEvent.contentDomain, errorComment: note.reason))
        }
        for error in contentErrors {
            events.append(
                AVPlayerItemErrorLogEvent(
                    date: nil, uri: asset.url.withoutCredentials.absoluteString, serverAddress: asset.url.host(),
                    errorStatusCode: 0, errorDomain: AVPlayerItemErrorLogEvent.contentDomain,
                    errorComment: error.reason))
        }
        return events.isEmpty ? nil : AVPlayerItemErrorLog(events: events)
    }
}
