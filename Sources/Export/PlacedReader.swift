import MediaCore
import MediaEngine

/// A reader that has found its place: everything from there on comes, after some that lies before it.
///
/// Demuxers may find a place too late (open groups, sparse indices). The first picture tells; nothing is handed out
/// before it. Then the place is searched from further back, at last from the start.
final class PlacedReader {
    let source: OfflineReader
    private let place: MediaTime
    private var further: [MediaTime]
    /// What has been read while the place was not sure.
    private var early: [OfflineReader.Step] = []
    private var next = 0

    /// - Parameter runIn: decoders of sound need it: of AAC the packet before, of Opus 80 ms.
    init(_ source: OfflineReader, from place: MediaTime, runIn: MediaTime) throws(AVError) {
        self.source = source
        self.place = place
        further = place > 0 ? [2_000_000_000, 20_000_000_000, .max] : []
        if place > 0 { try source.seek(to: max(0, place - runIn)) }
        isSure = place <= 0
    }

    private(set) var isSure: Bool

    /// - Throws: why reading broke off; `.cancelled` when interrupted.
    func read() throws(AVError) -> OfflineReader.Step {
        while !isSure { try search() }
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
            case .picture(let frame): MediaTime(frame.presentationTime).map { !$0.hasBegun(by: place) } ?? false
            case .end: true
            case .sound, .soundPacket: false
            }
        if isTooLate, let back = further.first {
            further.removeFirst()
            early = []
            return try source.seek(to: back == .max ? 0 : max(0, place - back))
        }
        early.append(step)
        switch step {
        case .picture, .end: isSure = true
        case .sound, .soundPacket: break
        }
    }
}
