import Foundation
import MediaCore
import Streaming

/// An HLS session's buffer as the pipeline asks it.
final class StreamSourceBuffer: SourceBuffer {
    let session: HLSSession
    init(_ session: HLSSession) { self.session = session }

    func status(playhead: Int64) -> BufferStatus {
        let buffer = session.buffer
        let largest = session.currentPresentation?.sources.last { $0.rung.resolution != nil }?.rung.resolution
        return BufferStatus(
            loaded: buffer.loaded, seekable: buffer.seekable,
            expectedSize: largest.map { CGSize(width: $0.width, height: $0.height) } ?? .zero, ahead: buffer.ahead(of: playhead), surplus: buffer.surplus,
            isComplete: buffer.isComplete(from: playhead), isFull: buffer.isFull)
    }

    var isWaitedFor: Bool { session.isWaitedFor }
    func setOnChange(_ call: (@Sendable () -> Void)?) { session.setOnChange(call) }
    func setPlayhead(_ call: (@Sendable () -> Int64?)?) { session.setPlayhead(call) }
    func decodingIsTooSlow() { session.decodingIsTooSlow() }
    func setForwardDuration(_ ahead: Int64) { session.setForwardDuration(ahead) }
}
