import Foundation

/// A type whose values can be created from files. Modeled on SwiftUI's protocol.
///
/// `Data`, `String`, `URL` and `Image` conform to it.
public protocol Transferable {
    /// The type of `transferRepresentation`.
    associatedtype Representation: TransferRepresentation
    /// The representation that creates values from bytes or files.
    @TransferRepresentationBuilder<Self> static var transferRepresentation: Representation { get }
}

/// A way to create values from bytes or files. Modeled on SwiftUI's protocol.
public protocol TransferRepresentation: Sendable {
    /// The type of the created values.
    associatedtype Item
    /// Creates a value from a file. Returns nil if the representation does not support the file's type. Not for apps.
    func _make(_ file: URL, _ type: UTType) async throws -> Item?
}

/// A representation that creates values from the bytes of a file. Modeled on SwiftUI's type.
public struct DataRepresentation<Item>: TransferRepresentation {
    private let type: UTType
    private let importing: (@Sendable (Data) async throws -> Item)?
    /// Creates a representation that imports bytes.
    /// - Parameters:
    ///   - importedContentType: The type of the imported files.
    ///   - importing: Creates the item from the bytes of a file.
    public init(importedContentType: UTType, importing: @escaping @Sendable (Data) async throws -> Item) {
        type = importedContentType
        self.importing = importing
    }
    /// Creates a representation that imports bytes.
    /// - Parameters:
    ///   - contentType: The type of the imported files.
    ///   - exporting: Is never called, because values are not exported to other apps.
    ///   - importing: Creates the item from the bytes of a file.
    public init(
        contentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data,
        importing: @escaping @Sendable (Data) async throws -> Item
    ) { self.init(importedContentType: contentType, importing: importing) }
    /// Creates a representation that imports nothing.
    /// - Parameters:
    ///   - exportedContentType: The type of exported data.
    ///   - exporting: Is never called, because values are not exported to other apps.
    public init(exportedContentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data) {
        type = exportedContentType
        importing = nil
    }
    public func _make(_ file: URL, _ type: UTType) async throws -> Item? {
        guard let importing, type.conforms(to: self.type) else { return nil }
        return try await importing(Data(contentsOf: file))
    }
}

/// A received file. Modeled on SwiftUI's type.
public struct ReceivedTransferredFile: Sendable {
    /// The URL of the file, which stays at its path.
    public let file: URL
    /// Whether the file is the user's own file and not a copy. Always true, because files are not copied.
    public let isOriginalFile: Bool
}
/// A file that is sent to another app. Modeled on SwiftUI's type.
public struct SentTransferredFile: Sendable {
    /// The URL of the file.
    public let file: URL
    /// Whether the other app may access the file itself.
    public let allowAccessingOriginalFile: Bool
    /// Creates a value for a file.
    public init(_ file: URL, allowAccessingOriginalFile: Bool = false) {
        (self.file, self.allowAccessingOriginalFile) = (file, allowAccessingOriginalFile)
    }
}

