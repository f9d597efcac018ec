import Foundation
import Synchronization

/// Where sessions keep what they load.
enum SessionFolders {
    private static let override = Mutex<URL?>(nil)

    /// For tests, and the environment's `ZOETROPE_SESSIONS` for their processes: in place of the user's data folder.
    static func setParent(_ folder: URL?) { override.withLock { $0 = folder } }

    /// `zoetrope/sessions` beside `DownloadLibrary.defaultFolder`, in it a folder of the app's.
    static var parent: URL {
        if let folder = override.withLock({ $0 }) { return folder }
        if let path = ProcessInfo.processInfo.environment["ZOETROPE_SESSIONS"], path.hasPrefix("/") {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return DownloadLibrary.defaultFolder.deletingLastPathComponent().appendingPathComponent("sessions")
            .appendingPathComponent(folderName(app))
    }

    /// One part of a path, for any name.
    private static func folderName(_ text: String) -> String {
        "\(SafeName.make(text, limit: 60))-\(SafeName.digest(text).prefix(8))"
    }

    static func folder(_ identifier: String?) -> URL {
        parent.appendingPathComponent(identifier.map { folderName($0) } ?? "default", isDirectory: true)
    }
}

/// What the record says of whose session a download is.
enum SessionName {
    /// Of sessions without an identifier: this process's alone.
    static let own = "process \(getpid()) \(startOf(getpid()) ?? "")"

    static func of(_ identifier: String?) -> String { identifier.map { "identifier " + $0 } ?? own }

    /// Of a process that is no more.
    static func isOrphan(_ session: String) -> Bool {
        let parts = session.split(separator: " ")
        guard parts.count == 3, parts[0] == "process", let pid = pid_t(parts[1]) else {
            return session.hasPrefix("process ") && session != own
        }
        return startOf(pid) != String(parts[2])
    }

    /// When a process began, in the kernel's ticks (proc(5), `stat`'s field 22): numbers of processes come again.
    private static func startOf(_ pid: pid_t) -> String? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? String(fields[19]) : nil
    }
}
