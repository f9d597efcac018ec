import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// Why words and images are not shown. SwiftUI's type.
public struct RedactionReasons: OptionSet, Hashable, Sendable {
    /// One bit a reason.
    public let rawValue: Int
    /// Makes a set of raw bits; other bits mean nothing.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// They are not known yet: boxes stand in their place.
    public static let placeholder = RedactionReasons(rawValue: 1)
    /// Others may look on: boxes stand in the place of what is private.
    public static let privacy = RedactionReasons(rawValue: 1 << 1)
    /// They are not the newest; shown all the same.
    public static let invalidated = RedactionReasons(rawValue: 1 << 2)
}

private struct RedactionKey: EnvironmentKey { static let defaultValue: RedactionReasons = [] }
extension EnvironmentValues {
    /// Why words and images are not shown.
    public var redactionReasons: RedactionReasons {
        get { self[RedactionKey.self] }
        set { self[RedactionKey.self] = newValue }
    }
    /// Boxes stand in the place of words and images.
    var isRedacted: Bool { redactionReasons.contains(.placeholder) }
}

extension View {
    /// Shows boxes in the place of the words and images below: for what is not known yet.
    public func redacted(reason: RedactionReasons) -> some View {
        transformEnvironment(\.redactionReasons) { $0.formUnion(reason) }
    }
    /// Shows the words and images below as they are.
    public func unredacted() -> some View { setting(\.redactionReasons, []) }
    /// Shows boxes in the place of the words and images below where something around says `privacy`.
    public func privacySensitive(_ sensitive: Bool = true) -> some View {
        transformEnvironment(\.redactionReasons) {
            if sensitive, $0.contains(.privacy) { $0.insert(.placeholder) }
        }
    }
}

extension DrawContext {
    /// A box in the place of words or of an image.
    func redactedBox(_ rect: CGRect, _ environment: EnvironmentValues) {
        guard rect.width > 0, rect.height > 0 else { return }
        var color = Color.primary.resolved(dark: environment.colorScheme == .dark, accent: nil)
        color.opacity *= 0.15
        clipped(RoundedRect(rect: rect, radii: CGSize(width: 3, height: 3).corner(in: rect))) {
            self.color(color, rect)
        }
    }
}
