import Foundation

/// The open descriptors of this process.
package enum OpenDescriptors {
    /// Returns a name for each descriptor. TCP connections are named by their state (tcp(7), TCP_INFO; its first byte
    /// is the state).
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

    /// Makes all reads from the descriptors of the file at `url` fail, as if its disk were removed. New descriptors of
    /// the file can be read.
    /// - Returns: The number of these descriptors.
    package static func failReads(of url: URL) -> Int {
        let path = url.resolvingSymlinksInPath().path
        let writeOnly = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(writeOnly) }
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.compactMap(Int32.init).count { number in
            number != writeOnly
                && (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == path
                && dup2(writeOnly, number) >= 0
        }
    }

    /// Returns the descriptors in use. Connections that the server has closed are left out (CLOSE, CLOSE_WAIT). libcurl
    /// keeps at most `CURLMOPT_MAXCONNECTS` of them, until it makes new connections. The timers of libdispatch, one per
    /// clock, are left out too.
    package static func used() -> [String] {
        all().filter { !["TCP 7", "TCP 8", "anon_inode:[timerfd]"].contains($0) }.sorted()
    }
}
