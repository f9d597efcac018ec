import Foundation
import Synchronization

/// How pictures reach the screen. Chosen once a process, before GTK starts.
package enum Renderer: String, Sendable {
    /// Our own GL context: YUV planes as textures, converted by a shader, handed to GTK as a texture.
    case gl
    /// Converted and scaled on the CPU, straight into the memory that is shown.
    case cpu

    /// The renderer that the user requested: by `request`, else by `ZOETROPE_RENDERER=gl|cpu`; nil: none.
    package static var requested: Renderer? { asked.withLock { $0 } }

    private static let asked = Mutex(
        ProcessInfo.processInfo.environment["ZOETROPE_RENDERER"].flatMap { Renderer(rawValue: $0.lowercased()) })

    /// Requests a renderer. Call before the first use of `chosen`; later calls have no effect on it.
    package static func request(_ renderer: Renderer) { asked.withLock { $0 = renderer } }

    /// The requested one; else GL where there is a graphics device, and CPU where GL would only be emulated. (A device
    /// node is asked for, not a context: making a software context costs 100 MB and a tenth of a second. A device whose
    /// driver turns out to be software falls back in `GLPresenter`.)
    package static let chosen: Renderer = {
        if let requested { return requested }
        return hasDevice ? .gl : .cpu
    }()

    /// Whether there is a graphics device.
    package static let hasDevice: Bool = {
        let nodes = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/dri")) ?? []
        return nodes.contains { $0.hasPrefix("renderD") }
    }()
}
