import GTK

extension Motion {
    /// Reads GTK's setting `gtk-enable-animations`, which follows the desktop's own setting for animations.
    static func follow() {
        guard let settings = GTKSettings.standard else { return }
        isReduced = !settings.animates
    }
}
