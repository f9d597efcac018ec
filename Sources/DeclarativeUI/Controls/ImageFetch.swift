import CGTK
import Foundation
import Synchronization
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fetches and decodes pictures, off the main actor.
enum ImageFetch {
    /// A GdkTexture, which never changes and may go from thread to thread.
    private struct Decoded: @unchecked Sendable { let texture: OpaquePointer }

    @MainActor
    static func texture(_ url: URL, scale: CGFloat) async -> Result<TextureBox, any Error> {
        do {
            let decoded = try await decoded(url)
            return .success(TextureBox(owning: decoded.texture, scale: scale))
        } catch {
            return .failure(error)
        }
    }

    @concurrent
    private static func decoded(_ url: URL) async throws -> Decoded {
        let data = switch url.scheme?.lowercased() {
        case "file": try Data(contentsOf: url)
        case "http", "https": try await download(url)
        default: throw AsyncImageError.unsupportedScheme(url)
        }
        try Task.checkCancellation()
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, UInt($0.count)) }
        defer { g_bytes_unref(bytes) }
        var error: UnsafeMutablePointer<GError>?
        if let texture = gdk_texture_new_from_bytes(bytes, &error) { return Decoded(texture: texture) }
        defer { if let error { g_error_free(error) } }
        throw AsyncImageError.notAPicture(url, error.map { String(cString: $0.pointee.message) } ?? "unknown format")
    }

    private static func download(_ url: URL) async throws -> Data {
        let running = Mutex<URLSessionDataTask?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Data, any Error>) in
                let task = URLSession.shared.dataTask(with: url) { data, response, error in
                    if let error { return continuation.resume(throwing: error) }
                    if let status = (response as? HTTPURLResponse)?.statusCode, !(200...299).contains(status) {
                        return continuation.resume(throwing: AsyncImageError.status(status, url))
                    }
                    continuation.resume(returning: data ?? Data())
                }
                running.withLock { $0 = task }
                task.resume()
                if Task.isCancelled { task.cancel() }
            }
        } onCancel: {
            running.withLock { $0 }?.cancel()
        }
    }
}
