import Foundation

extension URL {
    private static func folder(_ directory: FileManager.SearchPathDirectory, or name: String) -> URL {
        FileManager.default.urls(for: directory, in: .userDomainMask).first
            ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(name, isDirectory: true)
    }
    /// The user's documents folder: `~/Documents`, or the folder that the desktop's settings specify.
    public static var documentsDirectory: URL { folder(.documentDirectory, or: "Documents") }
    /// The user's downloads folder: `~/Downloads`, or the folder that the desktop's settings specify.
    public static var downloadsDirectory: URL { folder(.downloadsDirectory, or: "Downloads") }
    /// The user's videos folder: `~/Videos`, or the folder that the desktop's settings specify.
    public static var moviesDirectory: URL { folder(.moviesDirectory, or: "Videos") }
    /// The user's music folder: `~/Music`, or the folder that the desktop's settings specify.
    public static var musicDirectory: URL { folder(.musicDirectory, or: "Music") }
    /// The user's pictures folder: `~/Pictures`, or the folder that the desktop's settings specify.
    public static var picturesDirectory: URL { folder(.picturesDirectory, or: "Pictures") }
    /// The user's desktop folder: `~/Desktop`, or the folder that the desktop's settings specify.
    public static var desktopDirectory: URL { folder(.desktopDirectory, or: "Desktop") }
    /// The folder for files that can be created again: `~/.cache` or `$XDG_CACHE_HOME`. All apps share it.
    public static var cachesDirectory: URL { folder(.cachesDirectory, or: ".cache") }
    /// The folder for files that apps keep: `~/.local/share` or `$XDG_DATA_HOME`. All apps share it.
    public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory, or: ".local/share") }
}

extension FileManager {
    /// Returns a folder for the apps of a group, inside the application support folder. The method creates the folder
    /// if it does not exist, and returns nil if that fails or if the identifier is not a valid folder name.
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
