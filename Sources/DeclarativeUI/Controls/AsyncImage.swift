import Foundation
import MediaCore

/// How far a picture is that is being fetched. SwiftUI's type.
public enum AsyncImagePhase {
    /// Nothing is there yet, or there is no address.
    case empty
    /// The picture is there.
    case success(Image)
    /// An `AsyncImageError`; an `AVError` where the network was in the way.
    case failure(any Error)
    /// The picture, where it is there; nil otherwise.
    public var image: Image? { if case .success(let image) = self { image } else { nil } }
    /// Why the picture did not come; nil where it came or is on its way.
    public var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}

/// Why a picture did not come.
public enum AsyncImageError: Error, Equatable, LocalizedError, Sendable {
    /// A scheme other than `file`, `http` and `https`.
    case unsupportedScheme(URL)
    /// The server answered with another HTTP status than 200…299.
    case status(Int, URL)
    /// Nothing that GTK takes for a picture; with what it says.
    case notAPicture(URL, String)
    /// What went wrong, with the URL: a sentence.
    public var errorDescription: String? { cause.errorDescription }
    /// Why: a sentence.
    public var failureReason: String? { cause.failureReason }
    /// What to do about it: a sentence; nil if nothing is known to help.
    public var recoverySuggestion: String? { cause.recoverySuggestion }

    /// The same as the engine's error, whose texts these are.
    private var cause: AVError {
        switch self {
        case .unsupportedScheme(let url): .unsupportedScheme(url)
        case .status(let code, let url): .badStatus(code, at: url.location)
        case .notAPicture(let url, let text): .notAnImage(at: url.location, text)
        }
    }
}

/// A picture fetched from a `file`, `http` or `https` address. SwiftUI's view.
///
/// Fetching and decoding run off the main actor; they begin when the view comes, begin anew when the address becomes
/// another one, and are cancelled when the view goes. Without an address (nil) the phase stays `.empty`. Main actor.
public struct AsyncImage<Content: View>: View {
    let url: URL?
    let scale: CGFloat
    let transaction: Transaction
    let content: (AsyncImagePhase) -> Content
    @State private var phase = AsyncImagePhase.empty

    /// - Parameters:
    ///   - scale: pixels of the picture a point; 1 where it is not more than 0.
    ///   - transaction: with which the phase changes.
    public init(
        url: URL?, scale: CGFloat = 1, transaction: Transaction = Transaction(),
        @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
    ) {
        self.url = url
        self.scale = scale
        self.transaction = transaction
        self.content = content
    }

    /// - Parameter placeholder: shown until the picture is there, and when it does not come.
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
        content(phase).task(id: url) { await load() }
    }

    private func load() async {
        if case .empty = phase {} else { phase = .empty }
        guard let url else { return }
        let result = await ImageFetch.texture(url, scale: scale)
        guard !Task.isCancelled else { return }
        withTransaction(transaction) {
            switch result {
            case .success(let texture): phase = .success(Image(texture: texture))
            case .failure(let error): phase = .failure(error)
            }
        }
    }
}

extension AsyncImage where Content == _ConditionalContent<Image, Color> {
    /// Grey until the picture is there.
    public init(url: URL?, scale: CGFloat = 1) {
        self.init(url: url, scale: scale) {
            $0
        } placeholder: {
            Shade.track
        }
    }
}
