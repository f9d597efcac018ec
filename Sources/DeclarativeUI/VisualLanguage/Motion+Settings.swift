import GTK

extension Motion {
    /// Reads GTK's `gtk-enable-animations`, which desktops turn off with a switch of their own.
    static func follow() {
        guard let settings = GTKSettings.standard else { return }
        isReduced = !settings.animates
    }
}
