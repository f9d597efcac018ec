import Foundation

/// State of this process as the kernel reports it (proc_pid_status(5), proc_tid_comm(5)).
enum ProcessState {
    /// Returns the name and the niceness (proc_pid_stat(5), field 19) of each thread.
    static func threads() -> [(name: String, nice: Int)] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.compactMap { task in
            guard
                let text = FileManager.default.contents(atPath: "/proc/self/task/\(task)/stat").map({
                    String(decoding: $0, as: UTF8.self)
                }),
                let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
            else { return nil }
            // The first field after the name is the state, field 3.
            let fields = text[text.index(after: close)...].split(separator: " ")
            guard fields.count > 16, let nice = Int(fields[16]) else { return nil }
            return (String(text[text.index(after: open)..<close]), nice)
        }
    }
    static func has(thread name: String) -> Bool { threads().contains { $0.name == name } }

    /// The size of the used address space, in bytes. A thread that has ended, but was neither joined nor detached,
    /// keeps its stack.
    static var addressSpace: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmSize:") }
        return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) << 10
    }

    /// The size of a new thread's stack, in bytes.
    static var stackSize: Int {
        var attributes = pthread_attr_t()
        var size = 0
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_getstacksize(&attributes, &size)
        return size
    }
}
