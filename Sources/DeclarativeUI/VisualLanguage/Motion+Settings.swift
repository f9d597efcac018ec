import GTK

extension Motion {
    /// Reads GTK's setting `gtk-enable-animations`, which desktops change with their own switch.
    static func follow() {
        guard let settings = GTKSettings.standard else { return }
        isReduced = !settings.animates
    }
}
