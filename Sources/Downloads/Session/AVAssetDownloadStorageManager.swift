import Downloads
import Foundation
import MediaEngine
import Synchronization

/// How dear a download is when room is made; after Apple's type of that name.
public struct AVAssetDownloadedAssetEvictionPriority: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Neither a quota nor its expiry removes it.
    public static let important = AVAssetDownloadedAssetEvictionPriority(
        rawValue: "AVAssetDownloadedAssetEvictionPriorityImportant")
    /// It goes when its library's quota is reached and it was played longest ago, or when it expires.
    public static let `default` = AVAssetDownloadedAssetEvictionPriority(
        rawValue: "AVAssetDownloadedAssetEvictionPriorityDefault")
}

/// What may become of a download when room is made; after Apple's class of that name. Any thread.
public class AVAssetDownloadStorageManagementPolicy: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // Guarded by the mutex; written by the mutable subclass alone.
    fileprivate let values: Mutex<(priority: AVAssetDownloadedAssetEvictionPriority, expirationDate: Date)>

    fileprivate init(_ priority: AVAssetDownloadedAssetEvictionPriority, _ expirationDate: Date) {
        values = Mutex((priority, expirationDate))
        super.init()
    }

    fileprivate final var priorityNow: AVAssetDownloadedAssetEvictionPriority { values.withLock { $0.priority } }
    fileprivate final var expirationNow: Date { values.withLock { $0.expirationDate } }
    /// Whether a quota may remove it; default `.default`.
    public var priority: AVAssetDownloadedAssetEvictionPriority { priorityNow }
    /// From then on it is removed when it does not play; `.distantFuture`: never.
    public var expirationDate: Date { expirationNow }

    public func copy(with zone: NSZone? = nil) -> Any {
        AVAssetDownloadStorageManagementPolicy(priorityNow, expirationNow)
    }
    /// An `AVMutableAssetDownloadStorageManagementPolicy`.
    public func mutableCopy(with zone: NSZone? = nil) -> Any {
        AVMutableAssetDownloadStorageManagementPolicy(priorityNow, expirationNow)
    }
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAssetDownloadStorageManagementPolicy else { return false }
        return priorityNow == other.priorityNow && expirationNow == other.expirationNow
    }
    public override var hash: Int { priorityNow.hashValue ^ expirationNow.hashValue }
}

/// One to be made and changed. Any thread.
public final class AVMutableAssetDownloadStorageManagementPolicy: AVAssetDownloadStorageManagementPolicy,
    @unchecked Sendable
{
    /// `.default`, and never expires.
    public init() { super.init(.default, .distantFuture) }
    fileprivate override init(_ priority: AVAssetDownloadedAssetEvictionPriority, _ expirationDate: Date) {
        super.init(priority, expirationDate)
    }

    public override var priority: AVAssetDownloadedAssetEvictionPriority {
        get { priorityNow }
        set { values.withLock { $0.priority = newValue } }
    }
    public override var expirationDate: Date {
        get { expirationNow }
        set { values.withLock { $0.expirationDate = newValue } }
    }
}

/// Says what may become of downloads when room is made; after Apple's class of that name. Any thread; both calls read
/// or write the record of the library that the download lies in, which takes milliseconds.
public final class AVAssetDownloadStorageManager: Sendable {
    private static let manager = AVAssetDownloadStorageManager()
    /// The process' one manager.
    public class func shared() -> AVAssetDownloadStorageManager { manager }

    /// - Parameter downloadStorageURL: the location that a download was told. What lies in no library is left as it is:
    ///   nothing removes it.
    public func setStorageManagementPolicy(
        _ policy: AVAssetDownloadStorageManagementPolicy, for downloadStorageURL: URL
    ) {
        guard let door = door(of: downloadStorageURL) else { return }
        let expires = policy.expirationDate
        try? door.setStorage(
            isProtected: policy.priority == .important, expires: expires >= .distantFuture ? nil : expires,
            at: downloadStorageURL)
    }

    /// - Returns: nil where nobody has said anything, and for what lies in no library.
    public func storageManagementPolicy(for downloadStorageURL: URL) -> AVAssetDownloadStorageManagementPolicy? {
        guard let door = door(of: downloadStorageURL), let found = try? door.storage(at: downloadStorageURL),
            found.isProtected || found.expires != nil
        else { return nil }
        return AVAssetDownloadStorageManagementPolicy(
            found.isProtected ? .important : .default, found.expires ?? .distantFuture)
    }

    /// The library's folder is the one above the package's.
    private func door(of location: URL) -> SessionDoor? {
        guard location.isFileURL else { return nil }
        var folder = location.standardizedFileURL
        while folder.path != "/", folder.pathExtension.lowercased() != "movpkg" {
            folder = folder.deletingLastPathComponent()
        }
        let library = folder.deletingLastPathComponent()
        guard folder.path != "/", SessionDoor.isLibrary(library) else { return nil }
        // The one that is open already, if a session or a library of this process has it.
        return try? SessionDoor(at: library)
    }
}
