import CSystem
import Foundation

// Bookmarks, which Foundation has only on Apple's platforms. A bookmark finds a file again after it was moved.

extension NSURL {
    /// Options for creating bookmarks, for code written for Apple's platforms. They have no effect, because there is no
    /// sandbox.
    public struct BookmarkCreationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// No effect: every bookmark is small and can be written to a file.
        public static let minimalBookmark = BookmarkCreationOptions(rawValue: 1 << 9),
            suitableForBookmarkFile = BookmarkCreationOptions(rawValue: 1 << 10)
        /// No effect: there is no sandbox.
        public static let withSecurityScope = BookmarkCreationOptions(rawValue: 1 << 11),
            securityScopeAllowOnlyReadAccess = BookmarkCreationOptions(rawValue: 1 << 12)
        /// No effect: bookmarks are not tied to access permissions.
        public static let withoutImplicitSecurityScope = BookmarkCreationOptions(rawValue: 1 << 29)
    }
    /// Options for resolving bookmarks. They have no effect: resolving mounts nothing and shows no dialogs, and there
    /// is no sandbox.
    public struct BookmarkResolutionOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// No effect: resolving shows no dialogs and mounts nothing.
        public static let withoutUI = BookmarkResolutionOptions(rawValue: 1 << 8),
            withoutMounting = BookmarkResolutionOptions(rawValue: 1 << 9)
        /// No effect: there is no sandbox.
        public static let withSecurityScope = BookmarkResolutionOptions(rawValue: 1 << 10)
        /// No effect: bookmarks do not start or stop access.
        public static let withoutImplicitStartAccessing = BookmarkResolutionOptions(rawValue: 1 << 15)
    }
}

extension URL {
    /// The options of `NSURL`, under their name on Apple's platforms.
    public typealias BookmarkCreationOptions = NSURL.BookmarkCreationOptions
    /// The options of `NSURL`, under their name on Apple's platforms.
    public typealias BookmarkResolutionOptions = NSURL.BookmarkResolutionOptions

    /// Returns a bookmark, which finds this file again after it was moved. It contains the path and the identity of the
    /// file (device, inode and creation time).
    ///
    /// ```swift
    /// let bookmark = try film.bookmarkData()
    /// UserDefaults.standard.set(bookmark, forKey: "lastFilm")
    /// ```
    ///
    /// - Parameters:
    ///   - options: No effect.
    ///   - keys: No effect.
    ///   - url: A folder that contains the file. The bookmark then also contains the path within this folder, for
    ///     folders that are moved as a whole.
    /// - Returns: The data of the bookmark.
    /// - Throws: A `CocoaError` with the code `.fileReadUnsupportedScheme` if the URL is not a file URL,
    ///   `.fileReadNoSuchFile` or `.fileReadNoPermission`.
    public func bookmarkData(
        options: BookmarkCreationOptions = [], includingResourceValuesForKeys keys: Set<URLResourceKey>? = nil,
        relativeTo url: URL? = nil
    ) throws -> Data {
        try FileBookmark(self, relativeTo: url).data
    }

    /// Creates the URL of the file for which a bookmark was created.
    ///
    /// ```swift
    /// guard let bookmark = UserDefaults.standard.data(forKey: "lastFilm") else { return }
    /// var isStale = false
    /// let film = try URL(resolvingBookmarkData: bookmark, bookmarkDataIsStale: &isStale)
    /// if isStale { UserDefaults.standard.set(try film.bookmarkData(), forKey: "lastFilm") }
    /// ```
    /// The initializer looks for the file at its old path, and at its path within `url`. If the file is not there, it
    /// searches the old folder and the folders below, up to 4096 names. This search also finds a renamed file. As on
    /// Apple's platforms, another file at the old path is also accepted, because many programs save by replacing a file
    /// with a new one.
    ///
    /// - Parameters:
    ///   - data: The data of the bookmark.
    ///   - options: No effect.
    ///   - url: The folder that was given when the bookmark was created, at its current path. If nil, the path within
    ///     the folder is not used.
    ///   - bookmarkDataIsStale: Set to whether a new bookmark should be created, because the file has another path or
    ///     another file is at its path.
    /// - Throws: A `CocoaError` with the code `.fileReadCorruptFile` if the data is not a bookmark, or
    ///   `.fileReadNoSuchFile` if the file is not found. In the second case, `userInfo` contains the file's old path.
    public init(
        resolvingBookmarkData data: Data, options: BookmarkResolutionOptions = [], relativeTo url: URL? = nil,
        bookmarkDataIsStale: inout Bool
    ) throws {
        let (path, isStale) = try FileBookmark(data).resolved(relativeTo: url)
        bookmarkDataIsStale = isStale
        self = path.url
    }

    /// Returns whether the app can use the file. There is no sandbox, so the app can use every file that the user can
    /// read.
    public func startAccessingSecurityScopedResource() -> Bool {
        FilePath(self)?.isReadable == true
    }
    /// Ends the access started by `startAccessingSecurityScopedResource()`. No effect, because there is no sandbox.
    public func stopAccessingSecurityScopedResource() {}
}

