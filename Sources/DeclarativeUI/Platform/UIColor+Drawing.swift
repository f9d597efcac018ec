import Filters
import Foundation

// Colours of views for what is drawn by layers and filters, which know no appearance.

extension UIColor {
    /// Of a colour with a role the one for the present appearance; off the main thread that for the light one.
    public var cgColor: CGColor {
        let isDark = Thread.isMainThread && MainActor.assumeIsolated { Appearance.isDark }
        let c = color.resolved(dark: isDark, accent: nil)
        return CGColor(red: c.red, green: c.green, blue: c.blue, alpha: c.opacity)
    }
    /// Makes a colour of a layers' colour, which is the same in each appearance.
    public convenience init(cgColor: CGColor) { self.init(Color(cgColor: cgColor)) }
}

extension Color {
    /// Makes a colour of a layers' colour, which is the same in each appearance.
    public init(cgColor: CGColor) {
        self.init(
            red: Double(cgColor.red), green: Double(cgColor.green), blue: Double(cgColor.blue),
            opacity: Double(cgColor.alpha))
    }
    /// Nil for a colour with a role, which is another one in each appearance.
    public var cgColor: CGColor? {
        guard case .fixed = kind else { return nil }
        return UIColor(self).cgColor
    }
}

extension CIColor {
    /// Of a colour with a role the one for the present appearance; off the main thread that for the light one.
    public convenience init(color: UIColor) { self.init(cgColor: color.cgColor) }
}
