import Foundation
import FoundationNetworking
import Synchronization

/// A request for a resource, which the delegate of an `AVAssetResourceLoader` answers. Any thread.
///
/// The delegate fills in `contentInformationRequest`, sends bytes with `dataRequest`, or sets `redirect`, and then
/// calls `finishLoading()`. The loader reads the properties after that call. The time between two calls may not exceed
/// the asset's timeout (`AVURLAssetTimeoutKey`, 15 s by default).
public final class AVAssetResourceLoadingRequest: NSObject, Sendable {
    /// An action of the delegate, which the waiting transfer receives.
    enum Event: Sendable {
        case bytes(Data)
        case finished((any Error)?)
    }

    private enum Phase { case loading, finished, cancelled }
    private struct State {
        var phase = Phase.loading
        var response: URLResponse?
        var redirect: URLRequest?
    }
    private let state = Mutex(State())
    private let onEvent: @Sendable (Event) -> Void

    /// The URL, and the headers that the engine would send to a server.
    public let request: URLRequest
    /// The request for facts about the resource. Nil in a request for the resource's content.
    public let contentInformationRequest: AVAssetResourceLoadingContentInformationRequest?
    /// The request for bytes. It is never nil here; it is optional as in AVFoundation.
    public let dataRequest: AVAssetResourceLoadingDataRequest?

    /// Creates a request.
    /// - Parameter onEvent: Called on the thread of the delegate's call, in order. Bytes may follow after the end, and
    ///   must be ignored.
    init(
        _ request: URLRequest, wantsInformation: Bool, offset: Int64, length: Int, isOpenEnded: Bool,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.request = request
        self.onEvent = onEvent
        contentInformationRequest = wantsInformation ? AVAssetResourceLoadingContentInformationRequest() : nil
        dataRequest = AVAssetResourceLoadingDataRequest(
            offset: offset, length: length, isOpenEnded: isOpenEnded, onBytes: { onEvent(.bytes($0)) })
        super.init()
    }

    /// Whether `finishLoading()` or `finishLoading(with:)` was called.
    public var isFinished: Bool { state.withLock { $0.phase == .finished } }
    /// Whether the answer is no longer needed.
    public var isCancelled: Bool { state.withLock { $0.phase == .cancelled } }

    /// The response of the server from which the delegate loads. It has no effect: the loader uses only
    /// `contentInformationRequest` and `redirect`.
    public var response: URLResponse? {
        get { state.withLock { $0.response } }
        set { state.withLock { $0.response = newValue } }
    }
    /// A request for the URL from which the resource is loaded instead, with its headers. If it has none, the asset's
    /// headers apply. Loading fails for a `file` URL, and after more than ten redirects in a row.
    public var redirect: URLRequest? {
        get { state.withLock { $0.redirect } }
        set { state.withLock { $0.redirect = newValue } }
    }

    /// Ends the answer successfully. An answer with fewer bytes than requested counts as cut off. Calls after the first
    /// have no effect.
    public func finishLoading() { finish(.finished(nil)) }
    /// Ends the answer with an error, which is part of the reason in the asset's or item's `AVError`. Nil means an
    /// unknown error. Loading is not retried. Calls after the first have no effect.
    public func finishLoading(with error: (any Error)?) {
        finish(.finished(error ?? CocoaError(.fileReadUnknown)))
    }

    private func finish(_ event: Event) {
        let isFirst = state.withLock { state in
            guard state.phase == .loading else { return false }
            state.phase = .finished
            return true
        }
        if isFirst { onEvent(event) }
    }

    /// Marks the request as canceled. Returns false if the delegate has already ended it.
    func cancel() -> Bool {
        state.withLock { state in
            guard state.phase == .loading else { return false }
            state.phase = .cancelled
            return true
        }
    }
}

/// A request for facts about a resource. Any thread.
public final class AVAssetResourceLoadingContentInformationRequest: NSObject, Sendable {
    private let state = Mutex(ResourceInformation())

    /// The facts that the delegate has set.
    var information: ResourceInformation { state.withLock { $0 } }

    /// The type of the resource, such as `AVFileType.mp4.rawValue`. It has no effect, because the engine recognizes
    /// media by their content.
    public var contentType: String? {
        get { state.withLock { $0.contentType } }
        set { state.withLock { $0.contentType = newValue } }
    }
    /// The length of the resource, in bytes. 0 and negative values mean that it is unknown.
    public var contentLength: Int64 {
        get { state.withLock { $0.length } }
        set { state.withLock { $0.length = newValue } }
    }
    /// Whether the delegate can send any part of the resource. If false, requests begin at the first byte, and seeking
    /// is limited to what has arrived.
    public var isByteRangeAccessSupported: Bool {
        get { state.withLock { $0.supportsRanges } }
        set { state.withLock { $0.supportsRanges = newValue } }
    }
}

/// The facts that a delegate has stated about a resource.
struct ResourceInformation: Sendable {
    var contentType: String?
    var length: Int64 = 0
    var supportsRanges = false
}

/// A request for bytes of a resource. Any thread.
public final class AVAssetResourceLoadingDataRequest: NSObject, Sendable {
    /// The offset of the first requested byte in the resource.
    public let requestedOffset: Int64
    /// The number of requested bytes. `Int.max` if the end of the resource is requested and the length is unknown.
    public let requestedLength: Int
    /// Whether all bytes from `requestedOffset` to the end of the resource are requested.
    public let requestsAllDataToEndOfResource: Bool
    private let sent = Mutex<Int64>(0)
    private let onBytes: @Sendable (Data) -> Void

    init(offset: Int64, length: Int, isOpenEnded: Bool, onBytes: @escaping @Sendable (Data) -> Void) {
        requestedOffset = offset
        requestedLength = length
        requestsAllDataToEndOfResource = isOpenEnded
        self.onBytes = onBytes
        super.init()
    }

    /// The offset of the byte after the last one that was sent.
    public var currentOffset: Int64 { sent.withLock { requestedOffset.addingSaturating($0) } }

    /// Sends the next bytes. Bytes beyond the requested length, and bytes after the end of the request, are ignored.
    /// The data is kept until the player has space for it.
    public func respond(with data: Data) {
        guard !data.isEmpty else { return }
        sent.withLock { $0 = $0.addingSaturating(Int64(data.count)) }
        onBytes(data)
    }
}
