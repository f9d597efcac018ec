import Foundation

/// The resources that this process has used.
enum Usage {
    /// The CPU time of all threads, in seconds.
    static func cpu() -> Double {
        var usage = rusage()
        _ = getrusage(__rusage_who_t(0), &usage)  // RUSAGE_SELF
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }

    /// The CPU time of the calling thread, in milliseconds.
    static func thread() -> Double {
        var time = timespec()
        _ = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }

    /// The time since the computer started, in seconds.
    static func wall() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    /// The memory in MB. Memory that several processes share is divided among them (PSS).
    static func memory() -> Double { Double(number("Pss:", in: "/proc/self/smaps_rollup")) / 1024 }

    /// The number of threads.
    static func threads() -> Int { number("Threads:", in: "/proc/self/status") }

    /// Prints a line of JSON and ends the process.
    static func end(_ values: [String: Double]) -> Never {
        if let data = try? JSONSerialization.data(withJSONObject: values, options: [.sortedKeys]) {
            print(String(decoding: data, as: UTF8.self))
        }
        exit(0)
    }

    private static func number(_ key: String, in path: String) -> Int {
        let line = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").first {
            $0.hasPrefix(key)
        }
        return line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
    }
}
