import Overlays
import Foundation

/// The settings of a player's frames, the overlays over them, and the size of the video on the screen. Main actor.
@MainActor
final class FrameState {
    let composition = PictureComposition()
    /// Called after each change of `settings`.
    var onChange: ((PictureSettings) -> Void)?
    private(set) var settings = PictureSettings()
    /// The frame of the video in its window, in points; nil before a view has reported it. Never empty.
    private(set) var bounds: CGRect?
    private let vectors = VectorOverlay()
    private var isClosed = false

    /// - Parameter overlay: The overlay below the vector layers.
    init(below overlay: any FrameOverlay) {
        composition.add(overlay)
        composition.add(vectors)
    }

    func change(_ body: (inout PictureSettings) -> Void) {
        let old = settings
        body(&settings)
        guard settings != old else { return }
        composition.settings = settings
        updateVectors()
        onChange?(settings)
    }

    /// Sets the bounds. Empty, infinite or unchanged ones are ignored.
    /// - Returns: Whether the size has changed. When a view scrolls, only the origin changes.
    func resize(to rect: CGRect) -> Bool {
        guard rect.width > 0, rect.height > 0, rect.width.isFinite, rect.height.isFinite, rect != bounds else {
            return false
        }
        let old = bounds?.size
        bounds = rect
        updateVectors()
        return rect.size != old
    }

    func close() {
        isClosed = true
        composition.close()
    }

    /// Updates the vector layers. Their builders are called when the size is known, and again when it changes.
    private func updateVectors() {
        guard let bounds, !isClosed else { return }
        composition.viewSize = bounds.size
        vectors.update(vectors: settings.vectors, frame: bounds, bounds: CGRect(origin: .zero, size: bounds.size))
    }
}
