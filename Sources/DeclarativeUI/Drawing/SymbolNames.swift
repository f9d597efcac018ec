/// Which icons of the freedesktop icon theme stand for Apple's symbols: those that players use.
///
/// The first name that the theme has is shown. What is not in the table shows a placeholder and writes a line
/// to the log.
public enum SymbolNames {
    /// By symbol name, the icons to try in turn.
    public static let icons: [String: [String]] = {
        var all: [String: [String]] = [:]
        for (names, icons) in table {
            for name in names { all[name] = icons }
        }
        return all
    }()

    /// What assistive technology calls a symbol: "speaker slash fill" for `speaker.slash.fill`.
    static func label(_ name: String) -> String { name.split(separator: ".").joined(separator: " ") }

    private static let table: [([String], [String])] = [
        (["play", "play.fill", "play.circle", "play.circle.fill"], ["media-playback-start-symbolic"]),
        (["pause", "pause.fill", "pause.circle", "pause.circle.fill"], ["media-playback-pause-symbolic"]),
        (["stop", "stop.fill", "stop.circle", "stop.circle.fill"], ["media-playback-stop-symbolic"]),
        (["record.circle", "record.circle.fill"], ["media-record-symbolic"]),
        (["backward", "backward.fill", "gobackward", "gobackward.5", "gobackward.10", "gobackward.15", "gobackward.30"], ["media-seek-backward-symbolic"]),
        (["forward", "forward.fill", "goforward", "goforward.5", "goforward.10", "goforward.15", "goforward.30"], ["media-seek-forward-symbolic"]),
        (["backward.end", "backward.end.fill", "backward.frame", "backward.frame.fill"], ["media-skip-backward-symbolic"]),
        (["forward.end", "forward.end.fill", "forward.frame", "forward.frame.fill"], ["media-skip-forward-symbolic"]),
        (["repeat", "repeat.circle", "infinity"], ["media-playlist-repeat-symbolic"]),
        (["repeat.1"], ["media-playlist-repeat-song-symbolic", "media-playlist-repeat-symbolic"]),
        (["shuffle"], ["media-playlist-shuffle-symbolic"]),
        (["speaker", "speaker.fill", "speaker.wave.1", "speaker.wave.1.fill"], ["audio-volume-low-symbolic"]),
        (["speaker.wave.2", "speaker.wave.2.fill"], ["audio-volume-medium-symbolic"]),
        (["speaker.wave.3", "speaker.wave.3.fill"], ["audio-volume-high-symbolic"]),
        (["speaker.slash", "speaker.slash.fill", "speaker.slash.circle"], ["audio-volume-muted-symbolic"]),
        (["mic", "mic.fill"], ["audio-input-microphone-symbolic"]),
        (["headphones"], ["audio-headphones-symbolic"]),
        (["arrow.up.left.and.arrow.down.right", "arrow.up.backward.and.arrow.down.forward", "rectangle.expand.vertical"], ["view-fullscreen-symbolic"]),
        (["arrow.down.right.and.arrow.up.left", "arrow.down.forward.and.arrow.up.backward"], ["view-restore-symbolic"]),
        (["pip", "pip.fill", "pip.enter", "pip.exit"], ["view-restore-symbolic", "view-paged-symbolic"]),
        (["captions.bubble", "captions.bubble.fill", "text.bubble", "text.bubble.fill"], ["media-view-subtitles-symbolic", "format-text-rich-symbolic"]),
        (["film", "film.fill", "video", "video.fill", "play.rectangle", "play.rectangle.fill", "movieclapper"], ["video-x-generic-symbolic"]),
        (["music.note", "music.note.list"], ["audio-x-generic-symbolic", "folder-music-symbolic"]),
        (["photo", "photo.fill"], ["image-x-generic-symbolic"]),
        (["camera", "camera.fill"], ["camera-photo-symbolic"]),
        (["tv", "tv.fill", "display"], ["video-display-symbolic"]),
        (["list.bullet", "list.dash", "list.number"], ["view-list-symbolic"]),
        (["square.grid.2x2", "square.grid.2x2.fill", "square.grid.3x3"], ["view-grid-symbolic"]),
        (["ellipsis", "ellipsis.circle", "ellipsis.circle.fill"], ["view-more-horizontal-symbolic", "view-more-symbolic"]),
        (["line.3.horizontal", "line.horizontal.3"], ["open-menu-symbolic"]),
        (["gear", "gearshape", "gearshape.fill", "slider.horizontal.3"], ["emblem-system-symbolic", "preferences-system-symbolic"]),
        (["xmark", "xmark.circle", "xmark.circle.fill"], ["window-close-symbolic"]),
        (["checkmark", "checkmark.circle", "checkmark.circle.fill"], ["object-select-symbolic", "emblem-ok-symbolic"]),
        (["plus", "plus.circle", "plus.circle.fill"], ["list-add-symbolic"]),
        (["minus", "minus.circle", "minus.circle.fill"], ["list-remove-symbolic"]),
        (["magnifyingglass"], ["system-search-symbolic", "edit-find-symbolic"]),
        (["plus.magnifyingglass"], ["zoom-in-symbolic"]),
        (["minus.magnifyingglass"], ["zoom-out-symbolic"]),
        (["chevron.left", "chevron.backward", "arrow.left"], ["go-previous-symbolic"]),
        (["chevron.right", "chevron.forward", "arrow.right"], ["go-next-symbolic"]),
        (["chevron.up", "arrow.up"], ["go-up-symbolic"]),
        (["chevron.down", "arrow.down"], ["go-down-symbolic"]),
        (["chevron.up.chevron.down"], ["pan-down-symbolic"]),
        (["arrow.clockwise", "arrow.triangle.2.circlepath"], ["view-refresh-symbolic"]),
        (["arrow.counterclockwise", "arrow.uturn.backward"], ["edit-undo-symbolic"]),
        (["arrow.down.circle", "arrow.down.circle.fill", "square.and.arrow.down"], ["folder-download-symbolic", "document-save-symbolic"]),
        (["square.and.arrow.up"], ["document-send-symbolic", "emblem-shared-symbolic"]),
        (["trash", "trash.fill"], ["user-trash-symbolic"]),
        (["pencil", "square.and.pencil"], ["document-edit-symbolic"]),
        (["folder", "folder.fill"], ["folder-symbolic"]),
        (["doc", "doc.fill"], ["text-x-generic-symbolic"]),
        (["star"], ["non-starred-symbolic"]),
        (["star.fill", "heart", "heart.fill"], ["starred-symbolic", "emblem-favorite-symbolic"]),
        (["bookmark", "bookmark.fill"], ["user-bookmarks-symbolic", "bookmark-new-symbolic"]),
        (["clock", "clock.fill", "timer"], ["document-open-recent-symbolic", "preferences-system-time-symbolic"]),
        (["speedometer", "gauge", "hare", "hare.fill", "tortoise", "tortoise.fill"], ["power-profile-performance-symbolic", "media-seek-forward-symbolic"]),
        (["info", "info.circle", "info.circle.fill"], ["dialog-information-symbolic"]),
        (["questionmark", "questionmark.circle", "questionmark.circle.fill"], ["dialog-question-symbolic"]),
        (["exclamationmark.triangle", "exclamationmark.triangle.fill", "exclamationmark.circle", "exclamationmark.circle.fill"], ["dialog-warning-symbolic"]),
        (["wifi"], ["network-wireless-symbolic"]),
        (["wifi.slash", "wifi.exclamationmark"], ["network-wireless-offline-symbolic", "network-offline-symbolic"]),
        (["globe", "network"], ["network-workgroup-symbolic", "web-browser-symbolic"]),
        (["lock", "lock.fill"], ["changes-prevent-symbolic", "system-lock-screen-symbolic"]),
        (["lock.open", "lock.open.fill"], ["changes-allow-symbolic"]),
        (["person", "person.fill", "person.circle"], ["avatar-default-symbolic"]),
        (["house", "house.fill"], ["go-home-symbolic", "user-home-symbolic"]),
        (["sun.max", "sun.max.fill", "sun.min"], ["display-brightness-symbolic", "weather-clear-symbolic"]),
        (["moon", "moon.fill"], ["weather-clear-night-symbolic", "night-light-symbolic"]),
        (["circle.lefthalf.filled", "circle.righthalf.filled"], ["display-brightness-symbolic"]),
        (["paintbrush", "paintpalette", "camera.filters", "wand.and.stars"], ["applications-graphics-symbolic"]),
        (["link"], ["insert-link-symbolic"]),
        (["bell", "bell.fill"], ["preferences-system-notifications-symbolic"]),
        (["eye", "eye.fill"], ["view-reveal-symbolic"]),
        (["eye.slash", "eye.slash.fill"], ["view-conceal-symbolic"]),
        (["sidebar.left", "sidebar.right"], ["sidebar-show-symbolic"]),
        (["command", "keyboard"], ["input-keyboard-symbolic"]),
        (["power"], ["system-shutdown-symbolic"]),
    ]
}