/// A representation that creates values from files. Modeled on SwiftUI's type.
public struct FileRepresentation<Item>: TransferRepresentation {
    private let type: UTType
    private let importing: (@Sendable (ReceivedTransferredFile) async throws -> Item)?
    /// Creates a representation that imports files.
    /// - Parameters:
    ///   - importedContentType: The type of the imported files.
    ///   - shouldAttemptToOpenInPlace: Has no effect. Files are never copied.
    ///   - importing: Creates the item from a file.
    public init(
        importedContentType: UTType, shouldAttemptToOpenInPlace: Bool = false,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {
        type = importedContentType
        self.importing = importing
    }
    /// Creates a representation that imports files.
    /// - Parameters:
    ///   - contentType: The type of the imported files.
    ///   - shouldAttemptToOpenInPlace: Has no effect. Files are never copied.
    ///   - exporting: Is never called, because values are not exported to other apps.
    ///   - importing: Creates the item from a file.
    public init(
        contentType: UTType, shouldAttemptToOpenInPlace: Bool = false,
        exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) { self.init(importedContentType: contentType, importing: importing) }
    /// Creates a representation that imports nothing.
    /// - Parameters:
    ///   - exportedContentType: The type of exported files.
    ///   - shouldAllowToOpenInPlace: Has no effect.
    ///   - exporting: Is never called, because values are not exported to other apps.
    public init(
        exportedContentType: UTType, shouldAllowToOpenInPlace: Bool = false,
        exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile
    ) {
        type = exportedContentType
        importing = nil
    }
    public func _make(_ file: URL, _ type: UTType) async throws -> Item? {
        guard let importing, type.conforms(to: self.type) else { return nil }
        return try await importing(ReceivedTransferredFile(file: file, isOriginalFile: true))
    }
}

/// A representation that creates values from values of another transferable type. Modeled on SwiftUI's type.
public struct ProxyRepresentation<Item, Other: Transferable>: TransferRepresentation {
    private let importing: (@Sendable (Other) async throws -> Item)?
    /// Creates a representation that imports values of another type.
    /// - Parameter importing: Creates the item from the other value.
    public init(importing: @escaping @Sendable (Other) async throws -> Item) { self.importing = importing }
    /// Creates a representation that imports values of another type.
    /// - Parameters:
    ///   - exporting: Is never called, because values are not exported to other apps.
    ///   - importing: Creates the item from the other value.
    public init(
        exporting: @escaping @Sendable (Item) throws -> Other,
        importing: @escaping @Sendable (Other) async throws -> Item
    ) { self.importing = importing }
    /// Creates a representation that imports nothing.
    /// - Parameter exporting: Is never called, because values are not exported to other apps.
    public init(exporting: @escaping @Sendable (Item) throws -> Other) { importing = nil }
    public func _make(_ file: URL, _ type: UTType) async throws -> Item? {
        guard let importing, let other = try await Transfers.make(Other.self, of: file, type) else { return nil }
        return try await importing(other)
    }
}

/// A pair of representations. The second one is used for files that the first one does not support.
public struct _TransferRepresentations<First: TransferRepresentation, Second: TransferRepresentation>:
    TransferRepresentation
where First.Item == Second.Item {
    let first: First, second: Second
    public func _make(_ file: URL, _ type: UTType) async throws -> First.Item? {
        if let item = try await first._make(file, type) { return item }
        return try await second._make(file, type)
    }
}
/// A result builder that combines representations.
@resultBuilder
public enum TransferRepresentationBuilder<Item> {
    /// Returns the first representation unchanged.
    public static func buildPartialBlock<R: TransferRepresentation>(first: R) -> R where R.Item == Item { first }
    /// Adds another representation.
    public static func buildPartialBlock<A: TransferRepresentation, B: TransferRepresentation>(accumulated: A, next: B)
        -> some TransferRepresentation
    where A.Item == Item, B.Item == Item { _TransferRepresentations(first: accumulated, second: next) }
}

/// A namespace for functions that create values from files.
enum Transfers {
    static func make<T: Transferable>(_ type: T.Type, of file: URL, _ kind: UTType) async throws -> T? {
        try await T.transferRepresentation._make(file, kind) as? T
    }
}

extension Data: Transferable {
    /// The representation that creates data from any file.
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation<Data>(importedContentType: .item) { $0 }
    }
}
extension String: Transferable {
    /// The representation that creates a string from a text file, decoded as UTF-8.
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation<String>(importedContentType: .text) { String(decoding: $0, as: UTF8.self) }
    }
}
extension URL: Transferable {
    /// The representation that creates a URL from any file.
    public static var transferRepresentation: some TransferRepresentation {
        FileRepresentation<URL>(importedContentType: .item) { $0.file }
    }
}
extension Image: @preconcurrency Transferable {
    /// The representation that creates an image from an image file.
    public static var transferRepresentation: some TransferRepresentation {
        FileRepresentation<Image>(importedContentType: .image) { file in await Image(fileURL: file.file) }
    }
}
