import Foundation
import Synchronization

/// A namespace for the paths of the folders in which sessions store their downloads.
enum SessionFolders {
    private static let override = Mutex<URL?>(nil)

    /// Replaces the parent folder, for tests. Processes that tests start use the environment variable
    /// `ZOETROPE_SESSIONS`.
    static func setParent(_ folder: URL?) { override.withLock { $0 = folder } }

    /// The folder of the app in `zoetrope/sessions`, beside `DownloadLibrary.defaultFolder`.
    static var parent: URL {
        if let folder = override.withLock({ $0 }) { return folder }
        if let path = ProcessInfo.processInfo.environment["ZOETROPE_SESSIONS"], path.hasPrefix("/") {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return DownloadLibrary.defaultFolder.deletingLastPathComponent().appendingPathComponent("sessions")
            .appendingPathComponent(folderName(app))
    }

    /// Returns a valid folder name for any text.
    private static func folderName(_ text: String) -> String {
        "\(SafeName.make(text, limit: 60))-\(SafeName.digest(text).prefix(8))"
    }

    static func folder(_ identifier: String?) -> URL {
        parent.appendingPathComponent(identifier.map { folderName($0) } ?? "default", isDirectory: true)
    }
}

/// The names by which the database knows the owners of downloads.
enum SessionName {
    /// The name for sessions without an identifier, which is valid for this process only.
    static let own = "process \(getpid()) \(startOf(getpid()) ?? "")"

    static func of(_ identifier: String?) -> String { identifier.map { "identifier " + $0 } ?? own }

    /// Returns whether the name belongs to a process that has ended.
    static func isOrphan(_ session: String) -> Bool {
        let parts = session.split(separator: " ")
        guard parts.count == 3, parts[0] == "process", let pid = pid_t(parts[1]) else {
            return session.hasPrefix("process ") && session != own
        }
        return startOf(pid) != String(parts[2])
    }

    /// Returns the start time of a process, in clock ticks (proc(5), field 22 of `stat`), because process IDs are
    /// reused.
    private static func startOf(_ pid: pid_t) -> String? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? String(fields[19]) : nil
    }
}
