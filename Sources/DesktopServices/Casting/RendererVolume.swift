import Foundation

/// The volume of a renderer. While it is being set, what the renderer says of it is out of date.
@MainActor
final class RendererVolume {
    private let renderer: Renderer
    private var wanted: (level: Float, isMuted: Bool)?
    private var isSetting = false
    /// Whether it was read once.
    private(set) var isKnown = false

    init(_ renderer: Renderer) { self.renderer = renderer }

    func set(_ level: Float, isMuted: Bool) {
        wanted = (level, isMuted)
        guard !isSetting, let rendering = renderer.rendering else { return }
        isSetting = true
        Task { [weak self] in
            // Of a slider that is dragged, only the latest value is sent.
            while let self, let wanted {
                self.wanted = nil
                let loudest = await renderer.volumeRange()
                let level = Int((Double(wanted.level) * Double(loudest)).rounded())
                _ = try? await rendering.call(
                    "SetVolume", ["InstanceID": "0", "Channel": "Master", "DesiredVolume": String(level)])
                _ = try? await rendering.call(
                    "SetMute", ["InstanceID": "0", "Channel": "Master", "DesiredMute": wanted.isMuted ? "1" : "0"])
            }
            self?.isSetting = false
        }
    }

    /// Nil if the renderer does not say, or while the volume is being set.
    func read() async -> (level: Float, isMuted: Bool)? {
        guard !isSetting, let rendering = renderer.rendering else { return nil }
        let loudest = await renderer.volumeRange()
        guard
            let said = try? await rendering.call(
                "GetVolume", ["InstanceID": "0", "Channel": "Master"], answers: ["CurrentVolume"])["CurrentVolume"],
            let level = Int(said.trimmingCharacters(in: .whitespaces)), level >= 0
        else { return nil }
        let mute = try? await rendering.call(
            "GetMute", ["InstanceID": "0", "Channel": "Master"], answers: ["CurrentMute"])["CurrentMute"]
        guard !isSetting else { return nil }
        isKnown = true
        return (
            Float(min(level, loudest)) / Float(loudest), ["1", "true", "yes"].contains(mute?.lowercased() ?? "")
        )
    }
}
