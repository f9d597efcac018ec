import CWayland
import MediaCore

/// The frames on their way to the screen, for which the compositor reports when they became visible.
@MainActor
final class PresentationFeedback {
    private struct Awaited {
        let feedback: OpaquePointer
        /// The number of the frame. Nil if its report is no longer needed.
        var sequence: UInt64?
        let shown: HostTime
    }
    /// The maximum number of frames without a report. With more, the compositor is treated as one that sends no
    /// reports, such as sway 1.7 without a screen.
    private static let maximumCount = 8

    private let connection: WaylandConnection
    private var awaited: [Awaited] = []
    /// The time from `show` until a frame is visible, in nanoseconds. Before the first report, half of the refresh
    /// interval of most displays.
    private(set) var delay: Int64 = 8_000_000
    private var isMeasured = false

    init(_ connection: WaylandConnection) {
        self.connection = connection
        awaited.reserveCapacity(PresentationFeedback.maximumCount + 1)
    }

    /// Requests a report for the frame of the next commit of `surface`.
    func requestFeedback(_ sequence: UInt64, of surface: OpaquePointer, for owner: WaylandVideoSurface) {
        guard connection.reportsPresentationTime != false else { return }
        guard awaited.count < PresentationFeedback.maximumCount else {
            connection.reportsPresentationTime = false
            return close()
        }
        var globals = connection.globals
        guard
            let feedback = zt_wayland_feedback(&globals, surface, Unmanaged.passUnretained(owner).toOpaque())
        else {
            connection.reportsPresentationTime = false
            return
        }
        awaited.append(Awaited(feedback: feedback, sequence: sequence, shown: .now()))
    }

    /// Processes a report.
    /// - Parameters:
    ///   - feedback: The request that is answered.
    ///   - time: The time when the frame became visible. Nil if it never was.
    /// - Returns: The number of the frame, or nil if the report is unknown or no longer needed.
    func handleFeedback(_ feedback: OpaquePointer?, _ time: HostTime?) -> UInt64? {
        guard let index = awaited.firstIndex(where: { $0.feedback == feedback }) else { return nil }
        let frame = awaited.remove(at: index)
        if let time {
            connection.reportsPresentationTime = true
            // Limit the delay, because the delay of a frame in a hidden window does not predict the delay of the next
            // frame.
            let measured = min(max(time - frame.shown, 0), 100_000_000)
            delay = isMeasured ? delay + (measured - delay) / 8 : measured
            isMeasured = true
        }
        return frame.sequence
    }

    func discardAll() {
        for index in awaited.indices { awaited[index].sequence = nil }
    }

    func close() {
        for frame in awaited { zt_wayland_forget_feedback(frame.feedback) }
        awaited.removeAll(keepingCapacity: true)
    }
}
