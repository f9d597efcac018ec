import Zoetrope

/// A rule for whether the items of a model continue where the user left them, even in another run of the app.
///
/// ```swift
/// let resume = PlaybackResume.automatic(in: dataFolder)
/// let model = PlayerModel(resume: resume)
/// if let seconds = await resume.place(of: url) {
///     print("Continue at \(Int(seconds)) s")
/// }
/// ```
public struct PlaybackResume: Sendable {
    /// The file with the positions; nil if none are stored.
    let file: URL?

    /// Items begin at their start, and no position is stored.
    public static let off = PlaybackResume(file: nil)
    /// Positions are stored in the user's data folder: in the file `places.sqlite` of the folder
    /// `$XDG_DATA_HOME/PROGRAM`, by default `~/.local/share/PROGRAM`. `PROGRAM` is the name of the process.
    ///
    /// During playback, a position is stored at most every 5 s. It is also stored after a pause or a seek, and when
    /// another item is loaded. In the first 5 s and the last 10 s of an item, no position is stored, and an earlier one
    /// is deleted. In items of less than 100 s, the last tenth replaces the last 10 s. No position is stored for live
    /// items.
    public static var automatic: PlaybackResume {
        automatic(in: dataFolder.appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true))
    }
    /// Returns a rule that stores positions in a folder of the app, as `automatic` does. A folder that is missing is
    /// created. If the file can't be used, the failure is logged, and items begin at their start.
    public static func automatic(in folder: URL) -> PlaybackResume {
        PlaybackResume(file: folder.appendingPathComponent("places.sqlite"))
    }

    /// Deletes the stored position of a source. Returns when it is no longer on the disk, or after a failure has been
    /// logged.
    public func forget(_ source: URL) async { await store?.remove(source) }
    /// Deletes all stored positions. Returns when they are no longer on the disk, or after a failure has been logged.
    public func forgetAll() async { await store?.removeAll() }
    /// Returns the stored position of a source, in seconds; nil if there is none, and always with `off`.
    public func place(of source: URL) async -> TimeInterval? { await store?.position(of: source) }

    private static let logger = Logger(subsystem: "MPlayerKit", category: "PlaybackResume")
    var store: ResumeStore? {
        file.map { ResumeStore.shared(at: $0) { PlaybackResume.logger.warning("\($0)") } }
    }

    // The XDG Base Directory Specification requires that a path that is not absolute is ignored:
    // https://specifications.freedesktop.org/basedir-spec
    private static var dataFolder: URL {
        if let path = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], path.hasPrefix("/") {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        return FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share", isDirectory: true)
    }
}
