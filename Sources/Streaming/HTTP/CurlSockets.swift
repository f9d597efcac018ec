import CCurl
import Foundation
import MediaCore

/// The sockets and the timer that libcurl wants to be watched.
///
/// libcurl is called only for sockets that are ready (`curl_multi_socket_action`). `curl_multi_perform` acts on all
/// transfers, and libcurl 8.14 then also reads the sockets of paused ones.
@NetworkActor
final class CurlSockets {
    /// The descriptor with which other threads wake the loop, followed by libcurl's sockets.
    private var descriptors: [pollfd]
    /// The time at which libcurl wants to be called without a ready socket; nil for never.
    private var due: HostTime?
    /// The time at which every socket counts as readable once more, in case libcurl holds bytes of an empty socket: one
    /// TLS record may contain parts of two HTTP/2 streams. The second would wait for a timeout of several seconds (seen
    /// with 7.88).
    private var nextCheck = HostTime.min
    private static let checkInterval: Int64 = 100_000_000
    /// How many times in a row libcurl wanted to be called at once although no socket was ready.
    private var callsAtOnce = 0
    private static let mostCallsAtOnce = 20
    /// The time between further such calls, in milliseconds.
    private static let pause: Int64 = 10

    init(wakeDescriptor: Int32) {
        descriptors = [pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)]
    }

    /// Watches a socket for the events `what` (`CURL_POLL_IN`, `CURL_POLL_OUT`), or no longer (`CURL_POLL_REMOVE`).
    func watch(_ socket: Int32, for what: Int32) {
        let index = descriptors.dropFirst().firstIndex { $0.fd == socket }
        // `poll` reports a closed connection for any event, so a socket without events (`CURL_POLL_NONE`) is left out.
        guard what & CURL_POLL_INOUT != 0 else {
            if let index { descriptors.remove(at: index) }
            return
        }
        let events = Int16((what & CURL_POLL_IN != 0 ? POLLIN : 0) | (what & CURL_POLL_OUT != 0 ? POLLOUT : 0))
        if let index {
            descriptors[index].events = events
        } else {
            descriptors.append(pollfd(fd: socket, events: events, revents: 0))
        }
    }

    /// Sets the time at which libcurl wants to be called.
    /// - Parameter milliseconds: The time from now; a negative number for never.
    func setTimer(milliseconds: Int) {
        due = milliseconds < 0 ? nil : .now() + delay(for: milliseconds).multipliedSaturating(by: 1_000_000)
    }

    /// Returns the time after which libcurl is called if it wants to be called after `milliseconds`.
    func delay(for milliseconds: Int) -> Int64 {
        // libcurl 8.14 wants to be called at once, again and again, while a transfer is paused. It does so a few times for
        // other reasons, such as a new connection.
        callsAtOnce = milliseconds == 0 ? callsAtOnce + 1 : 0
        return callsAtOnce > CurlSockets.mostCallsAtOnce ? CurlSockets.pause : Int64(clamping: milliseconds)
    }

    /// Returns whether the timer has fired, which it does once.
    func takeTimer() -> Bool {
        guard let due, due <= .now() else { return false }
        self.due = nil
        return true
    }

    /// Returns the sockets that are ready, with the events for libcurl (`CURL_CSELECT_IN` and others).
    func ready() -> [(socket: Int32, events: Int32)] {
        let now = HostTime.now()
        let isCheck = now >= nextCheck
        if isCheck { nextCheck = now + CurlSockets.checkInterval }
        let count = poll(&descriptors, nfds_t(descriptors.count), 0)
        if count > 0 { callsAtOnce = 0 }
        guard count > 0 || isCheck else { return [] }
        return descriptors.dropFirst().compactMap { descriptor in
            let found = count > 0 ? Int32(descriptor.revents) : 0
            var events: Int32 = 0
            if found & (POLLIN | POLLHUP | POLLERR) != 0 || isCheck && Int32(descriptor.events) & POLLIN != 0 {
                events |= CURL_CSELECT_IN
            }
            if found & POLLOUT != 0 { events |= CURL_CSELECT_OUT }
            if found & (POLLERR | POLLNVAL) != 0 { events |= CURL_CSELECT_ERR }
            return events == 0 ? nil : (descriptor.fd, events)
        }
    }

    /// Waits until a socket is ready, another thread wakes the loop, the timer fires, or the time is over.
    /// - Parameter milliseconds: The longest wait.
    /// - Returns: Whether another thread woke the loop.
    func wait(milliseconds: Int32) -> Bool {
        var longest = milliseconds
        if let due {
            // Rounded up, so that the timer has fired afterward.
            longest = min(longest, Int32(clamping: max(0, due - .now()).addingSaturating(999_999) / 1_000_000))
        }
        return poll(&descriptors, nfds_t(descriptors.count), longest) > 0 && descriptors[0].revents != 0
    }
}
