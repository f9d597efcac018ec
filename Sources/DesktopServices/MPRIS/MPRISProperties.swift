/// The values of the player's interfaces without the position, and the signals that report their changes to listeners.
struct MPRISProperties: Equatable {
    var root: MPRISRoot
    var playback: MPRISPlayback
    var tracks: [MPRISTrack]
    var canEditTracks: Bool

    struct Message: Equatable {
        let interface: String, signal: String, arguments: [BusValue]
    }

    func messages(since old: MPRISProperties) -> [Message] {
        var messages: [Message] = []
        func addChanges(
            _ interface: String, _ new: [String: BusValue], _ old: [String: BusValue], invalidated: [String] = []
        ) {
            let changed = new.filter { old[$0.key] != $0.value }
            // Properties that no longer exist, or whose new value has to be requested.
            let removed = old.keys.filter { new[$0] == nil }.sorted() + invalidated
            guard !changed.isEmpty || !removed.isEmpty else { return }
            messages.append(
                Message(
                    interface: "org.freedesktop.DBus.Properties", signal: "PropertiesChanged",
                    arguments: [.string(interface), .table(changed), .strings(removed)]))
        }
        addChanges(MPRIS.root, root.properties, old.root.properties)
        // Report the list first, so that a listener finds a new current track in it.
        messages += listMessages(since: old)
        addChanges(
            MPRIS.trackList, ["CanEditTracks": .bool(canEditTracks)], ["CanEditTracks": .bool(old.canEditTracks)],
            invalidated: tracks.map(\.id) == old.tracks.map(\.id) ? [] : ["Tracks"])
        addChanges(MPRIS.player, playback.properties, old.playback.properties)
        return messages
    }

    private func listMessages(since old: MPRISProperties) -> [Message] {
        func message(_ signal: String, _ arguments: [BusValue]) -> Message {
            Message(interface: MPRIS.trackList, signal: signal, arguments: arguments)
        }
        let ids = tracks.map(\.id)
        let before = old.tracks.map(\.id)
        var messages: [Message] = []
        if ids != before {
            if ids.count == before.count + 1, let index = ids.firstIndex(where: { !before.contains($0) }),
                ids.filter({ $0 != ids[index] }) == before
            {
                messages.append(
                    message(
                        "TrackAdded",
                        [.table(tracks[index].metadata), .path(index == 0 ? MPRIS.noTrack : ids[index - 1])]))
            } else if ids.count + 1 == before.count, let removed = before.first(where: { !ids.contains($0) }),
                before.filter({ $0 != removed }) == ids
            {
                messages.append(message("TrackRemoved", [.path(removed)]))
            } else {
                return [message("TrackListReplaced", [.paths(ids), .path(playback.track?.id ?? MPRIS.noTrack)])]
            }
        }
        let known = Dictionary(old.tracks.map { ($0.id, $0) }) { first, _ in first }
        for track in tracks {
            if let last = known[track.id], last != track {
                messages.append(message("TrackMetadataChanged", [.path(track.id), .table(track.metadata)]))
            }
        }
        return messages
    }
}

extension MPRISRoot {
    var properties: [String: BusValue] {
        var all: [String: BusValue] = [
            "CanQuit": .bool(canQuit), "CanRaise": .bool(canRaise), "Fullscreen": .bool(fullscreen),
            "CanSetFullscreen": .bool(canSetFullscreen),
            "HasTrackList": .bool(true), "Identity": .string(identity), "SupportedUriSchemes": .strings(uriSchemes),
            "SupportedMimeTypes": .strings(mimeTypes),
        ]
        if let desktopEntry { all["DesktopEntry"] = .string(desktopEntry) }
        return all
    }
}

extension MPRISPlayback {
    /// The properties of the player interface without the position.
    var properties: [String: BusValue] {
        var all: [String: BusValue] = [
            "PlaybackStatus": .string(status.rawValue), "Rate": .double(rate),
            "Metadata": .table(track?.metadata ?? [:]), "Volume": .double(volume),
            "MinimumRate": .double(rates.lowerBound), "MaximumRate": .double(rates.upperBound),
            // If CanControl is false, all other abilities have to be false too.
            "CanGoNext": .bool(canControl && canGoNext), "CanGoPrevious": .bool(canControl && canGoPrevious),
            "CanPlay": .bool(canControl && canPlay),
            "CanPause": .bool(canControl && canPause), "CanSeek": .bool(canControl && canSeek),
            "CanControl": .bool(canControl),
        ]
        if let loop { all["LoopStatus"] = .string(loop.rawValue) }
        if let shuffle { all["Shuffle"] = .bool(shuffle) }
        return all
    }
}
