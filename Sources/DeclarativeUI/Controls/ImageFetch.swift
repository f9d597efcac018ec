import CGTK
import Foundation
import MediaCore
import Streaming

/// A namespace for loading and decoding images off the main actor.
enum ImageFetch {
    @MainActor
    static func texture(_ url: URL, scale: CGFloat) async -> Result<TextureBox, any Error> {
        do {
            // A texture is immutable, so the main thread may use one that another thread has created.
            let decoded = try await decoded(url)
            return .success(TextureBox(owning: decoded.value, scale: scale))
        } catch {
            return .failure(error)
        }
    }

    @concurrent
    private static func decoded(_ url: URL) async throws -> HandedOver<OpaquePointer> {
        let data =
            switch url.scheme?.lowercased() {
            case "file": try Data(contentsOf: url)
            case "http", "https": try await download(url)
            default: throw AsyncImageError.unsupportedScheme(url)
            }
        try Task.checkCancellation()
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, UInt($0.count)) }
        defer { g_bytes_unref(bytes) }
        var error: UnsafeMutablePointer<GError>?
        if let texture = gdk_texture_new_from_bytes(bytes, &error) { return HandedOver(texture) }
        defer { if let error { g_error_free(error) } }
        throw AsyncImageError.notAPicture(url, error.map { String(cString: $0.pointee.message) } ?? "unknown format")
    }

    /// Loads data with the engine's HTTP client. Foundation's client would add a second HTTP implementation to every
    /// program that has views.
    private static func download(_ url: URL) async throws -> Data {
        if let kept = kept.data(url) { return kept }
        do throws(HTTPError) {
            let loaded = try await HTTPClient.shared.load(HTTPRequest(url: url))
            kept.keep(loaded, for: url)
            return loaded.data
        } catch {
            if error.kind == .cancelled { throw CancellationError() }
            if error.kind == .status, let status = error.status { throw AsyncImageError.status(status, url) }
            throw error.avError
        }
    }
    private static let kept = KeptImages()
}
