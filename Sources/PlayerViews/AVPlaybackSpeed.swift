import Foundation
import MediaEngine

/// A speed that a player's controls offer. AVKit's class.
public final class AVPlaybackSpeed: Hashable, Sendable {
    /// More than 0; 1: as it was recorded.
    public let rate: Float
    /// As the menu has it.
    public let localizedName: String
    /// “1.5×”.
    public var localizedNumericName: String { AVPlaybackSpeed.name(rate) }

    /// A speed for a menu.
    ///
    /// - Parameters:
    ///   - rate: 1 is as recorded; what the player is set to.
    ///   - localizedName: what the menu says, in the user's language.
    public init(rate: Float, localizedName: String) { (self.rate, self.localizedName) = (rate, localizedName) }
    private convenience init(_ rate: Float) { self.init(rate: rate, localizedName: AVPlaybackSpeed.name(rate)) }

    /// Half, once, one and a quarter, one and a half, twice.
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
