import Foundation

/// A type that an `NSItemProvider` can load: `URL`, `String` or `UIImage`.
public protocol NSItemProviderReading: Sendable {
    /// Returns whether the item may have such a value. Not for apps.
    static func _canBeLoaded(from item: NSItemProvider) -> Bool
    /// Returns the item's value, or nil if it has none. Not for apps.
    @MainActor static func _loaded(from item: NSItemProvider) -> Self?
}
extension URL: NSItemProviderReading {
    public static func _canBeLoaded(from item: NSItemProvider) -> Bool { URL(_item: item) != nil }
    @MainActor public static func _loaded(from item: NSItemProvider) -> URL? { URL(_item: item) }
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
    public static func _canBeLoaded(from item: NSItemProvider) -> Bool { true }
    @MainActor public static func _loaded(from item: NSItemProvider) -> String? { String(_item: item) }
    /// Creates a string from dragged text, or from the text of a dragged URL. Never returns nil.
    public init?(_item: NSItemProvider) {
        switch _item.content {
        case .url(let url): self = url.absoluteString
        case .text(let text): self = text
        }
    }
}
extension UIImage: NSItemProviderReading {
    /// Returns whether the item is an image file, by its extension.
    nonisolated public static func _canBeLoaded(from item: NSItemProvider) -> Bool {
        item.file != nil && item.hasItemConformingToTypeIdentifier(UTType.image.identifier)
    }
    /// Loads an image file. Returns nil for other items, and if GTK can't read the file.
    public static func _loaded(from item: NSItemProvider) -> UIImage? {
        _canBeLoaded(from: item) ? item.file.flatMap { UIImage(contentsOf: $0) } : nil
    }
}

/// A dragged item, or one that the user has selected in a picker: a file, another URL, or text. Modeled on Foundation's
/// type on Apple's platforms.
///
/// A provider is immutable and can be used on any thread. Completion handlers that receive files run on a global queue.
/// The others run on the main queue. If the main thread requests the value, they run after the call has returned.
public final class NSItemProvider: Sendable {
    enum Content: Sendable {
        case url(URL)
        case text(String)
    }
    let content: Content

    /// An error that occurs when an item is loaded.
    public enum LoadError: LocalizedError, Sendable {
        /// The item can't be loaded as the requested type.
        case unavailableType

        /// A sentence that states what failed.
        public var errorDescription: String? { "The item can't be loaded as the requested type." }
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

    /// The URL of the item if it is a file.
    var file: URL? {
        guard case .url(let url) = content, url.isFileURL else { return nil }
        return url
    }
    /// The name of the file without its extension; nil if the item is not a file.
    public var suggestedName: String? { file?.deletingPathExtension().lastPathComponent }

    /// The identifiers of the item's types, the most specific first.
    ///
    /// For a file, the first type is determined by the file's extension.
    public var registeredTypeIdentifiers: [String] { registeredContentTypes.map(\.identifier) }
    /// The item's types, the most specific first.
    public var registeredContentTypes: [UTType] {
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
        registeredContentTypes.contains { type in
            type.identifier == typeIdentifier || UTType(typeIdentifier).map { type.conforms(to: $0) } == true
        }
    }

    /// Returns whether `loadObject(ofClass:completionHandler:)` can load a value of this type. An image file may still
    /// be damaged.
    public func canLoadObject<T: NSItemProviderReading>(ofClass type: T.Type) -> Bool { T._canBeLoaded(from: self) }

