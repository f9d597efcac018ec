import Foundation
import MediaCore

/// The phase of loading an image. Matches SwiftUI's `AsyncImagePhase`.
///
/// ```swift
/// AsyncImage(url: poster) { phase in
///     switch phase {
///     case .success(let image): image.resizable().scaledToFit()
///     case .failure: Image(systemName: "photo")
///     default: ProgressView()
///     }
/// }
/// ```
public enum AsyncImagePhase {
    /// No image is loaded yet, or the URL is nil.
    case empty
    /// The image is loaded.
    case success(Image)
    /// Loading failed with an `AsyncImageError`, with an `AVError` if the network failed, or with Foundation's error if
    /// a file cannot be read.
    case failure(any Error)
    /// The loaded image, or nil if there is none.
    public var image: Image? { if case .success(let image) = self { image } else { nil } }
    /// The error that stopped loading, or nil if there is none.
    public var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}

/// An error that occurred while an image was loaded.
public enum AsyncImageError: Error, Equatable, LocalizedError, Sendable {
    /// The URL has a scheme other than `file`, `http` and `https`.
    case unsupportedScheme(URL)
    /// The server responded with an HTTP status outside 200…299.
    case status(Int, URL)
    /// GTK cannot read the data as an image. The text is GTK's message.
    case notAPicture(URL, String)
    /// A sentence that describes the error and contains the URL.
    public var errorDescription: String? { cause.errorDescription }
    /// A sentence with the reason.
    public var failureReason: String? { cause.failureReason }
    /// A sentence that suggests a remedy, or nil if none is known.
    public var recoverySuggestion: String? { cause.recoverySuggestion }

    /// The engine's error with the same meaning, which provides the texts.
    private var cause: AVError {
        switch self {
        case .unsupportedScheme(let url): .unsupportedScheme(url)
        case .status(let code, let url): .badStatus(code, at: url.location)
        case .notAPicture(let url, let text): .notAnImage(at: url.location, text)
        }
    }
}

/// A view that loads an image from a `file`, `http` or `https` URL and shows it. Matches SwiftUI's `AsyncImage`.
///
/// ```swift
/// AsyncImage(url: poster) { image in
///     image.resizable().scaledToFill()
/// } placeholder: {
///     Color.gray
/// }
/// .frame(width: 160, height: 90)
/// .clipped()
/// ```
/// Loading and decoding run off the main actor. They begin when the view appears and begin again when the URL or
/// the scale changes. They are canceled when the view disappears. A view that appears again keeps its image; if it has
/// none, loading begins again. Without a URL, the phase stays `.empty`.
public struct AsyncImage<Content: View>: View {
    let url: URL?
    let scale: CGFloat
    let transaction: Transaction
    let content: (AsyncImagePhase) -> Content
    @State private var phase = AsyncImagePhase.empty
    /// The request of the last image.
    @State private var loaded: Request?

    /// Creates a view whose content depends on the phase of loading.
    ///
    /// - Parameters:
    ///   - url: The URL of the image, or nil for none.
    ///   - scale: The number of the image's pixels per point. A value that is not greater than 0, or not finite, counts
    ///     as 1.
    ///   - transaction: The transaction in which the phase changes.
    ///   - content: The view for a phase.
    public init(
        url: URL?, scale: CGFloat = 1, transaction: Transaction = Transaction(),
        @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
    ) {
        self.url = url
        self.scale = scale > 0 ? scale : 1
        self.transaction = transaction
        self.content = content
    }

    /// Creates a view with a placeholder for the image.
    ///
    /// - Parameters:
    ///   - url: The URL of the image, or nil for none.
    ///   - scale: The number of the image's pixels per point. A value that is not greater than 0, or not finite, counts
    ///     as 1.
    ///   - content: The view for the loaded image.
    ///   - placeholder: The view until the image is loaded, and if loading fails.
    public init<I: View, P: View>(
        url: URL?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> I,
        @ViewBuilder placeholder: @escaping () -> P
    )
    where Content == _ConditionalContent<I, P> {
        self.init(url: url, scale: scale) { phase in
            if let image = phase.image { content(image) } else { placeholder() }
        }
    }

    public var body: some View {
        content(phase).task(id: Request(url: url, scale: scale)) { await load() }
    }

    private struct Request: Hashable {
        let url: URL?
        let scale: CGFloat
    }

    private func load() async {
        let request = Request(url: url, scale: scale)
        if phase.image != nil, loaded == request { return }
        if case .empty = phase {} else { phase = .empty }
        guard let url else { return }
        let result = await ImageFetch.texture(url, scale: scale)
        guard !Task.isCancelled else { return }
        withTransaction(transaction) {
            switch result {
            case .success(let texture):
                phase = .success(Image(texture: texture))
                loaded = request
            case .failure(let error): phase = .failure(error)
            }
        }
    }
}

extension AsyncImage where Content == _ConditionalContent<Image, Color> {
    /// Creates a view that is gray until the image is loaded. It stays gray without a URL and if loading fails.
    public init(url: URL?, scale: CGFloat = 1) {
        self.init(url: url, scale: scale) {
            $0
        } placeholder: {
            Shade.track
        }
    }
}
