import Foundation

/// What this process has open.
package enum OpenDescriptors {
    /// What each is; TCP connections by their state (tcp(7), TCP_INFO; its first byte is the state).
    package static func all() -> [String] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.compactMap { number in
            guard let name = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + number)
            else { return nil }
            var info = [UInt8](repeating: 0, count: 256)
            var size = socklen_t(info.count)
            let isTCP = Int32(number).map { getsockopt($0, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0 } ?? false
            return isTCP ? "TCP \(info[0])" : name
        }
    }

    /// Without those that libcurl keeps for a server that has closed them (CLOSE, CLOSE_WAIT; at most
    /// `CURLMOPT_MAXCONNECTS`, let go with the next connections that are made), and libdispatch's timers, one a clock.
    package static func used() -> [String] {
        all().filter { !["TCP 7", "TCP 8", "anon_inode:[timerfd]"].contains($0) }.sorted()
    }
}
