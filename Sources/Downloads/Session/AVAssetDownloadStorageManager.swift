import Foundation

/// The importance of a download when files have to be deleted to free space. Corresponds to Apple's type of the same
/// name.
public struct AVAssetDownloadedAssetEvictionPriority: RawRepresentable, Sendable, Hashable {
    /// The name of the priority.
    public let rawValue: String
    /// Creates a priority with a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Neither the quota nor an expiration date removes the download.
    public static let important = AVAssetDownloadedAssetEvictionPriority(
        rawValue: "AVAssetDownloadedAssetEvictionPriorityImportant")
    /// The download is removed when it expires, or when the library's quota is reached and no other download was played
    /// longer ago.
    public static let `default` = AVAssetDownloadedAssetEvictionPriority(
        rawValue: "AVAssetDownloadedAssetEvictionPriorityDefault")
}

/// The conditions under which a download may be removed to free space. Corresponds to Apple's class of the same name.
public class AVAssetDownloadStorageManagementPolicy: NSObject, NSCopying, NSMutableCopying {
    fileprivate final var ownPriority: AVAssetDownloadedAssetEvictionPriority
    fileprivate final var ownExpirationDate: Date

    fileprivate init(_ priority: AVAssetDownloadedAssetEvictionPriority, _ expirationDate: Date) {
        (ownPriority, ownExpirationDate) = (priority, expirationDate)
        super.init()
    }

    /// The priority, which decides whether the quota or an expiration date may remove the download. Default:
    /// `.default`.
    public var priority: AVAssetDownloadedAssetEvictionPriority { ownPriority }
    /// The expiration date, after which the download is removed as soon as it is not playing. With `.distantFuture`,
    /// the download does not expire.
    public var expirationDate: Date { ownExpirationDate }

    public func copy(with zone: NSZone? = nil) -> Any {
        AVAssetDownloadStorageManagementPolicy(ownPriority, ownExpirationDate)
    }
    /// Returns an `AVMutableAssetDownloadStorageManagementPolicy` with the same values.
    public func mutableCopy(with zone: NSZone? = nil) -> Any {
        AVMutableAssetDownloadStorageManagementPolicy(ownPriority, ownExpirationDate)
    }
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAssetDownloadStorageManagementPolicy else { return false }
        return ownPriority == other.ownPriority && ownExpirationDate == other.ownExpirationDate
    }
    public override var hash: Int { ownPriority.hashValue ^ ownExpirationDate.hashValue }
}

/// A storage policy whose values can be changed.
public final class AVMutableAssetDownloadStorageManagementPolicy: AVAssetDownloadStorageManagementPolicy {
    /// Creates a policy with the default priority and without an expiration date.
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

/// A manager of the storage policies of downloads. Corresponds to Apple's class of the same name.
///
/// Any thread. Both methods wait for the database of the download's library, which takes some milliseconds.
///
/// ```swift
/// let policy = AVMutableAssetDownloadStorageManagementPolicy()
/// policy.priority = .important
/// AVAssetDownloadStorageManager.shared().setStorageManagementPolicy(policy, for: location)
/// ```
public final class AVAssetDownloadStorageManager: Sendable {
    private static let manager = AVAssetDownloadStorageManager()
    /// Returns the shared manager of the process.
    public class func shared() -> AVAssetDownloadStorageManager { manager }

    /// Sets the storage policy of a download.
    ///
    /// - Parameter downloadStorageURL: The location that the session reported. The call has no effect on a location
    ///   outside a library. Errors of the database are ignored.
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

    /// Returns the storage policy of the download at `downloadStorageURL`, or nil if no policy is set or the location
    /// is outside a library.
    public func storageManagementPolicy(for downloadStorageURL: URL) -> AVAssetDownloadStorageManagementPolicy? {
        guard let library = library(of: downloadStorageURL), let found = try? library.storage(at: downloadStorageURL),
            found.isProtected || found.expires != nil
        else { return nil }
        return AVAssetDownloadStorageManagementPolicy(
            found.isProtected ? .important : .default, found.expires ?? .distantFuture)
    }

    /// Returns the library whose folder contains the package of `location`, or nil if there is none.
    private func library(of location: URL) -> DownloadEngine? {
        guard location.isFileURL else { return nil }
        var folder = location.standardizedFileURL
        while folder.path != "/", folder.pathExtension.lowercased() != "movpkg" {
            folder = folder.deletingLastPathComponent()
        }
        let library = folder.deletingLastPathComponent()
        guard folder.path != "/", DownloadEngine.isLibrary(library) else { return nil }
        // Reuses the engine of a session or library of this process, if there is one.
        return try? DownloadLibrary.engine(at: library)
    }
}
