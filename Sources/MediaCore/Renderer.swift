import Foundation
import Synchronization

/// The way in which frames are drawn: filters, and what reaches the screen. It is chosen once per process, before GTK
/// starts.
package enum Renderer: String, Sendable {
    /// OpenGL: a context of our own uploads YUV planes, converts them with a shader, and passes the result to GTK as a
    /// texture. Filters are shaders.
    case gl
    /// The CPU: frames are converted and scaled directly into the memory that is displayed. Filters are vector code, as
    /// far as it exists.
    case cpu

    /// The renderer that the program requested by `request(_:)`, or the user by `ZOETROPE_RENDERER=gl|cpu`. Nil if none
    /// was requested.
    package static var requested: Renderer? { requestedRenderer.withLock { $0 } }

    private static let requestedRenderer = Mutex(
        ProcessInfo.processInfo.environment["ZOETROPE_RENDERER"].flatMap { Renderer(rawValue: $0.lowercased()) })

    /// Requests a renderer. Call it before the first use of `chosen`; later calls have no effect on `chosen`.
    package static func request(_ renderer: Renderer) { requestedRenderer.withLock { $0 = renderer } }

    /// The requested renderer, or else `.gl` if there is a graphics device, and `.cpu` if OpenGL would be emulated.
    ///
    /// The check looks for a device node. A test with a software context would take 100 MB and 0.1 s. If a device's
    /// driver turns out to be software, `GLPresenter` and `PictureRenderer` fall back to the CPU.
    package static let chosen: Renderer = {
        if let requested { return requested }
        return hasDevice ? .gl : .cpu
    }()

    /// Whether there is a graphics device: a render node, or NVIDIA's own node, which is all that a container can have.
    package static let hasDevice: Bool = {
        let nodes = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/dri")) ?? []
        return nodes.contains { $0.hasPrefix("renderD") } || FileManager.default.fileExists(atPath: "/dev/nvidiactl")
    }()
}
