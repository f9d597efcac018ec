extension MPRIS {
    /// Returns the XML of the interfaces as the specification defines them.
    /// - Parameter trackList: Whether the description contains the interface of the track list.
    static func description(trackList: Bool) -> String {
        "<node>" + rootInterface + playerInterface + (trackList ? trackListInterface : "") + "</node>"
    }

    private static func property(_ name: String, _ type: String, _ access: String = "read", changes: String? = nil)
        -> String
    {
        let note =
            changes.map { "<annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\($0)\"/>" }
            ?? ""
        return "<property name=\"\(name)\" type=\"\(type)\" access=\"\(access)\">\(note)</property>"
    }
    private static func method(_ name: String, _ arguments: [(String, String)] = [], returns: [(String, String)] = [])
        -> String
    {
        "<method name=\"\(name)\">"
            + arguments.map { "<arg name=\"\($0.0)\" type=\"\($0.1)\" direction=\"in\"/>" }.joined()
            + returns.map { "<arg name=\"\($0.0)\" type=\"\($0.1)\" direction=\"out\"/>" }.joined() + "</method>"
    }
    private static func signal(_ name: String, _ arguments: [(String, String)]) -> String {
        "<signal name=\"\(name)\">" + arguments.map { "<arg name=\"\($0.0)\" type=\"\($0.1)\"/>" }.joined()
            + "</signal>"
    }

    private static var rootInterface: String {
        "<interface name=\"\(root)\">" + method("Raise") + method("Quit") + property("CanQuit", "b")
            + property("Fullscreen", "b", "readwrite")
            + property("CanSetFullscreen", "b") + property("CanRaise", "b") + property("HasTrackList", "b")
            + property("Identity", "s")
            + property("DesktopEntry", "s") + property("SupportedUriSchemes", "as")
            + property("SupportedMimeTypes", "as") + "</interface>"
    }

    private static var playerInterface: String {
        "<interface name=\"\(player)\">"
            + ["Next", "Previous", "Pause", "PlayPause", "Stop", "Play"].map { method($0) }.joined()
            + method("Seek", [("Offset", "x")]) + method("SetPosition", [("TrackId", "o"), ("Position", "x")])
            + method("OpenUri", [("Uri", "s")])
            + signal("Seeked", [("Position", "x")])
            + property("PlaybackStatus", "s") + property("LoopStatus", "s", "readwrite")
            + property("Rate", "d", "readwrite")
            + property("Shuffle", "b", "readwrite") + property("Metadata", "a{sv}")
            + property("Volume", "d", "readwrite")
            + property("Position", "x", changes: "false") + property("MinimumRate", "d") + property("MaximumRate", "d")
            + ["CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek"].map { property($0, "b") }.joined()
            + property("CanControl", "b", changes: "false") + "</interface>"
    }

    private static var trackListInterface: String {
        "<interface name=\"\(trackList)\">"
            + method("GetTracksMetadata", [("TrackIds", "ao")], returns: [("Metadata", "aa{sv}")])
            + method("AddTrack", [("Uri", "s"), ("AfterTrack", "o"), ("SetAsCurrent", "b")])
            + method("RemoveTrack", [("TrackId", "o")])
            + method("GoTo", [("TrackId", "o")])
            + signal("TrackListReplaced", [("Tracks", "ao"), ("CurrentTrack", "o")])
            + signal("TrackAdded", [("Metadata", "a{sv}"), ("AfterTrack", "o")])
            + signal("TrackRemoved", [("TrackId", "o")])
            + signal("TrackMetadataChanged", [("TrackId", "o"), ("Metadata", "a{sv}")])
            + property("Tracks", "ao", changes: "invalidates") + property("CanEditTracks", "b") + "</interface>"
    }
}
