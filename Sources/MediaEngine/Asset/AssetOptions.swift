import Foundation
import Streaming
import Synchronization

/// The HTTP options of an asset. They change when a download has stored parts of the asset, or when an app requests its
/// resource loader. Thread-safe.
final class AssetOptions: Sendable {
    private let state: Mutex<HTTPOptions>

    init(_ given: HTTPOptions) { state = Mutex(given) }

    /// The options of new requests.
    var http: HTTPOptions { state.withLock { $0 } }

    /// Makes new readers use the downloaded parts in `copies`.
    func read(from copies: LocalCopies) { state.withLock { $0.copies = copies } }

    /// Returns the source of custom responses, which the first call makes.
    func custom(_ make: () -> any CustomTransferSource) -> any CustomTransferSource {
        state.withLock { options in
            if let source = options.custom?.source { return source }
            let source = make()
            options.custom = CustomTransfers(source)
            return source
        }
    }
}
