import Foundation

extension URL {
    private static func folder(_ directory: FileManager.SearchPathDirectory, or name: String) -> URL {
        FileManager.default.urls(for: directory, in: .userDomainMask).first
            ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(name, isDirectory: true)
    }
    /// The user's documents: `~/Documents`, or what the desktop is set to.
    public static var documentsDirectory: URL { folder(.documentDirectory, or: "Documents") }
    /// The user's downloads: `~/Downloads`, or what the desktop is set to.
    public static var downloadsDirectory: URL { folder(.downloadsDirectory, or: "Downloads") }
    /// The user's videos: `~/Videos`, or what the desktop is set to.
    public static var moviesDirectory: URL { folder(.moviesDirectory, or: "Videos") }
    /// The user's music: `~/Music`, or what the desktop is set to.
    public static var musicDirectory: URL { folder(.musicDirectory, or: "Music") }
    /// The user's pictures: `~/Pictures`, or what the desktop is set to.
    public static var picturesDirectory: URL { folder(.picturesDirectory, or: "Pictures") }
    /// The user's desktop: `~/Desktop`, or what the desktop is set to.
    public static var desktopDirectory: URL { folder(.desktopDirectory, or: "Desktop") }
    /// Files that can be made again: `~/.cache`, or `$XDG_CACHE_HOME`. It is shared by all apps.
    public static var cachesDirectory: URL { folder(.cachesDirectory, or: ".cache") }
    /// Files that apps keep: `~/.local/share`, or `$XDG_DATA_HOME`. It is shared by all apps.
    public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory, or: ".local/share") }
}

extension FileManager {
    /// A folder for the apps of a group, in the folder of files that apps keep. It is made when it is missing; nil when
    /// it can't be.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        guard !groupIdentifier.isEmpty, !groupIdentifier.contains("/"), groupIdentifier != "..", groupIdentifier != "."
        else { return nil }
        let folder = URL.applicationSupportDirectory.appendingPathComponent(groupIdentifier, isDirectory: true)
        do {
            try createDirectory(at: folder, withIntermediateDirectories: true)
        } catch { return nil }
        return folder
    }
}
