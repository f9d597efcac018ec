import Foundation

/// A playback speed that a player's controls offer. AVKit's class.
///
/// ```swift
/// controller.speeds = [
///     AVPlaybackSpeed(rate: 0.75, localizedName: "Slow"),
///     AVPlaybackSpeed(rate: 1, localizedName: "Normal"),
///     AVPlaybackSpeed(rate: 2, localizedName: "Fast"),
/// ]
/// ```
public final class AVPlaybackSpeed: Hashable, Sendable {
    /// The playback rate, more than 0; 1 is the normal speed.
    public let rate: Float
    /// The name in the menu, in the user's language.
    public let localizedName: String
    /// The rate as text, such as “1.5×”.
    public var localizedNumericName: String { AVPlaybackSpeed.name(rate) }

    /// Creates a speed for a menu.
    /// - Parameters:
    ///   - rate: The playback rate; 1 is the normal speed.
    ///   - localizedName: The name in the menu, in the user's language.
    public init(rate: Float, localizedName: String) { (self.rate, self.localizedName) = (rate, localizedName) }
    private convenience init(_ rate: Float) { self.init(rate: rate, localizedName: AVPlaybackSpeed.name(rate)) }

    /// The default speeds: 0.5, 1, 1.25, 1.5 and 2.
    public static let systemDefaultSpeeds = [0.5, 1, 1.25, 1.5, 2].map { AVPlaybackSpeed(Float($0)) }

    private static func name(_ rate: Float) -> String {
        let text = rate == rate.rounded() ? String(format: "%.0f", rate) : String(format: "%g", rate)
        return "\(text)×"
    }
    public static func == (a: AVPlaybackSpeed, b: AVPlaybackSpeed) -> Bool {
        a.rate == b.rate && a.localizedName == b.localizedName
    }
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rate)
        hasher.combine(localizedName)
    }
}
