import Foundation

/// A type that an `NSItemProvider` can load: `URL` or `String`.
public protocol NSItemProviderReading: Sendable {
    /// Creates a value from a dragged item; returns nil if the item has no such value. Not for apps.
    init?(_item: NSItemProvider)
}
extension URL: NSItemProviderReading {
    /// Creates a URL from a dragged URL, or from dragged text that is a URL with a scheme. Returns nil for other text.
    public init?(_item: NSItemProvider) {
        switch _item.content {
        case .url(let url): self = url
        case .text(let text):
            guard let url = URL(string: text.trimmingCharacters(in: .whitespacesAndNewlines)), url.scheme != nil else {
                return nil
            }
            self = url
        }
    }
}
extension String: NSItemProviderReading {
    /// Creates a string from dragged text, or from the text of a dragged URL. Never returns nil.
    public init?(_item: NSItemProvider) {
        switch _item.content {
        case .url(let url): self = url.absoluteString
        case .text(let text): self = text
        }
    }
}

/// A dragged item: a file, another URL, or text. Modeled on Foundation's type on Apple's platforms.
///
/// A provider is immutable and can be used on any thread. Completion handlers run on the main queue. If the main thread
/// requests the value, they run after the call has returned.
public final class NSItemProvider: Sendable {
    enum Content: Sendable {
        case url(URL)
        case text(String)
    }
    let content: Content

    /// An error that occurs when a dragged item is loaded.
    public enum LoadError: LocalizedError, Sendable {
        /// The item can't be loaded as the requested type.
        case unavailableType

        /// A sentence that states what failed.
        public var errorDescription: String? { "The dragged item can't be loaded as the requested type." }
        /// A sentence that states the reason.
        public var failureReason: String? { "The item has no representation of that type." }
        /// A sentence that suggests a remedy.
        public var recoverySuggestion: String? { "Request one of the item's registered types." }
    }

    /// The label shown during the drag, or nil to show GTK's icon of the content.
    let title: String?

    init(_ content: Content, title: String? = nil) {
        self.content = content
        self.title = title
    }
    /// Creates a provider of text that represents an object with a title.
    package convenience init(object: String, title: String) { self.init(.text(object), title: title) }
    /// Creates a provider of a file or another URL.
    public convenience init(object: URL) { self.init(.url(object)) }
    /// Creates a provider of text.
    public convenience init(object: String) { self.init(.text(object)) }
    /// Creates a provider of a file. Returns nil for nil and for a URL of another scheme.
    public convenience init?(contentsOf fileURL: URL?) {
        guard let fileURL, fileURL.isFileURL else { return nil }
        self.init(.url(fileURL))
    }

    /// The name of the file without its extension; nil if the item is not a file.
    public var suggestedName: String? {
        guard case .url(let url) = content, url.isFileURL else { return nil }
        return url.deletingPathExtension().lastPathComponent
    }

    /// The identifiers of the item's types, the most specific first.
    ///
    /// For a file, the first type is determined by the file's extension.
    public var registeredTypeIdentifiers: [String] { types.map(\.identifier) }
    var types: [UTType] {
        switch content {
        case .url(let url) where url.isFileURL:
            let fileType: UTType =
                UTType(filenameExtension: url.pathExtension) ?? (url.hasDirectoryPath ? .folder : .data)
            return [fileType, .fileURL]
        case .url: return [.url]
        // Other apps drag the URLs of pages as text.
        case .text: return URL(_item: self) == nil ? [.utf8PlainText] : [.utf8PlainText, .url]
        }
    }

    /// Returns whether one of the item's types is the given type or conforms to it.
    /// - Parameter typeIdentifier: A type identifier. An unknown identifier matches only itself.
    public func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool {
        types.contains { type in
            type.identifier == typeIdentifier || UTType(typeIdentifier).map { type.conforms(to: $0) } == true
        }
    }

    /// Returns whether `loadObject(ofClass:completionHandler:)` can load a value of this type.
    public func canLoadObject<T: NSItemProviderReading>(ofClass type: T.Type) -> Bool { T(_item: self) != nil }

    /// Loads the item as a `URL` or a `String`.
    /// - Parameters:
    ///   - type: The type to load.
    ///   - completionHandler: Called once, on the main queue, with the value or with `LoadError.unavailableType`.
    /// - Returns: The progress of loading. Canceling it has no effect.
    @discardableResult
    public func loadObject<T: NSItemProviderReading>(
        ofClass type: T.Type, completionHandler: @escaping @Sendable (T?, (any Error)?) -> Void
    ) -> Progress {
        deliver(T(_item: self), completionHandler)
    }

    /// Loads the bytes of a file or a URL, or the text in UTF-8.
    ///
    /// For a file, a type that conforms to `public.url` loads the bytes of its URL; other types load its content. The
    /// content is read on a global queue.
    /// - Parameters:
    ///   - typeIdentifier: The identifier of the type to load.
    ///   - completionHandler: Called once, on the main queue, with the bytes, with `LoadError.unavailableType`, or with
    ///     Foundation's error if a file can't be read.
    /// - Returns: The progress of loading. Canceling it has no effect.
    @discardableResult
    public func loadDataRepresentation(
        forTypeIdentifier typeIdentifier: String, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        guard hasItemConformingToTypeIdentifier(typeIdentifier) else { return deliver(nil, completionHandler) }
        switch content {
        case .text(let text): return deliver(Data(text.utf8), completionHandler)
        case .url(let url):
            let isURLType = UTType(typeIdentifier)?.conforms(to: .url) == true
            guard url.isFileURL, !isURLType else { return deliver(url.dataRepresentation, completionHandler) }
            let progress = Progress(totalUnitCount: 1)
            DispatchQueue.global().async {
                let result = Result { try Data(contentsOf: url) }
                DispatchQueue.main.async {
                    progress.completedUnitCount = 1
                    switch result {
                    case .success(let data): completionHandler(data, nil)
                    case .failure(let error): completionHandler(nil, error)
                    }
                }
            }
            return progress
        }
    }

    /// Loads a URL as its bytes, or text as a `String`.
    /// - Parameters:
    ///   - typeIdentifier: The identifier of the type to load.
    ///   - options: Has no effect.
    ///   - completionHandler: Called once, on the main queue, with the value or with an error. Nil loads nothing.
    public func loadItem(
        forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil,
        completionHandler: (@Sendable ((any Sendable)?, (any Error)?) -> Void)? = nil
    ) {
        guard let completionHandler else { return }
        guard hasItemConformingToTypeIdentifier(typeIdentifier) else {
            _ = deliver(nil, completionHandler)
            return
        }
        switch content {
        case .text(let text): _ = deliver(text, completionHandler)
        case .url(let url): _ = deliver(url.dataRepresentation, completionHandler)
        }
    }

    private func deliver<T: Sendable>(_ value: T?, _ handler: @escaping @Sendable (T?, (any Error)?) -> Void)
        -> Progress
    {
        let progress = Progress(totalUnitCount: 1)
        DispatchQueue.main.async {
            progress.completedUnitCount = 1
            handler(value, value == nil ? LoadError.unavailableType : nil)
        }
        return progress
    }
}
