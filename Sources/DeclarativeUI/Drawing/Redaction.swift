import Foundation
@_spi(Graph) import ViewGraph

/// The reasons why text and images are hidden. Same API as in SwiftUI.
public struct RedactionReasons: OptionSet, Hashable, Sendable {
    /// The reasons, one bit each.
    public let rawValue: Int
    /// Creates reasons from raw bits. Unknown bits have no effect.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Content that is not known yet. Boxes replace text and images.
    public static let placeholder = RedactionReasons(rawValue: 1)
    /// A screen that other people may see. Boxes replace private content.
    public static let privacy = RedactionReasons(rawValue: 1 << 1)
    /// Content that is out of date. Text and images are still shown.
    public static let invalidated = RedactionReasons(rawValue: 1 << 2)
}

private struct RedactionKey: EnvironmentKey { static let defaultValue: RedactionReasons = [] }
extension EnvironmentValues {
    /// The reasons why text and images are hidden.
    public var redactionReasons: RedactionReasons {
        get { self[RedactionKey.self] }
        set { self[RedactionKey.self] = newValue }
    }
    /// Whether boxes replace text and images.
    var isRedacted: Bool { redactionReasons.contains(.placeholder) }
}

extension View {
    /// Adds reasons to hide the text and images in this view.
    ///
    /// With `.placeholder`, boxes replace all text and images. With `.privacy`, boxes replace only those inside views
    /// with `privacySensitive(_:)`. `.invalidated` hides nothing.
    public func redacted(reason: RedactionReasons) -> some View {
        transformEnvironment(\.redactionReasons) { $0.formUnion(reason) }
    }
    /// Shows text and images in this view unchanged.
    public func unredacted() -> some View { setting(\.redactionReasons, []) }
    /// Replaces text and images in this view with boxes if the environment's reasons contain `privacy`.
    public func privacySensitive(_ sensitive: Bool = true) -> some View {
        transformEnvironment(\.redactionReasons) {
            if sensitive, $0.contains(.privacy) { $0.insert(.placeholder) }
        }
    }
}

extension DrawContext {
    /// Draws a box in place of text or an image.
    func redactedBox(_ rect: CGRect, _ environment: EnvironmentValues) {
        guard rect.width > 0, rect.height > 0 else { return }
        var color = Color.primary.resolved(dark: environment.colorScheme == .dark, accent: nil)
        color.opacity *= 0.15
        clipped(RoundedRect(rect: rect, radii: CGSize(width: 3, height: 3).corner(in: rect))) {
            self.color(color, rect)
        }
    }
}