/// The path and the identity of a file.
private struct FileBookmark {
    /// The absolute path.
    var path: FilePath
    /// The path within the folder that was given when the bookmark was created, or nil if the file was not in such a
    /// folder.
    var relative: [UInt8]?
    var identity: Identity

    struct Identity: Equatable {
        var device: UInt64, inode: UInt64
        /// The creation time in nanoseconds since 1970, or 0 if the file system does not store it. It is needed because
        /// the inode number of a deleted file is used again.
        var birth: Int64
    }

    private static let magic = Array("zoetrope-bookmark-1\n".utf8)
    /// The maximum number of names to check for a file that was moved.
    private static let maximumNames = 4096

    init(_ url: URL, relativeTo base: URL?) throws {
        guard let path = FilePath(url) else {
            throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSURLErrorKey: url])
        }
        // The path is made absolute now, because bookmarks may be used with another working directory.
        self.path = path.bytes.first == 0x2F ? path : FilePath(path.url) ?? path
        identity = try FileBookmark.identity(of: self.path)
        if let base, let folder = FilePath(base) {
            let prefix = (folder.bytes == [0x2F] ? [] : folder.bytes) + [0x2F]
            if self.path.bytes.starts(with: prefix) { relative = Array(self.path.bytes.dropFirst(prefix.count)) }
        }
    }

    // MARK: bytes

    var data: Data {
        var bytes = FileBookmark.magic
        for number in [identity.device, identity.inode, UInt64(bitPattern: identity.birth)] {
            bytes += FileBookmark.bytes(number)
        }
        for text in [path.bytes, relative ?? []] { bytes += FileBookmark.bytes(UInt64(text.count)) + text }
        return Data(bytes)
    }

    init(_ data: Data) throws {
        var rest = Array(data)[...]
        func corrupt() -> CocoaError { CocoaError(.fileReadCorruptFile) }
        func number() throws -> UInt64 {
            guard rest.count >= 8 else { throw corrupt() }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        func text() throws -> [UInt8] {
            let count = try number()
            guard count <= 65_536, count <= rest.count else { throw corrupt() }
            defer { rest = rest.dropFirst(Int(count)) }
            return Array(rest.prefix(Int(count)))
        }
        guard rest.starts(with: FileBookmark.magic) else { throw corrupt() }
        rest = rest.dropFirst(FileBookmark.magic.count)
        identity = Identity(device: try number(), inode: try number(), birth: Int64(bitPattern: try number()))
        guard let path = FilePath(bytes: try text()), path.bytes.first == 0x2F else { throw corrupt() }
        self.path = path
        let inner = try text()
        relative = inner.isEmpty || inner.contains(0) ? nil : inner
        guard rest.isEmpty else { throw corrupt() }
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }

    // MARK: files

    static func identity(of path: FilePath) throws -> Identity {
        var file = zt_file()
        guard path.withCString({ zt_find_file($0, &file) }) == 0 else {
            let code = errno
            throw CocoaError(
                code == EACCES ? .fileReadNoPermission : .fileReadNoSuchFile,
                userInfo: [NSFilePathErrorKey: path.description])
        }
        return Identity(device: file.device, inode: file.inode, birth: file.birth)
    }

    func resolved(relativeTo base: URL?) throws -> (FilePath, isStale: Bool) {
        let inner = relative.flatMap { relative in base.flatMap { FilePath($0) }.map { $0.appending(relative) } }
        let candidates = [path] + [inner].compactMap { $0 }
        for candidate in candidates where (try? FileBookmark.identity(of: candidate)) == identity {
            return (candidate, candidate != path)
        }
        if let moved = search() { return (moved, true) }
        // Accept another file at the same path.
        for candidate in candidates where (try? FileBookmark.identity(of: candidate)) != nil {
            return (candidate, true)
        }
        throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path.description])
    }

    /// Searches breadth-first for the file, from its old folder on.
    private func search() -> FilePath? {
        var folders = [path.folder]
        var checkedNames = 0
        while !folders.isEmpty {
            let folder = folders.removeFirst()
            guard let handle = folder.withCString({ opendir($0) }) else { continue }
            defer { closedir(handle) }
            while let entry = readdir(handle) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
                guard name != [0x2E], name != [0x2E, 0x2E], !name.isEmpty else { continue }
                checkedNames += 1
                guard checkedNames <= FileBookmark.maximumNames else { return nil }
                let candidate = folder.appending(name)
                // The folder's entry contains the inode number, so the identity is read only for a likely match.
                if UInt64(entry.pointee.d_ino) == identity.inode,
                    (try? FileBookmark.identity(of: candidate)) == identity
                {
                    return candidate
                }
                if candidate.isFolder(entryType: Int32(entry.pointee.d_type)) { folders.append(candidate) }
            }
        }
        return nil
    }
}

extension FilePath {
    /// Returns whether the entry of a folder at this path is a folder too. A symbolic link is not.
    /// - Parameter type: The type in the entry. Some file systems always report `DT_UNKNOWN`.
    func isFolder(entryType type: Int32) -> Bool {
        guard type == Int32(DT_UNKNOWN) else { return type == Int32(DT_DIR) }
        var info = stat()
        return withCString { lstat($0, &info) } == 0 && info.st_mode & S_IFMT == S_IFDIR
    }
}
