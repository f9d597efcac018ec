import CGTK
import MediaCore

/// The About dialog: version, authors and licences. Main actor.
@MainActor
enum AboutDialog {
    static func show(over window: UnsafeMutablePointer<GtkWindow>) {
        guard let widget = gtk_about_dialog_new() else { return }
        let dialog = OpaquePointer(widget)
        gtk_about_dialog_set_program_name(dialog, "Zoetrope")
        gtk_about_dialog_set_version(dialog, ProductVersion.text)
        gtk_about_dialog_set_comments(dialog, say("A video player for files, streams and playlists"))
        gtk_about_dialog_set_copyright(dialog, "© 2026 The Zoetrope authors")
        gtk_about_dialog_set_logo_icon_name(dialog, AppIcon.name)
        gtk_about_dialog_set_license(dialog, licences)
        gtk_about_dialog_set_wrap_license(dialog, 1)
        let own = UnsafeMutablePointer<GtkWindow>(OpaquePointer(widget))
        gtk_window_set_transient_for(own, window)
        gtk_window_set_modal(own, 1)
        gtk_window_present(own)
    }

    private static let licences = """
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
