import CGTK
import Foundation
import GTK
import MediaCore
import MediaEngine
import PlayerControls

/// The content of a window for an audio item, below its artwork: title, artist, position and duration.
@MainActor
final class AudioCard {
    private let box = GTKBox(GTK_ORIENTATION_VERTICAL, spacing: 4)
    var widget: GTKWidget { box.widget }
    private let title, artist, elapsed, whole: GTKLabel
    private let bar = GTKProgressBar()
    /// The title for items without metadata that are not local files.
    private let name: String
    private weak var item: AVPlayerItem?
    private weak var player: AVPlayer?
    private var timeObserver: Any?
    /// The metadata of the file, once it is loaded.
    private var metadata: [AVMetadataItem] = []
    private var metadataObservations: [NSKeyValueObservation] = []

    /// Creates the card.
    /// - Parameter name: The title for items without metadata.
    init(title name: String) {
        AudioCard.style.ensure()
        func label(_ style: String, _ align: GtkAlign) -> GTKLabel {
            let label = GTKLabel()
            label.setAlignment(horizontal: align)
            label.setEllipsize(PANGO_ELLIPSIZE_END)
            label.addClass(style)
            return label
        }
        self.name = name
        title = label("zoetrope-sound-title", GTK_ALIGN_CENTER)
        artist = label("zoetrope-sound-artist", GTK_ALIGN_CENTER)
        elapsed = label("zoetrope-sound-time", GTK_ALIGN_START)
        whole = label("zoetrope-sound-time", GTK_ALIGN_END)
        box.addClass("zoetrope-sound")
        bar.addClass("zoetrope-sound-bar")
        bar.setExpands(horizontally: true)
        bar.setAlignment(vertical: GTK_ALIGN_CENTER)
        let row = GTKBox(GTK_ORIENTATION_HORIZONTAL, spacing: 12)
        for part in [elapsed.widget, bar.widget, whole.widget] { row.append(part) }
        artist.setText(" ")
        for part in [title.widget, artist.widget, row.widget] { box.append(part) }
        box.isVisible = false
    }

    /// Returns the size in points of a window for the card: the artwork's size, within limits, above the text.
    func windowSize(cover: CGSize) -> CGSize {
        let width = 480.0
        let textHeight = box.measure(GTK_ORIENTATION_VERTICAL, for: Int32(width)).natural
        guard cover.width > 0 else { return CGSize(width: width, height: max(180, Double(textHeight))) }
        return CGSize(
            width: width, height: min(width, max(200, width * cover.height / cover.width)) + Double(textHeight))
    }

    func show(_ item: AVPlayerItem, of player: AVPlayer, belowCover: Bool) {
        widget.setExpands(vertically: !belowCover)
        widget.setAlignment(vertical: belowCover ? GTK_ALIGN_END : GTK_ALIGN_CENTER)
        widget.isVisible = true
        if self.item !== item {
            self.item = item
            metadata = []
            // The metadata of the app is available at once and may change.
            metadataObservations = [
                item.observeUntracked(\.externalMetadata, options: .initial) { [weak self] item, _ in
                    self?.showMetadata(of: item)
                },
                item.observeUntracked(\.streamTitle) { [weak self] item, _ in self?.showMetadata(of: item) },
            ]
            let asset = item.asset
            Task { [weak self, weak item] in
                guard let metadata = try? await asset.load(.commonMetadata), let item, let self, self.item === item
                else {
                    return
                }
                self.metadata = metadata
                showMetadata(of: item)
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
        widget.isVisible = false
        item = nil
        metadataObservations = []
        close()
    }

    /// Stops observing the position.
    func close() {
        if let timeObserver { player?.removeTimeObserver(timeObserver) }
        timeObserver = nil
    }

    private func showMetadata(of item: AVPlayerItem) {
        let texts = AudioCard.texts(of: item, over: metadata, name: name)
        title.setText(texts.title)
        // The line of the artist always takes space, because the window gets its size before the metadata is loaded.
        artist.setText(texts.artist ?? " ")
    }

    /// Returns the title and the artist of an item.
    /// - Parameters:
    ///   - item: The item.
    ///   - file: The metadata of the file.
    ///   - name: The title if there is no metadata and the item is not a local file, whose name is then the title.
    static func texts(
        of item: AVPlayerItem, over file: [AVMetadataItem], name: String
    ) -> (title: String, artist: String?) {
        let all = item.metadata(over: file)
        func text(_ key: AVMetadataKey) -> String? {
            all.first { $0.commonKey == key && $0.stringValue?.isEmpty == false }?.stringValue
        }
        let url = item.asset.url
        let itemName = url.isFileURL ? url.deletingPathExtension().lastPathComponent : name
        return (text(.commonKeyTitle) ?? itemName, text(.commonKeyArtist))
    }

    private func tick() {
        guard let item, let player else { return }
        let now = player.currentTime().seconds
        let length = item.duration.seconds
        elapsed.setText(TimeText.clock(now, unknown: "–"))
        let isKnown = length.isFinite && length > 0
        whole.isVisible = isKnown
        bar.isVisible = isKnown
        guard isKnown else { return }
        whole.setText(TimeText.clock(length, unknown: "–"))
        bar.setFraction(now.isFinite ? min(1, max(0, now / length)) : 0)
        bar.setAccessibleValue(
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
