import Foundation
import MediaCore
import Streaming

/// A snapshot of an item's network use. The equivalent of AVFoundation's `AVPlayerItemAccessLog`.
public struct AVPlayerItemAccessLog: Sendable {
    /// The events, oldest first, at most 200. A stream has one for each period in which one variant plays; a remote
    /// file has one.
    public let events: [AVPlayerItemAccessLogEvent]
}

/// An event in the access log. The equivalent of AVFoundation's `AVPlayerItemAccessLogEvent`. Unknown numbers are
/// negative.
public struct AVPlayerItemAccessLogEvent: Sendable {
    /// The URL of the media playlist or the file, without user name and password.
    public let uri: String?
    /// The host in the URL. Unlike in AVFoundation, not an IP address.
    public let serverAddress: String?
    /// The date at which this period began, by the system clock; nil for a file.
    public let playbackStartDate: Date?
    /// The type of playback: `VOD`, `LIVE` or `FILE`.
    public let playbackType: String?
    /// The peak bit rate that the playlist gives (`BANDWIDTH`), in bit/s.
    public let indicatedBitrate: Double
    /// The average bit rate that the playlist gives (`AVERAGE-BANDWIDTH`), in bit/s.
    public let indicatedAverageBitrate: Double
    /// The measured throughput of the network, in bit/s.
    public let observedBitrate: Double
    /// The number of media requests, without requests for playlists and keys.
    public let numberOfMediaRequests: Int
    /// The number of media bytes received over the network.
    public let numberOfBytesTransferred: Int64
    /// The time spent receiving data, in seconds.
    public let transferDuration: TimeInterval
    /// The duration of the received media, in seconds.
    public let segmentsDownloadedDuration: TimeInterval
    /// The number of segments whose download took longer than their duration.
    public let downloadOverdue: Int
    /// The number of stalls of the whole item. Reported in the newest event; 0 in the others.
    public let numberOfStalls: Int
    /// The number of frames dropped because they missed their display time, for the whole item. Reported in the newest
    /// event; 0 in the others.
    public let numberOfDroppedVideoFrames: Int
    /// The frame size of the variant, in pixels; nil if the playlist does not give it. Not part of AVFoundation.
    public let resolution: CGSize?
    /// The reason why the variant was chosen: `startup`, `throughput`, `buffer`, `limit`, `panic`, `steady` or
    /// `abandoned`. Nil for a file. Not part of AVFoundation.
    public let switchReason: String?
}

/// A record of an item's problems: network errors, a truncated file, tracks that cannot be decoded, and errors of a
/// video composition. Includes errors from which the player recovered. The equivalent of AVFoundation's
/// `AVPlayerItemErrorLog`.
public struct AVPlayerItemErrorLog: Sendable {
    /// The events. First those of the network and the stream, oldest first, at most 200 for a stream. Then tracks that
    /// cannot be decoded, errors of a video composition, and a truncated file.
    public let events: [AVPlayerItemErrorLogEvent]
}

/// An error, whether the player recovered from it or not. The equivalent of AVFoundation's `AVPlayerItemErrorLogEvent`.
public struct AVPlayerItemErrorLogEvent: Sendable {
    /// The date of the error, by the system clock. Nil for a file, for a track that cannot be decoded, and for an error
    /// of a video composition.
    public let date: Date?
    /// The URL that the error concerns, without user name and password.
    public let uri: String?
    /// The host in the URL; nil if the URL has none.
    public let serverAddress: String?
    /// The HTTP status code; 0 if no server answered, or if the error is not one of a request.
    public let errorStatusCode: Int
    /// The domain of the error. `ZoetropeStreaming` for network errors, `Zoetrope` for errors in the file or stream
    /// itself.
    ///
    /// Errors in the file or stream are: a truncated file, a missing segment that is skipped, a track that cannot be
    /// decoded, an invalid playlist. Errors of a video composition also have this domain.
    public let errorDomain: String
    /// A description of the error, as a sentence.
    public let errorComment: String?

    package static let networkDomain = "ZoetropeStreaming"
    package static let contentDomain = "Zoetrope"
}

/// The newest event of an access log. A log with another newest event has grown.
struct LoggedAccess: Equatable {
    let count: Int
    let began: Date?
}

extension AVPlayerItem {
    /// Returns the item's network use so far; nil for a local file, and before the first request.
    ///
    /// ```swift
    /// if let event = item.accessLog()?.events.last {
    ///     print("\(event.numberOfStalls) stalls, \(Int(event.observedBitrate / 1000)) kbit/s")
    /// }
    /// ```
    public func accessLog() -> AVPlayerItemAccessLog? {
        let dropped = entry.droppedFrameCount
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
                        numberOfDroppedVideoFrames: index == last ? dropped : 0,
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
                downloadOverdue: -1, numberOfStalls: stalls, numberOfDroppedVideoFrames: dropped,
                resolution: nil, switchReason: nil)
        ])
    }

    /// The newest event of the access log; nil without events. Unlike `accessLog()`, creates no events, because this
    /// property is read whenever media arrives.
    var newestAccess: LoggedAccess? {
        if let session = entry.session {
            let accesses = session.currentLog.accesses
            return accesses.last.map { LoggedAccess(count: accesses.count, began: $0.began) }
        }
        guard let log = entry.remoteFile?.transferLog, log.requests > 0 else { return nil }
        return LoggedAccess(count: 1, began: nil)
    }

    /// The number of errors so far, including those that the error log no longer contains. It begins at zero again when
    /// the item's file is opened again. Unlike `errorLog()`, creates no events.
    var errorCount: Int {
        let transfer = entry.remoteFile?.transferLog
        let requests = entry.session?.currentLog.failureCount ?? transfer?.errors ?? 0
        return requests + (transfer?.note == nil ? 0 : 1) + contentErrors.count
    }

    /// Returns the item's errors so far; nil if there are none.
    ///
    /// ```swift
    /// for event in item.errorLog()?.events ?? [] {
    ///     print(event.uri ?? "", event.errorComment ?? "")
    /// }
    /// ```
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
