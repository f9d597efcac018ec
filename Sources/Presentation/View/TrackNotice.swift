import MediaEngine

/// The text over a view's video that names the tracks that cannot be decoded. It can be disabled.
@MainActor
final class TrackNotice {
    private(set) var text: String? { didSet { if text != oldValue { onChange(text) } } }
    var onChange: (String?) -> Void = { _ in }
    var isEnabled = true { didSet { if isEnabled != oldValue { follow() } } }
    private weak var player: AVPlayer?
    private var failures: TrackFailures?

    /// Sets the player that is shown, or nil if there is none.
    func follow(_ player: AVPlayer?) {
        self.player = player
        text = nil
        follow()
    }

    private func follow() {
        failures = player.flatMap { player in
            isEnabled ? TrackFailures(player) { [weak self] in self?.text = $0 } : nil
        }
        if failures == nil { text = nil }
    }
}