    /// Loads the item as a `URL`, a `String` or a `UIImage`.
    /// - Parameters:
    ///   - type: The type to load.
    ///   - completionHandler: Called once, on the main queue, with the value or with `LoadError.unavailableType`.
    /// - Returns: The progress of loading. Canceling it has no effect.
    @discardableResult
    public func loadObject<T: NSItemProviderReading>(
        ofClass type: T.Type, completionHandler: @escaping @Sendable (T?, (any Error)?) -> Void
    ) -> Progress {
        deliver(completionHandler) { T._loaded(from: self) }
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
        guard hasItemConformingToTypeIdentifier(typeIdentifier) else { return deliver(completionHandler) { nil } }
        switch content {
        case .text(let text): return deliver(completionHandler) { Data(text.utf8) }
        case .url(let url):
            let isURLType = UTType(typeIdentifier)?.conforms(to: .url) == true
            guard url.isFileURL, !isURLType else { return deliver(completionHandler) { url.dataRepresentation } }
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

    /// Loads the bytes of a file or a URL, or the text in UTF-8, like `loadDataRepresentation(forTypeIdentifier:)`.
    @discardableResult
    public func loadDataRepresentation(
        for contentType: UTType, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        loadDataRepresentation(forTypeIdentifier: contentType.identifier, completionHandler: completionHandler)
    }

    /// Loads the item as a temporary file: a copy of a file, or a new file with the bytes of a URL or a text.
    ///
    /// The file is in a folder of `$TMPDIR`, by default of `/var/tmp`. Copying takes time for large videos. To play a
    /// file where it is, use `loadInPlaceFileRepresentation`.
    /// - Parameters:
    ///   - typeIdentifier: The identifier of the type to load.
    ///   - completionHandler: Called once, on a global queue, with the file, with `LoadError.unavailableType`, or with
    ///     Foundation's error if the file can't be copied. The file is removed when the closure returns: move or copy
    ///     it in the closure to keep it.
    /// - Returns: The progress of loading. Canceling it has no effect.
    @discardableResult
    public func loadFileRepresentation(
        forTypeIdentifier typeIdentifier: String, completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        DispatchQueue.global(qos: .userInitiated).async {
            let result = Result { try self.temporaryFile(typeIdentifier) }
            progress.completedUnitCount = 1
            switch result {
            case .success(let file):
                completionHandler(file, nil)
                PickedFile.remove(file)
            case .failure(let error): completionHandler(nil, error)
            }
        }
        return progress
    }
    /// Loads the item as a file.
    /// - Parameters:
    ///   - contentType: The type to load.
    ///   - openInPlace: Whether the file itself is loaded, as by `loadInPlaceFileRepresentation`. Otherwise, the file
    ///     is a temporary copy, as by `loadFileRepresentation(forTypeIdentifier:completionHandler:)`.
    ///   - completionHandler: Called once, on a global queue, with the file, whether it is the item's own file, and the
    ///     error.
    /// - Returns: The progress of loading. Canceling it has no effect.
    @discardableResult
    public func loadFileRepresentation(
        for contentType: UTType, openInPlace: Bool = false,
        completionHandler: @escaping @Sendable (URL?, Bool, (any Error)?) -> Void
    ) -> Progress {
        if openInPlace {
            return loadInPlaceFileRepresentation(
                forTypeIdentifier: contentType.identifier, completionHandler: completionHandler)
        }
        return loadFileRepresentation(forTypeIdentifier: contentType.identifier) { file, error in
            completionHandler(file, false, error)
        }
    }
    /// Loads the item's own file. An item that is not a file is loaded as a temporary file.
    /// - Parameters:
    ///   - typeIdentifier: The identifier of the type to load.
    ///   - completionHandler: Called once, on a global queue, with the file, whether it is the item's own file, and the
    ///     error. A temporary file is removed when the closure returns.
    /// - Returns: The progress of loading. Canceling it has no effect.
    @discardableResult
    public func loadInPlaceFileRepresentation(
        forTypeIdentifier typeIdentifier: String,
        completionHandler: @escaping @Sendable (URL?, Bool, (any Error)?) -> Void
    ) -> Progress {
        guard let file = contentFile(typeIdentifier) else {
            return loadFileRepresentation(forTypeIdentifier: typeIdentifier) { file, error in
                completionHandler(file, false, error)
            }
        }
        let progress = Progress(totalUnitCount: 1)
        DispatchQueue.global(qos: .userInitiated).async {
            progress.completedUnitCount = 1
            completionHandler(file, true, nil)
        }
        return progress
    }
    /// Returns the file if the type is one of its content, not of its URL.
    private func contentFile(_ typeIdentifier: String) -> URL? {
        guard hasItemConformingToTypeIdentifier(typeIdentifier), UTType(typeIdentifier)?.conforms(to: .url) != true
        else {
            return nil
        }
        return file
    }
    private func temporaryFile(_ typeIdentifier: String) throws -> URL {
        if let file = contentFile(typeIdentifier) { return try PickedFile.copy(file) }
        guard hasItemConformingToTypeIdentifier(typeIdentifier) else { throw LoadError.unavailableType }
        switch content {
        case .url(let url): return try PickedFile.write(url.dataRepresentation, name: "item.url")
        case .text(let text):
            let ending = UTType(typeIdentifier)?.preferredFilenameExtension ?? "txt"
            return try PickedFile.write(Data(text.utf8), name: "item.\(ending)")
        }
    }

    /// Loads a file as its `URL`, another URL as its bytes, or text as a `String`.
    /// - Parameters:
    ///   - typeIdentifier: The identifier of the type to load. A type that conforms to `public.url` loads the bytes of
    ///     a file's URL.
    ///   - options: Has no effect.
    ///   - completionHandler: Called once, on the main queue, with the value or with an error. Nil loads nothing. The
    ///     URL of a file is that of the file itself, not of a copy.
    public func loadItem(
        forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil,
        completionHandler: (@Sendable ((any Sendable)?, (any Error)?) -> Void)? = nil
    ) {
        guard let completionHandler else { return }
        let result = Result { try item(typeIdentifier) }
        // Not by `deliver`: the compiler (Swift 6.3.1) crashes when its type is `any Sendable`.
        DispatchQueue.main.async {
            switch result {
            case .success(let value): completionHandler(value, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }
    /// Returns a file as its `URL`, another URL as its bytes, or text as a `String`. `loadItem` with a completion
    /// handler describes the parameters.
    /// - Throws: `LoadError.unavailableType`.
    public func loadItem(forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil) async throws
        -> any Sendable
    {
        try item(typeIdentifier)
    }
    private func item(_ typeIdentifier: String) throws -> any Sendable {
        guard hasItemConformingToTypeIdentifier(typeIdentifier) else { throw LoadError.unavailableType }
        if let file = contentFile(typeIdentifier) { return file }
        switch content {
        case .text(let text): return text
        case .url(let url): return url.dataRepresentation
        }
    }

    /// Calls `handler` later on the main queue, with the value that `load` returns there.
    private func deliver<T: Sendable>(
        _ handler: @escaping @Sendable (T?, (any Error)?) -> Void, _ load: @escaping @MainActor () -> T?
    ) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        DispatchQueue.main.async {
            let value = MainActor.assumeIsolated { load() }
            progress.completedUnitCount = 1
            handler(value, value == nil ? LoadError.unavailableType : nil)
        }
        return progress
    }
}
