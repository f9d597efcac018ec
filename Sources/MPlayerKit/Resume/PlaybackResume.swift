import Zoetrope

/// Whether a model's items go on where they were left, also in another run of the app.
public struct PlaybackResume: Sendable {
    /// The file that places are kept in; nil: none are.
    let file: URL?

    /// Items begin at their beginning, and nothing is kept.
    public static let off = PlaybackResume(file: nil)
    /// The place of each source is kept in the user's data folder (`$XDG_DATA_HOME/PROGRAM/places.sqlite`): at most
    /// every 5 s while it plays, and when it is paused, sought or left. What was hardly begun, what was watched to its
    /// end, and what is live is not kept.
    public static var automatic: PlaybackResume {
        automatic(in: dataFolder.appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true))
    }
    /// The same in a folder of the app's.
    public static func automatic(in folder: URL) -> PlaybackResume {
        PlaybackResume(file: folder.appendingPathComponent("places.sqlite"))
    }

    /// Forgets the place of one source, kept by `self`. Returns when it is gone from the disk.
    public func forget(_ source: URL) async { await store?.remove(source) }
    /// Forgets all of them.
    public func forgetAll() async { await store?.removeAll() }
    /// Seconds; nil where there is none.
    public func place(of source: URL) async -> TimeInterval? { await store?.position(of: source) }

    private static let logger = Logger(subsystem: "MPlayerKit", category: "PlaybackResume")
    var store: ResumeStore? {
        file.map { ResumeStore.shared(at: $0) { PlaybackResume.logger.warning("\($0)") } }
    }

    // https://specifications.freedesktop.org/basedir-spec: a path that is not absolute is ignored.
    private static var dataFolder: URL {
        if let path = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], path.hasPrefix("/") {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        return FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share", isDirectory: true)
    }
}
