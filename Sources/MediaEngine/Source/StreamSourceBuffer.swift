import Foundation
import MediaCore
import Streaming

/// The buffer of an HLS session, for one player. After the item has moved to another player, the buffer can no longer
/// remove that player's functions from the session.
final class StreamSourceBuffer: SourceBuffer {
    let session: HLSSession
    init(_ session: HLSSession) { self.session = session }

    func status(playhead: MediaTime) -> BufferStatus {
        let buffer = session.buffer
        let largest = session.currentPresentation?.variants.last { $0.attributes.resolution != nil }?.attributes
            .resolution
        return BufferStatus(
            loaded: buffer.loaded.map(MediaTime.range), seekable: buffer.seekable.map(MediaTime.range),
            expectedSize: largest.map { CGSize(width: $0.width, height: $0.height) } ?? .zero,
            ahead: MediaTime(nanoseconds: buffer.ahead(of: playhead.nanoseconds)), surplus: buffer.surplus,
            isComplete: buffer.isComplete(from: playhead.nanoseconds), isFull: buffer.isFull,
            willFail: buffer.willFail)
    }

    var isWaitedFor: Bool { session.isWaitedFor }
    func setOnChange(_ call: (@Sendable () -> Void)?) { session.setOnChange(call, for: self) }
    func setPlayhead(_ call: (@Sendable () -> MediaTime?)?) {
        guard let call else { return session.setPlayhead(nil, for: self) }
        session.setPlayhead({ call()?.nanoseconds }, for: self)
    }
    func decodingIsTooSlow() { session.decodingIsTooSlow() }
    func setForwardDuration(_ ahead: MediaTime) { session.setForwardDuration(ahead.nanoseconds) }
}

extension MediaTime {
    static func range(_ range: Range<Int64>) -> Range<MediaTime> {
        MediaTime(nanoseconds: range.lowerBound)..<MediaTime(nanoseconds: range.upperBound)
    }
}
