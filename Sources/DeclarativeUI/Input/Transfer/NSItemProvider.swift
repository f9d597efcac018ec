import Foundation

/// What an `NSItemProvider` can be asked for: `URL` and `String`.
public protocol NSItemProviderReading: Sendable {
    /// Not for apps: made of what was dragged; nil when it is none.
    init?(_item: NSItemProvider)
}
extension URL: NSItemProviderReading {
    /// An address, or text that is one with a scheme; nil for other text.
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
    /// The text, or an address as text; never nil.
    public init?(_item: NSItemProvider) {
        switch _item.content {
        case .url(let url): self = url.absoluteString
        case .text(let text): self = text
        }
    }
}

/// Something that is dragged: a file, an address, or text. Foundation's type on Apple's systems.
///
/// Immutable; for any thread. What is asked for is told on the main queue, after the call has returned.
public final class NSItemProvider: Sendable {
    enum Content: Sendable {
        case url(URL)
        case text(String)
    }
    let content: Content

    /// Why something could not be given.
    public enum LoadError: LocalizedError, Sendable {
        /// It is not of that kind.
        case unavailableType

        /// What went wrong: a sentence.
        public var errorDescription: String? { "The dragged item can't be loaded as the requested type." }
        /// Why: a sentence.
        public var failureReason: String? { "The item has no representation of that type." }
        /// What to do about it: a sentence.
        public var recoverySuggestion: String? { "Request one of the item's registered types." }
    }

    /// What people see of it while it is dragged; nil: what GTK shows of its content.
    let title: String?

    init(_ content: Content, title: String? = nil) {
        self.content = content
        self.title = title
    }
    /// Text that stands for something that has a name.
    package convenience init(object: String, title: String) { self.init(.text(object), title: title) }
    /// Makes a provider of a file or another address.
    public convenience init(object: URL) { self.init(.url(object)) }
    /// Makes a provider of text.
    public convenience init(object: String) { self.init(.text(object)) }
    /// A file. Nil for another address.
    public convenience init?(contentsOf fileURL: URL?) {
        guard let fileURL, fileURL.isFileURL else { return nil }
        self.init(.url(fileURL))
    }

    /// The name of the file, without its ending.
    public var suggestedName: String? {
        guard case .url(let url) = content, url.isFileURL else { return nil }
        return url.deletingPathExtension().lastPathComponent
    }

    /// What it is, the most exact first: for a file also its own type, by its ending.
    public var registeredTypeIdentifiers: [String] { types.map(\.identifier) }
    var types: [UTType] {
        switch content {
        case .url(let url) where url.isFileURL:
            let own: UTType = UTType(filenameExtension: url.pathExtension) ?? (url.hasDirectoryPath ? .folder : .data)
            return [own, .fileURL]
        case .url: return [.url]
        case .text: return [.utf8PlainText]
        }
    }

    /// Whether it is of the type with this name, or of a kind of it; for a name that is not known only the name counts.
    public func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool {
        types.contains { type in
            type.identifier == typeIdentifier || UTType(typeIdentifier).map { type.conforms(to: $0) } == true
        }
    }

    /// Whether `loadObject` can give a value of this type.
    public func canLoadObject<T: NSItemProviderReading>(ofClass type: T.Type) -> Bool { T(_item: self) != nil }

    /// Gives what was dragged as a `URL` or a `String`.
    /// - Parameter completionHandler: called once; with `LoadError.unavailableType` when it is none.
    @discardableResult
    public func loadObject<T: NSItemProviderReading>(
        ofClass type: T.Type, completionHandler: @escaping @Sendable (T?, (any Error)?) -> Void
    ) -> Progress {
        answer(T(_item: self), completionHandler)
    }

    /// The bytes of a file, of an address, or of text in UTF-8. - Parameter completionHandler: called once.
    @discardableResult
    public func loadDataRepresentation(
        forTypeIdentifier typeIdentifier: String, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        guard hasItemConformingToTypeIdentifier(typeIdentifier) else { return answer(nil, completionHandler) }
        switch content {
        case .text(let text): return answer(Data(text.utf8), completionHandler)
        case .url(let url):
            let isAddress = UTType(typeIdentifier)?.conforms(to: .url) == true
            guard url.isFileURL, !isAddress else { return answer(url.dataRepresentation, completionHandler) }
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

    /// An address as its bytes, text as a `String`. - Parameters: `options` have no effect; `completionHandler` is
    /// called once.
    public func loadItem(
        forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil,
        completionHandler: (@Sendable ((any Sendable)?, (any Error)?) -> Void)? = nil
    ) {
        guard let completionHandler else { return }
        guard hasItemConformingToTypeIdentifier(typeIdentifier) else {
            _ = answer(nil, completionHandler)
            return
        }
        switch content {
        case .text(let text): _ = answer(text, completionHandler)
        case .url(let url): _ = answer(url.dataRepresentation, completionHandler)
        }
    }

    private func answer<T: Sendable>(_ value: T?, _ handler: @escaping @Sendable (T?, (any Error)?) -> Void) -> Progress
    {
        let progress = Progress(totalUnitCount: 1)
        DispatchQueue.main.async {
            progress.completedUnitCount = 1
            handler(value, value == nil ? LoadError.unavailableType : nil)
        }
        return progress
    }
}
