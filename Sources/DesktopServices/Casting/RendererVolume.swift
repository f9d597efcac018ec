import Foundation

/// The volume of a renderer. While the volume is being set, reports of the renderer are ignored, because they may be
/// outdated.
@MainActor
final class RendererVolume {
    private let renderer: Renderer
    private var wanted: (level: Float, isMuted: Bool)?
    private var isSetting = false
    /// Whether the volume has been read from the renderer.
    private(set) var isKnown = false

    init(_ renderer: Renderer) { self.renderer = renderer }

    func set(_ level: Float, isMuted: Bool) {
        wanted = (level, isMuted)
        guard !isSetting, let rendering = renderer.rendering else { return }
        isSetting = true
        Task { [weak self] in
            // While the user drags a slider, send only the latest value.
            while let self, let wanted {
                self.wanted = nil
                let maximumVolume = await renderer.volumeRange()
                let level = Int((Double(wanted.level) * Double(maximumVolume)).rounded())
                _ = try? await rendering.call(
                    "SetVolume", ["InstanceID": "0", "Channel": "Master", "DesiredVolume": String(level)])
                _ = try? await rendering.call(
                    "SetMute", ["InstanceID": "0", "Channel": "Master", "DesiredMute": wanted.isMuted ? "1" : "0"])
            }
            self?.isSetting = false
        }
    }

    /// Reads the volume, 0 … 1. Returns nil if the renderer does not report it, or while it is being set.
    func read() async -> (level: Float, isMuted: Bool)? {
        guard !isSetting, let rendering = renderer.rendering else { return nil }
        let maximumVolume = await renderer.volumeRange()
        guard
            let text = try? await rendering.call(
                "GetVolume", ["InstanceID": "0", "Channel": "Master"], answers: ["CurrentVolume"])["CurrentVolume"],
            let level = Int(text.trimmingCharacters(in: .whitespaces)), level >= 0
        else { return nil }
        let mute = try? await rendering.call(
            "GetMute", ["InstanceID": "0", "Channel": "Master"], answers: ["CurrentMute"])["CurrentMute"]
        guard !isSetting else { return nil }
        isKnown = true
        return (
            Float(min(level, maximumVolume)) / Float(maximumVolume),
            ["1", "true", "yes"].contains(mute?.lowercased() ?? "")
        )
    }
}
