import Foundation

/// How things are called in a library's folder and in its packages.
enum PackageNames {
    /// Of a package's folder, as Apple's.
    static let packageExtension = "movpkg"
    /// The multivariant playlist of a package, and the media playlist of a rendition.
    static let index = "index.m3u8"
    static let database = "downloads.sqlite"
    /// Behind what has not come whole, or was not checked.
    static let part = ".part"
    /// libavformat opens no local file of another kind for a stream, keys neither (`allowed_extensions` of its HLS
    /// demuxer).
    static let keyExtension = "ts"
    static let lock = ".lock"
    static let artwork = "artwork"
}
