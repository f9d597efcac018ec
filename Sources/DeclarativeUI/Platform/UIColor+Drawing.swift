import Filters
import Foundation

// Layers and filters have no appearance, so colors of views are converted to fixed colors for them.

extension UIColor {
    /// The fixed color for the current appearance. Outside the main thread, the color for the light appearance.
    public var cgColor: CGColor {
        let isDark = Thread.isMainThread && MainActor.assumeIsolated { Appearance.isDark }
        let c = color.resolved(dark: isDark, accent: nil)
        return CGColor(red: c.red, green: c.green, blue: c.blue, alpha: c.opacity)
    }
    /// Creates a color from a layer's color, which is the same in each appearance.
    public convenience init(cgColor: CGColor) { self.init(Color(cgColor: cgColor)) }
}

extension Color {
    /// Creates a color from a layer's color, which is the same in each appearance.
    public init(cgColor: CGColor) {
        self.init(
            red: Double(cgColor.red), green: Double(cgColor.green), blue: Double(cgColor.blue),
            opacity: Double(cgColor.alpha))
    }
    /// The fixed color, or nil for a color that depends on the appearance or the tint.
    public var cgColor: CGColor? {
        guard case .fixed = kind else { return nil }
        return UIColor(self).cgColor
    }
}

extension CIColor {
    /// Creates a color from the fixed color for the current appearance.
    ///
    /// Outside the main thread, uses the color for the light appearance.
    public convenience init(color: UIColor) { self.init(cgColor: color.cgColor) }
}
