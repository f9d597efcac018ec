import CSystem
import Foundation

// Bookmarks, which Foundation has on Apple's platforms only: a file remembered so that it is found again when it was
// moved.

extension NSURL {
    /// Kept for what is written for Apple's platforms. There is no sandbox here, so that those for it change nothing.
    public struct BookmarkCreationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Changes nothing here: every bookmark is small, and any can be written to a file.
        public static let minimalBookmark = BookmarkCreationOptions(rawValue: 1 << 9),
            suitableForBookmarkFile = BookmarkCreationOptions(rawValue: 1 << 10)
        /// Changes nothing here: there is no sandbox to be let out of.
        public static let withSecurityScope = BookmarkCreationOptions(rawValue: 1 << 11),
            securityScopeAllowOnlyReadAccess = BookmarkCreationOptions(rawValue: 1 << 12)
        /// Changes nothing here: no access is tied to a bookmark.
        public static let withoutImplicitSecurityScope = BookmarkCreationOptions(rawValue: 1 << 29)
    }
    /// Without an effect here: nothing is mounted, nobody is asked, and there is no sandbox.
    public struct BookmarkResolutionOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Changes nothing here: resolving asks nobody and mounts nothing.
        public static let withoutUI = BookmarkResolutionOptions(rawValue: 1 << 8),
            withoutMounting = BookmarkResolutionOptions(rawValue: 1 << 9)
        /// Changes nothing here: there is no sandbox to be let out of.
        public static let withSecurityScope = BookmarkResolutionOptions(rawValue: 1 << 10)
        /// Changes nothing here: no access begins or ends with a bookmark.
        public static let withoutImplicitStartAccessing = BookmarkResolutionOptions(rawValue: 1 << 15)
    }
}

extension URL {
    /// `NSURL`'s, under the name it has on Apple's platforms.
    public typealias BookmarkCreationOptions = NSURL.BookmarkCreationOptions
    /// `NSURL`'s, under the name it has on Apple's platforms.
    public typealias BookmarkResolutionOptions = NSURL.BookmarkResolutionOptions

    /// What finds this file again, also after it was moved: its path, and which file that is (device, inode, when it
    /// came into being).
    ///
    /// - Parameters:
    ///   - options: of no effect here.
    ///   - keys: of no effect here.
    ///   - url: a folder that the file lies in: its place in that is remembered too, for folders that move as a whole.
    /// - Throws: `CocoaError`: `.fileReadUnsupportedScheme` for what is no file's URL, `.fileReadNoSuchFile`,
    ///   `.fileReadNoPermission`.
    public func bookmarkData(
        options: BookmarkCreationOptions = [], includingResourceValuesForKeys keys: Set<URLResourceKey>? = nil,
        relativeTo url: URL? = nil
    ) throws -> Data {
        try FileBookmark(self, relativeTo: url).data
    }

    /// The file that a bookmark was made of.
    ///
    /// It is looked for where it was; in `url` at its place in that; and, when it is not there, in the folder it was in
    /// and in those below (4096 names at most): whatever its name is now, it is the same file. What stands at its old
    /// path counts as the file even if it is another one (many programs save by putting a new file in the old one's
    /// place), as on Apple's platforms.
    ///
    /// - Parameters:
    ///   - options: of no effect here.
    ///   - bookmarkDataIsStale: the file has another path, or another file is at its path: make a new bookmark.
    /// - Throws: `CocoaError`: `.fileReadCorruptFile` for what is no bookmark, `.fileReadNoSuchFile` where the file is
    ///   not found, with its old path in `userInfo`.
    public init(
        resolvingBookmarkData data: Data, options: BookmarkResolutionOptions = [], relativeTo url: URL? = nil,
        bookmarkDataIsStale: inout Bool
    ) throws {
        let (path, isStale) = try FileBookmark(data).resolved(relativeTo: url)
        bookmarkDataIsStale = isStale
        self = path.url
    }

    /// Whether the app may use the file: there is no sandbox here, so that it may use what the user can read.
    public func startAccessingSecurityScopedResource() -> Bool {
        isFileURL && FileManager.default.isReadableFile(atPath: path)
    }
    /// Ends what `startAccessingSecurityScopedResource()` began: nothing here, where there is no sandbox.
    public func stopAccessingSecurityScopedResource() {}
}

/// Where a file was, and which one it is. A value.
private struct FileBookmark {
    /// Absolute.
    var path: FilePath
    /// In the folder it was made relative to.
    var relative: [UInt8]?
    var identity: Identity

    struct Identity: Equatable {
        var device: UInt64, inode: UInt64
        /// Nanoseconds since 1970; 0 where the file system does not tell. An inode's number is given again when a file
        /// goes.
        var birth: Int64
    }

    private static let magic = Array("zoetrope-bookmark-1\n".utf8)
    /// Names looked at for a file that was moved.
    private static let most = 4096

    init(_ url: URL, relativeTo base: URL?) throws {
        guard let path = FilePath(url) else {
            throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSURLErrorKey: url])
        }
        // As the process sees it now: bookmarks outlive its working directory.
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
        let places = [path] + [inner].compactMap { $0 }
        for place in places where (try? FileBookmark.identity(of: place)) == identity { return (place, place != path) }
        if let moved = search() { return (moved, true) }
        // Another file is in its place.
        for place in places where (try? FileBookmark.identity(of: place)) != nil { return (place, true) }
        throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path.description])
    }

    /// Breadth first, from the folder it was in.
    private func search() -> FilePath? {
        var folders = [path.folder]
        var seen = 0
        while !folders.isEmpty {
            let folder = folders.removeFirst()
            guard let handle = folder.withCString({ opendir($0) }) else { continue }
            defer { closedir(handle) }
            while let entry = readdir(handle) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
                guard name != [0x2E], name != [0x2E, 0x2E], !name.isEmpty else { continue }
                seen += 1
                guard seen <= FileBookmark.most else { return nil }
                let place = folder.appending(name)
                let kind = Int32(entry.pointee.d_type)
                // The inode is in the folder's list: only a likely one is asked.
                if UInt64(entry.pointee.d_ino) == identity.inode, (try? FileBookmark.identity(of: place)) == identity {
                    return place
                }
                if kind == Int32(DT_DIR) { folders.append(place) }
            }
        }
        return nil
    }
}
