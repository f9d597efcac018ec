import MediaCore
import MediaEngine

/// A reader that delivers everything of the source from a requested time on. Some data before that time comes first.
///
/// A demuxer may seek to a later time than requested (open groups, sparse indices). The first frame shows this, so
/// nothing is returned before the first frame is read. If the seek was late, the reader seeks 2 s earlier, then 20 s
/// earlier, then to the start.
final class SeekedReader {
    let source: OfflineReader
    private let position: MediaTime
    private var seekFallbacks: [MediaTime]
    /// The steps read while the position was not certain.
    private var early: [OfflineReader.Step] = []
    private var next = 0

    /// - Parameters:
    ///   - position: The requested time, in media time.
    ///   - runIn: The time to start earlier, because audio decoders need it: AAC needs one packet, Opus 80 ms.
    init(_ source: OfflineReader, from position: MediaTime, runIn: MediaTime) throws(AVError) {
        self.source = source
        self.position = position
        seekFallbacks = position > 0 ? [2_000_000_000, 20_000_000_000, .max] : []
        if position > 0 { try source.seek(to: max(0, position - runIn)) }
        isPositioned = position <= 0
    }

    private(set) var isPositioned: Bool

    /// Returns the next step.
    /// - Throws: The error that ended reading. `.cancelled` if interrupted.
    func read() throws(AVError) -> OfflineReader.Step {
        while !isPositioned { try search() }
        guard next < early.count else {
            early = []
            next = 0
            return try source.read()
        }
        next += 1
        return early[next - 1]
    }

    private func search() throws(AVError) {
        let step = try source.read()
        let isTooLate =
            switch step {
            case .picture(let frame): MediaTime(frame.presentationTime).map { !$0.hasBegun(by: position) } ?? false
            case .end: true
            case .sound, .soundPacket: false
            }
        if isTooLate, let back = seekFallbacks.first {
            seekFallbacks.removeFirst()
            early = []
            return try source.seek(to: back == .max ? 0 : max(0, position - back))
        }
        early.append(step)
        switch step {
        case .picture, .end: isPositioned = true
        case .sound, .soundPacket: break
        }
    }
}
