import GTK
import MediaCore

/// The About dialog: version, authors and licenses. Main actor.
@MainActor
enum AboutDialog {
    static func show(over window: GTKWindow) {
        let own = GTKDialogs.about(
            name: "Zoetrope", version: ProductVersion.text,
            comments: localized("A video player for files, streams and playlists"),
            copyright: "© 2026 The Zoetrope authors", icon: AppIcon.name, licence: licenses)
        own.setModal(over: window)
        own.present()
    }

    private static let licenses = """
        Zoetrope is free software under the MIT License. You may use, copy, change, share and sell it if you keep this \
        notice. It comes without any warranty.

        It uses these libraries:

        FFmpeg: GNU LGPL 2.1 or later (GNU GPL 2 or later in Debian’s build)
        GTK, GLib, Pango, GUPnP: GNU LGPL 2.1 or later
        cairo: GNU LGPL 2.1 or MPL 1.1
        PulseAudio client library: GNU LGPL 2.1 or later
        libass: ISC License
        libcurl: curl License
        uchardet: MPL 1.1, GNU GPL 2 or LGPL 2.1
        SQLite: public domain
        GRDB.swift: MIT License
        OpenCombine: MIT License
        Swift, swift-argument-parser, swift-log: Apache License 2.0 with Runtime Library Exception
        """
}
