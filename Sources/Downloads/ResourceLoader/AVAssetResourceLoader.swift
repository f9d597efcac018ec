import Foundation
import FoundationNetworking
import MediaCore
import MediaEngine
import Streaming
import Synchronization

/// A mediator between an asset and a delegate of the app, which answers requests for the asset's resources.
///
/// ```swift
/// let asset = AVURLAsset(url: url)  // vault://films/intro.mp4
/// asset.resourceLoader.setDelegate(vault, queue: DispatchQueue(label: "vault"))
/// let player = AVPlayer(playerItem: AVPlayerItem(asset: asset))
/// ```
/// The delegate answers requests for URLs whose scheme is not `http`, `https`, `file` or `data`: for files, HLS
/// playlists, segments and keys. Set it before the asset is first used. Any thread. Corresponds to Apple's class of the
/// same name.
public final class AVAssetResourceLoader: NSObject, Sendable {
    private struct State {
        weak var delegate: (any AVAssetResourceLoaderDelegate)?
        var queue: DispatchQueue?
        var information: [URL: ResourceInformation] = [:]
    }
    private let state = Mutex(State())
    /// The queue of delegates that were set without one.
    private let ownQueue = DispatchQueue(label: "org.zoetrope.resource-loader")

    /// The maximum number of resources whose content information is stored.
    private static let maximumStored = 64

    override init() { super.init() }

    /// The object that answers requests, or nil. It is not retained.
    public var delegate: (any AVAssetResourceLoaderDelegate)? { state.withLock { $0.delegate } }
    /// The queue on which the delegate is called; nil if no queue was set.
    public var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

    /// Sets the delegate.
    /// - Parameters:
    ///   - delegate: The object that answers requests, which is not retained. With nil, URLs with other schemes fail
    ///     with `.unsupportedURL` again.
    ///   - queue: The serial queue on which the delegate is called. With nil, the loader uses a queue of its own. Do
    ///     not block the queue while you wait for the asset, or loading times out.
    public func setDelegate(_ delegate: (any AVAssetResourceLoaderDelegate)?, queue: DispatchQueue?) {
        state.withLock { ($0.delegate, $0.queue) = (delegate, queue) }
    }

    // MARK: calls of the delegate

    /// Passes `request` to the delegate on its queue. Any thread.
    /// - Parameter answer: Called on that queue with whether the delegate answers the request; false if there is no
    ///   longer a delegate.
    func ask(_ request: AVAssetResourceLoadingRequest, _ answer: @escaping @Sendable (Bool) -> Void) {
        perform { loader, delegate in
            answer(delegate?.resourceLoader(loader, shouldWaitForLoadingOfRequestedResource: request) == true)
        }
    }

    /// Notifies the delegate on its queue that the answer to `request` is no longer needed. Any thread.
    func tellCancelled(_ request: AVAssetResourceLoadingRequest) {
        perform { loader, delegate in delegate?.resourceLoader(loader, didCancel: request) }
    }

    private func perform(
        _ call: @escaping @Sendable (AVAssetResourceLoader, (any AVAssetResourceLoaderDelegate)?) -> Void
    ) {
        (state.withLock { $0.queue } ?? ownQueue).async { [self] in call(self, delegate) }
    }

    // MARK: content information

    /// Returns the facts that the delegate has stated about the resource at `url`, or nil if none are stored.
    func information(of url: URL) -> ResourceInformation? { state.withLock { $0.information[url] } }

    func store(_ information: ResourceInformation, of url: URL) {
        state.withLock { state in
            if state.information.count >= Self.maximumStored { state.information = [:] }
            state.information[url] = information
        }
    }
}

extension AVAssetResourceLoader: CustomTransferSource {
    package func loads(_ url: URL) -> Bool {
        guard let scheme = url.scheme?.lowercased(), !["http", "https", "file", "data"].contains(scheme) else {
            return false
        }
        return delegate != nil
    }

    package func start(_ request: HTTPRequest, _ callbacks: HTTPCallbacks, on loop: any NetworkLoop) -> any HTTPTask {
        let transfer = ResourceTransfer(request, callbacks, loader: self, loop: loop)
        loop.perform { transfer.begin() }
        return transfer
    }
}

extension AVURLAsset {
    /// The loader whose delegate answers requests for URLs with schemes of the app. Any thread.
    public var resourceLoader: AVAssetResourceLoader {
        let fresh = AVAssetResourceLoader()
        return customSource { fresh } as? AVAssetResourceLoader ?? fresh
    }
}

/// The methods that a resource loader calls on its delegate, on the queue that was set with it. All methods are
/// optional.
///
/// ```swift
/// final class Vault: NSObject, AVAssetResourceLoaderDelegate {
///     let film: Data
///     init(film: Data) { self.film = film }
///
///     func resourceLoader(
///         _ resourceLoader: AVAssetResourceLoader,
///         shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
///     ) -> Bool {
///         if let information = loadingRequest.contentInformationRequest {
///             information.contentType = AVFileType.mp4.rawValue
///             information.contentLength = Int64(film.count)
///             information.isByteRangeAccessSupported = true
///         }
///         if let request = loadingRequest.dataRequest {
///             let start = min(Int(request.requestedOffset), film.count)
///             request.respond(with: film[start..<start + min(request.requestedLength, film.count - start)])
///         }
///         loadingRequest.finishLoading()
///         return true
///     }
/// }
/// ```
/// A delegate is called on another queue, and is therefore `Sendable`, like the delegates of `URLSession` on Linux.
@preconcurrency
public protocol AVAssetResourceLoaderDelegate: NSObjectProtocol, Sendable {
    /// Returns whether the delegate answers the request, now or later. With false, loading fails.
    ///
    /// The first request for a resource has a `contentInformationRequest` and requests two bytes. Requests for its
    /// content follow. Later loads of the resource may begin with such a first request again. Each request ends with
    /// `finishLoading()` or `finishLoading(with:)`.
    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool
    /// Called when the rest of the answer is no longer needed, for example after a seek. Data that is sent afterward is
    /// ignored.
    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest)
}

extension AVAssetResourceLoaderDelegate {
    public func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool { false }
    public func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest
    ) {}
}
