import Foundation
import MediaCore

/// A loader for the keys of a stream. Each key is loaded once (RFC 8216 §4.3.2.4).
@NetworkActor
package final class KeyStore {
    private let loop: any NetworkLoop
    private let options: HTTPOptions
    private let retry: RetryPolicy
    private let log: @NetworkActor (HTTPError) -> Void
    private var known: [URL: [UInt8]] = [:]
    private var loads: [URL: SmallLoad] = [:]
    private var waiting: [URL: [(Result<[UInt8], AVError>) -> Void]] = [:]
    /// The number of keys requested over the network.
    private(set) var requests = 0

    nonisolated init(
        loop: any NetworkLoop, options: HTTPOptions, retry: RetryPolicy,
        log: @escaping @NetworkActor (HTTPError) -> Void
    ) {
        self.loop = loop
        self.options = options
        self.retry = retry
        self.log = log
    }

    func stop() {
        for load in loads.values { load.cancel() }
        loads = [:]
        waiting = [:]
    }

    /// Forgets all keys, because another stream may have different keys under the same URLs.
    func forget() { known = [:] }

    func key(at url: URL, _ completion: @escaping (Result<[UInt8], AVError>) -> Void) {
        if let key = known[url] { return completion(.success(key)) }
        waiting[url, default: []].append(completion)
        guard loads[url] == nil else { return }
        requests += 1
        loads[url] = SmallLoad(
            loop: loop, request: HTTPRequest(url: url, options: options, limit: 4096), retry: retry,
            onFailure: { [weak self] in self?.log($0) }, completion: { [weak self] in self?.loaded(url, $0) })
    }

    private func loaded(_ url: URL, _ result: Result<(bytes: [UInt8], response: HTTPResponse), HTTPError>) {
        loads[url] = nil
        let answer: Result<[UInt8], AVError>
        switch result {
        case .failure(let error): answer = .failure(error.avError)
        case .success(let (bytes, _)):
            if let key = KeyStore.key(in: bytes) {
                known[url] = key
                answer = .success(key)
                break
            }
            answer = .failure(
                AVError(
                    .decodeFailed, at: url.absoluteString,
                    reason: "the key has \(bytes.count) bytes instead of 16",
                    suggestion: "Report the error to the publisher of the stream"))
        }
        for completion in waiting.removeValue(forKey: url) ?? [] { completion(answer) }
    }

    /// Returns the 16 bytes of a key, or nil if the data is not a key. A line ending after the key is accepted, because
    /// text editors may add one.
    package nonisolated static func key(in bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 16, [[], [0x0A], [0x0D, 0x0A]].contains(Array(bytes.dropFirst(16))) else { return nil }
        return Array(bytes.prefix(16))
    }

    /// The kind of decryption that a segment requires.
    package enum Need {
        case nothing
        case wholeSegments(EncryptionKey)
        case samples(EncryptionKey)
    }

    /// Returns the decryption that the first supported key requires.
    /// - Throws: An error if none of the keys is supported.
    package nonisolated static func usable(_ keys: [EncryptionKey], at location: String) throws(AVError) -> Need {
        guard !keys.isEmpty else { return .nothing }
        for key in keys where key.keyFormat == "identity" {
            switch key.method {
            case .aes128: return .wholeSegments(key)
            case .sampleAES, .sampleAESCTR: return .samples(key)
            case .other: continue
            }
        }
        let names = keys.map { key -> String in
            let format = key.keyFormat.lowercased()
            if format == "com.apple.streamingkeydelivery" || key.uri.hasPrefix("skd:") { return "FairPlay Streaming" }
            if format.contains("edef8ba9-79d6-4ace-a3c8-27dcd51d21ed") || format == "com.widevine" { return "Widevine" }
            if format.contains("9a04f079-9840-4286-ab92-e65be0885f95") || format == "com.microsoft.playready" {
                return "PlayReady"
            }
            if case .other(let method) = key.method { return "method \(method)" }
            return "“\(key.keyFormat)”"
        }
        throw AVError(
            .unsupportedKeySystem, at: location,
            reason:
                "the stream is protected by \(Set(names).sorted().joined(separator: ", ")), which this player does not support",
            suggestion: "Play a stream that is unencrypted, or encrypted with AES-128 and without DRM")
    }
}
