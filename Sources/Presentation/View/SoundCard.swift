import CGTK
import Foundation
import GTKSupport
import MediaCore
import MediaEngine
import PlayerControls

/// What a window shows of sound alone: who sings what, and how far it is; below its cover, if it has one. Main actor.
@MainActor
final class SoundCard {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let title: UnsafeMutablePointer<GtkWidget>
    private let artist: UnsafeMutablePointer<GtkWidget>
    private let bar: UnsafeMutablePointer<GtkWidget>
    private let elapsed: UnsafeMutablePointer<GtkWidget>
    private let whole: UnsafeMutablePointer<GtkWidget>
    /// Where the file says nothing of its own.
    private let name: String
    private weak var item: AVPlayerItem?
    private weak var player: AVPlayer?
    private var timeObserver: Any?
    /// What the file says of itself, once it is known.
    private var told: [AVMetadataItem] = []
    private var words: [NSKeyValueObservation] = []

    /// - Parameter name: what is shown as the title when the file tells none.
    init?(title name: String) {
        SoundCard.style.ensure()
        func label(_ style: String, _ align: GtkAlign) -> UnsafeMutablePointer<GtkWidget>? {
            guard let label = gtk_label_new(nil) else { return nil }
            gtk_widget_set_halign(label, align)
            gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
            gtk_widget_add_css_class(label, style)
            return label
        }
        guard let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4), let row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12),
            let title = label("zoetrope-sound-title", GTK_ALIGN_CENTER),
            let artist = label("zoetrope-sound-artist", GTK_ALIGN_CENTER),
            let elapsed = label("zoetrope-sound-time", GTK_ALIGN_START),
            let whole = label("zoetrope-sound-time", GTK_ALIGN_END),
            let bar = gtk_progress_bar_new()
        else { return nil }
        (widget, self.title, self.artist, self.bar, self.elapsed, self.whole, self.name) = (
            box, title, artist, bar, elapsed, whole, name
        )
        gtk_widget_add_css_class(box, "zoetrope-sound")
        gtk_widget_add_css_class(bar, "zoetrope-sound-bar")
        gtk_widget_set_hexpand(bar, 1)
        gtk_widget_set_valign(bar, GTK_ALIGN_CENTER)
        let line = UnsafeMutablePointer<GtkBox>(OpaquePointer(row))
        let column = UnsafeMutablePointer<GtkBox>(OpaquePointer(box))
        for part in [elapsed, bar, whole] { gtk_box_append(line, part) }
        gtk_label_set_text(OpaquePointer(artist), " ")
        for part in [title, artist, row] { gtk_box_append(column, part) }
        gtk_widget_set_visible(box, 0)
    }

    /// The size, points, of a window that shows it: the cover's, within bounds, over the words.
    func windowSize(cover: CGSize) -> CGSize {
        let width = 480.0
        var words: Int32 = 0
        gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, Int32(width), nil, &words, nil, nil)
        guard cover.width > 0 else { return CGSize(width: width, height: max(180, Double(words))) }
        return CGSize(width: width, height: min(width, max(200, width * cover.height / cover.width)) + Double(words))
    }

    func show(_ item: AVPlayerItem, of player: AVPlayer, belowCover: Bool) {
        gtk_widget_set_vexpand(widget, belowCover ? 0 : 1)
        gtk_widget_set_valign(widget, belowCover ? GTK_ALIGN_END : GTK_ALIGN_CENTER)
        gtk_widget_set_visible(widget, 1)
        if self.item !== item {
            self.item = item
            say(item.asset.url.isFileURL ? item.asset.url.deletingPathExtension().lastPathComponent : name, by: nil)
            told = []
            // What the app says itself is there at once, and may change.
            words = [
                item.observe(\.externalMetadata, options: .initial) { [weak self] item, _ in self?.say(of: item) },
                item.observe(\.streamTitle) { [weak self] item, _ in self?.say(of: item) },
            ]
            let asset = item.asset
            Task { [weak self, weak item] in
                guard let told = try? await asset.load(.commonMetadata), let item, let self, self.item === item else {
                    return
                }
                self.told = told
                say(of: item)
            }
        }
        if timeObserver == nil {
            self.player = player
            timeObserver = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 4)) {
                [weak self] _ in
                MainActor.assumeIsolated { self?.tick() }
            }
        }
        tick()
    }

    func hide() {
        gtk_widget_set_visible(widget, 0)
        item = nil
        words = []
        close()
    }

    /// Watches no longer.
    func close() {
        if let timeObserver { player?.removeTimeObserver(timeObserver) }
        timeObserver = nil
    }

    private func say(of item: AVPlayerItem) {
        let all = item.metadata(over: told)
        func text(_ key: AVMetadataKey) -> String? {
            all.first { $0.commonKey == key && $0.stringValue?.isEmpty == false }?.stringValue
        }
        say(text(.commonKeyTitle), by: text(.commonKeyArtist))
    }

    private func say(_ text: String?, by who: String?) {
        if let text { gtk_label_set_text(OpaquePointer(title), text) }
        // Its line is there in any case: the window has its size before the file has told.
        gtk_label_set_text(OpaquePointer(artist), who ?? " ")
    }

    private func tick() {
        guard let item, let player else { return }
        let now = player.currentTime().seconds
        let length = item.duration.seconds
        gtk_label_set_text(OpaquePointer(elapsed), TimeText.clock(now, unknown: "–"))
        let isKnown = length.isFinite && length > 0
        gtk_widget_set_visible(whole, isKnown ? 1 : 0)
        gtk_widget_set_visible(bar, isKnown ? 1 : 0)
        guard isKnown else { return }
        gtk_label_set_text(OpaquePointer(whole), TimeText.clock(length, unknown: "–"))
        gtk_progress_bar_set_fraction(OpaquePointer(bar), now.isFinite ? min(1, max(0, now / length)) : 0)
        zt_gtk_set_accessible_value_text(
            bar,
            PlayerWords.localized("%@ of %@", TimeText.clock(now, unknown: "–"), TimeText.clock(length, unknown: "–")))
    }

    private static let style = Stylesheet(
        """
        .zoetrope-player { background: black; }
        .zoetrope-sound { padding: 20px 28px; color: white; }
        .zoetrope-sound-title { font-size: 150%; font-weight: bold; }
        .zoetrope-sound-artist { font-size: 110%; color: #b8b8b8; }
        .zoetrope-sound-time { color: #b8b8b8; font-feature-settings: "tnum"; margin-top: 8px; }
        .zoetrope-sound-bar { margin-top: 8px; }
        .zoetrope-sound-bar trough { background: #3a3a3a; border: none; min-width: 4px; min-height: 4px; border-radius: 2px; }
        .zoetrope-sound-bar progress { background: white; border: none; margin: 0; min-width: 4px; min-height: 4px; border-radius: 2px; }
        """)
}
