import CWayland
import MediaCore

/// Frames on their way to the screen, of which the compositor tells when they were seen. Main thread only.
@MainActor
final class SeenFrames {
    private struct Awaited {
        let feedback: OpaquePointer
        /// Nil: nobody wants to know any more.
        var sequence: UInt64?
        let shown: HostTime
    }
    /// More are awaited only from a compositor that does not tell: sway 1.7 without a screen is one.
    private static let most = 8

    private let connection: WaylandConnection
    private var awaited: [Awaited] = []
    /// From `show` to the screen, nanoseconds. As long as the compositor has told nothing: half a refresh of most
    /// displays.
    private(set) var delay: Int64 = 8_000_000
    private var isMeasured = false

    init(_ connection: WaylandConnection) {
        self.connection = connection
        awaited.reserveCapacity(SeenFrames.most + 1)
    }

    /// Asks about what the next commit of `surface` shows.
    func ask(_ sequence: UInt64, of surface: OpaquePointer, for owner: WaylandVideoSurface) {
        guard connection.tellsWhenSeen != false else { return }
        guard awaited.count < SeenFrames.most else {
            connection.tellsWhenSeen = false
            return close()
        }
        var globals = connection.globals
        guard
            let feedback = zt_wayland_feedback(&globals, surface, Unmanaged.passUnretained(owner).toOpaque())
        else {
            connection.tellsWhenSeen = false
            return
        }
        awaited.append(Awaited(feedback: feedback, sequence: sequence, shown: .now()))
    }

    /// - Parameter time: nil: it was never seen.
    /// - Returns: which frame that was.
    func told(_ feedback: OpaquePointer?, _ time: HostTime?) -> UInt64? {
        guard let index = awaited.firstIndex(where: { $0.feedback == feedback }) else { return nil }
        let frame = awaited.remove(at: index)
        if let time {
            connection.tellsWhenSeen = true
            // A frame that waited for a hidden window says nothing about the next.
            let measured = min(max(time - frame.shown, 0), 100_000_000)
            delay = isMeasured ? delay + (measured - delay) / 8 : measured
            isMeasured = true
        }
        return frame.sequence
    }

    func forget() {
        for index in awaited.indices { awaited[index].sequence = nil }
    }

    func close() {
        for frame in awaited { zt_wayland_forget_feedback(frame.feedback) }
        awaited.removeAll(keepingCapacity: true)
    }
}
