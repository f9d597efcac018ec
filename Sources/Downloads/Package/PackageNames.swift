/// The names in a library's folder and in its packages.
enum PackageNames {
    /// The extension of a package's folder, the same as Apple's.
    static let packageExtension = "movpkg"
    /// The name of a package's multivariant playlist and of a rendition's media playlist.
    static let index = "index.m3u8"
    static let database = "downloads.sqlite"
    /// The suffix of files that are not complete or not checked yet.
    static let part = ".part"
    /// The extension of key files. libavformat's HLS demuxer refuses local files with unknown extensions, even for keys
    /// (`allowed_extensions`).
    static let keyExtension = "ts"
    static let lock = ".lock"
    static let artwork = "artwork"
}
