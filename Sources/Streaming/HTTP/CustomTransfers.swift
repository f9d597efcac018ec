import Foundation

/// A source of responses for URLs that the network loop does not load itself, such as `app://film`.
package protocol CustomTransferSource: AnyObject, Sendable {
    /// Returns whether the source answers requests for `url`. Any thread.
    func loads(_ url: URL) -> Bool
    /// Starts a request, by the rules of `NetworkLoop.start`.
    func start(_ request: HTTPRequest, _ callbacks: HTTPCallbacks, on loop: any NetworkLoop) -> any HTTPTask
}

/// A source of responses as a value of `HTTPOptions`. Two values are equal only if their sources are identical.
package struct CustomTransfers: Sendable, Hashable {
    package let source: any CustomTransferSource
    package init(_ source: any CustomTransferSource) { self.source = source }

    package static func == (a: CustomTransfers, b: CustomTransfers) -> Bool { a.source === b.source }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(source)) }
}

extension HTTPOptions {
    /// Returns whether a request for `url` can be sent: its scheme is http or https, or `custom` loads it.
    package func canRequest(_ url: URL) -> Bool {
        ["http", "https"].contains(url.scheme?.lowercased()) || custom?.source.loads(url) == true
    }
}
