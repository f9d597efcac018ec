import Foundation
import MediaEngine

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

/// What may become of a download when room is made; after Apple's class of that name.
public class AVAssetDownloadStorageManagementPolicy: NSObject, NSCopying, NSMutableCopying {
    fileprivate final var ownPriority: AVAssetDownloadedAssetEvictionPriority
    fileprivate final var ownExpirationDate: Date

    fileprivate init(_ priority: AVAssetDownloadedAssetEvictionPriority, _ expirationDate: Date) {
        (ownPriority, ownExpirationDate) = (priority, expirationDate)
        super.init()
    }

    /// Whether a quota may remove it; default `.default`.
    public var priority: AVAssetDownloadedAssetEvictionPriority { ownPriority }
    /// From then on it is removed when it does not play; `.distantFuture`: never.
    public var expirationDate: Date { ownExpirationDate }

    public func copy(with zone: NSZone? = nil) -> Any {
        AVAssetDownloadStorageManagementPolicy(ownPriority, ownExpirationDate)
    }
    /// An `AVMutableAssetDownloadStorageManagementPolicy`.
    public func mutableCopy(with zone: NSZone? = nil) -> Any {
        AVMutableAssetDownloadStorageManagementPolicy(ownPriority, ownExpirationDate)
    }
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAssetDownloadStorageManagementPolicy else { return false }
        return ownPriority == other.ownPriority && ownExpirationDate == other.ownExpirationDate
    }
    public override var hash: Int { ownPriority.hashValue ^ ownExpirationDate.hashValue }
}

/// One to be made and changed.
public final class AVMutableAssetDownloadStorageManagementPolicy: AVAssetDownloadStorageManagementPolicy {
    /// `.default`, and never expires.
    public init() { super.init(.default, .distantFuture) }
    fileprivate override init(_ priority: AVAssetDownloadedAssetEvictionPriority, _ expirationDate: Date) {
        super.init(priority, expirationDate)
    }

    public override var priority: AVAssetDownloadedAssetEvictionPriority {
        get { ownPriority }
        set { ownPriority = newValue }
    }
    public override var expirationDate: Date {
        get { ownExpirationDate }
        set { ownExpirationDate = newValue }
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
        guard let library = library(of: downloadStorageURL) else { return }
        let isProtected = policy.priority == .important
        let expires = policy.expirationDate >= .distantFuture ? nil : policy.expirationDate
        try? DownloadActor.sync { () throws(DownloadError) in
            try library.setStorage(isProtected: isProtected, expires: expires, at: downloadStorageURL)
        }
    }

    /// - Returns: nil where nobody has said anything, and for what lies in no library.
    public func storageManagementPolicy(for downloadStorageURL: URL) -> AVAssetDownloadStorageManagementPolicy? {
        guard let library = library(of: downloadStorageURL), let found = try? library.storage(at: downloadStorageURL),
            found.isProtected || found.expires != nil
        else { return nil }
        return AVAssetDownloadStorageManagementPolicy(
            found.isProtected ? .important : .default, found.expires ?? .distantFuture)
    }

    /// The library's folder is the one above the package's.
    private func library(of location: URL) -> DownloadEngine? {
        guard location.isFileURL else { return nil }
        var folder = location.standardizedFileURL
        while folder.path != "/", folder.pathExtension.lowercased() != "movpkg" {
            folder = folder.deletingLastPathComponent()
        }
        let library = folder.deletingLastPathComponent()
        guard folder.path != "/", DownloadEngine.isLibrary(library) else { return nil }
        // The one that is open already, if a session or a library of this process has it.
        return try? DownloadLibrary.engine(at: library)
    }
}
