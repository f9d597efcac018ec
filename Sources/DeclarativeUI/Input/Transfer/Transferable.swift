import Foundation

/// What can be taken from files and other programs. SwiftUI's protocol; `Data`, `String`, `URL` and `Image` are such.
public protocol Transferable {
    /// The type of `transferRepresentation`.
    associatedtype Representation: TransferRepresentation
    /// How it is made of bytes or of a file.
    @TransferRepresentationBuilder<Self> static var transferRepresentation: Representation { get }
}

/// How something is made of bytes or of a file. SwiftUI's protocol.
public protocol TransferRepresentation: Sendable {
    /// What is made.
    associatedtype Item
    /// Not for apps: makes it of a file; nil if it is not for this type.
    func _make(_ file: URL, _ type: UTType) async throws -> Item?
}

/// Made of a file's bytes. SwiftUI's type.
public struct DataRepresentation<Item>: TransferRepresentation {
    private let type: UTType
    private let importing: (@Sendable (Data) async throws -> Item)?
    /// - Parameter importing: Makes the item of the bytes of a file.
    public init(importedContentType: UTType, importing: @escaping @Sendable (Data) async throws -> Item) {
        type = importedContentType
        self.importing = importing
    }
    /// - Parameters:
    ///   - exporting: Not called: nothing is given to other programs here.
    ///   - importing: Makes the item of the bytes of a file.
    public init(
        contentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data,
        importing: @escaping @Sendable (Data) async throws -> Item
    ) { self.init(importedContentType: contentType, importing: importing) }
    /// - Parameter exporting: Not called: nothing is given to other programs here.
    public init(exportedContentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data) {
        type = exportedContentType
        importing = nil
    }
    public func _make(_ file: URL, _ type: UTType) async throws -> Item? {
        guard let importing, type.conforms(to: self.type) else { return nil }
        return try await importing(Data(contentsOf: file))
    }
}

/// A file that was received. SwiftUI's type.
public struct ReceivedTransferredFile: Sendable {
    /// The file, which stays where it is.
    public let file: URL
    /// Whether it is the user's own file, and no copy: true, as nothing is copied here.
    public let isOriginalFile: Bool
}
/// A file that is given to another program. SwiftUI's type.
public struct SentTransferredFile: Sendable {
    /// The file.
    public let file: URL
    /// Whether the other program may use the file itself.
    public let allowAccessingOriginalFile: Bool
    /// Names a file.
    public init(_ file: URL, allowAccessingOriginalFile: Bool = false) {
        (self.file, self.allowAccessingOriginalFile) = (file, allowAccessingOriginalFile)
    }
}

/// Made of a file. SwiftUI's type.
public struct FileRepresentation<Item>: TransferRepresentation {
    private let type: UTType
    private let importing: (@Sendable (ReceivedTransferredFile) async throws -> Item)?
    /// - Parameter importing: Makes the item of a file.
    public init(
        importedContentType: UTType, shouldAttemptToOpenInPlace: Bool = false,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {
        type = importedContentType
        self.importing = importing
    }
    /// - Parameters:
    ///   - exporting: Not called: nothing is given to other programs here.
    ///   - importing: Makes the item of a file.
    public init(
        contentType: UTType, shouldAttemptToOpenInPlace: Bool = false,
        exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) { self.init(importedContentType: contentType, importing: importing) }
    /// - Parameter exporting: Not called: nothing is given to other programs here.
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

/// Made as something else is. SwiftUI's type.
public struct ProxyRepresentation<Item, Other: Transferable>: TransferRepresentation {
    private let importing: (@Sendable (Other) async throws -> Item)?
    /// - Parameter importing: Makes the item of the other.
    public init(importing: @escaping @Sendable (Other) async throws -> Item) { self.importing = importing }
    /// - Parameters:
    ///   - exporting: Not called: nothing is given to other programs here.
    ///   - importing: Makes the item of the other.
    public init(
        exporting: @escaping @Sendable (Item) throws -> Other,
        importing: @escaping @Sendable (Other) async throws -> Item
    ) { self.importing = importing }
    /// - Parameter exporting: Not called: nothing is given to other programs here.
    public init(exporting: @escaping @Sendable (Item) throws -> Other) { importing = nil }
    public func _make(_ file: URL, _ type: UTType) async throws -> Item? {
        guard let importing, let other = try await Transfers.make(Other.self, of: file, type) else { return nil }
        return try await importing(other)
    }
}

/// Several ways, of which the first that suits is taken.
public struct _TransferRepresentations<First: TransferRepresentation, Second: TransferRepresentation>:
    TransferRepresentation
where First.Item == Second.Item {
    let first: First, second: Second
    public func _make(_ file: URL, _ type: UTType) async throws -> First.Item? {
        if let item = try await first._make(file, type) { return item }
        return try await second._make(file, type)
    }
}
/// Collects the ways in which something is made.
@resultBuilder
public enum TransferRepresentationBuilder<Item> {
    /// Takes the first way as it is.
    public static func buildPartialBlock<R: TransferRepresentation>(first: R) -> R where R.Item == Item { first }
    /// Adds another way.
    public static func buildPartialBlock<A: TransferRepresentation, B: TransferRepresentation>(accumulated: A, next: B)
        -> some TransferRepresentation
    where A.Item == Item, B.Item == Item { _TransferRepresentations(first: accumulated, second: next) }
}

/// Makes values of files.
enum Transfers {
    static func make<T: Transferable>(_ type: T.Type, of file: URL, _ kind: UTType) async throws -> T? {
        try await T.transferRepresentation._make(file, kind) as? T
    }
}

extension Data: Transferable {
    /// The bytes of any file.
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation<Data>(importedContentType: .item) { $0 }
    }
}
extension String: Transferable {
    /// The text of a file in UTF-8.
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation<String>(importedContentType: .text) { String(decoding: $0, as: UTF8.self) }
    }
}
extension URL: Transferable {
    /// The URL of any file.
    public static var transferRepresentation: some TransferRepresentation {
        FileRepresentation<URL>(importedContentType: .item) { $0.file }
    }
}
extension Image: @preconcurrency Transferable {
    /// An image in a file.
    public static var transferRepresentation: some TransferRepresentation {
        FileRepresentation<Image>(importedContentType: .image) { file in await Image(fileURL: file.file) }
    }
}
