/// The calls of other programs. A call that is not possible at present has no effect, as the specification requires.
extension MPRISService: BusObjectHandler {
    package func property(_ interface: String, _ name: String) -> BusValue? {
        switch (interface, name) {
        case (MPRIS.player, "Position"): .int64(max(0, position()))
        case (MPRIS.player, _): playback.properties[name]
        case (MPRIS.root, _): root.properties[name]
        case (MPRIS.trackList, "Tracks"): .paths(tracks.map(\.id))
        case (MPRIS.trackList, "CanEditTracks"): .bool(canEditTracks)
        default: nil
        }
    }

    package func call(_ interface: String, _ method: String, _ arguments: [BusValue]) -> Result<[BusValue], BusError> {
        switch interface {
        case MPRIS.root: answer(rootCall(method))
        case MPRIS.player: answer(playerCall(method, arguments))
        case MPRIS.trackList where method == "GetTracksMetadata":
            .success([
                .tables((arguments.first?.list ?? []).compactMap { id in tracks.first { $0.id == id }?.metadata })
            ])
        case MPRIS.trackList: answer(listCall(method, arguments))
        default: .failure(.unsupported("There is no method \(interface).\(method)."))
        }
    }
    private func answer(_ error: BusError?) -> Result<[BusValue], BusError> {
        error.map { .failure($0) } ?? .success([])
    }

    private func rootCall(_ method: String) -> BusError? {
        switch method {
        case "Raise": root.canRaise ? perform(.raise) : nil
        case "Quit": root.canQuit ? perform(.quit) : nil
        default: .unsupported("There is no method \(method).")
        }
    }

    private func playerCall(_ method: String, _ arguments: [BusValue]) -> BusError? {
        guard playback.canControl else {
            return BusError.unsupported("This player can't be controlled (CanControl is false).")
        }
        switch method {
        case "Play": return playback.canPlay ? perform(.play) : nil
        case "Pause": return playback.canPause ? perform(.pause) : nil
        case "PlayPause":
            // The only method for which the specification requires an error.
            guard playback.canPause else {
                return BusError.unsupported("This player can't be paused (CanPause is false).")
            }
            return playback.status == .playing || playback.canPlay ? perform(.playPause) : nil
        case "Stop": return perform(.stop)
        case "Next": return playback.canGoNext ? perform(.next) : nil
        case "Previous": return playback.canGoPrevious ? perform(.previous) : nil
        case "Seek": return seek(by: arguments.first?.int64 ?? 0)
        case "SetPosition":
            // Ignore a call for a track that is no longer current.
            guard let track = playback.track, arguments.first?.string == track.id, let target = arguments.last?.int64,
                playback.canSeek
            else { return nil }
            // "If the Position argument is less than 0, do nothing. If [it] is greater than the track length, do
            // nothing."
            guard target >= 0, target <= track.length ?? .max else { return nil }
            return perform(.seek(target))
        case "OpenUri": return open(arguments.first?.string ?? "") { perform(.open($0)) }
        default: return .unsupported("There is no method \(method).")
        }
    }

    private func seek(by offset: Int64) -> BusError? {
        guard playback.canSeek, playback.track != nil else { return nil }
        let (sum, isOver) = max(0, position()).addingReportingOverflow(offset)
        let target = isOver ? (offset < 0 ? 0 : Int64.max) : max(0, sum)
        // "If the Offset … would mean seeking beyond the end of the track, acts like a call to Next."
        if let length = playback.track?.length, target > length {
            return playback.canGoNext ? perform(.next) : perform(.stop)
        }
        return perform(.seek(target))
    }

    private func open(_ uri: String, _ action: (String) -> BusError?) -> BusError? {
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        guard scheme.count < uri.count else {
            return .invalid("“\(uri.prefix(200))” is not a URI: it has no scheme such as file:.")
        }
        guard root.uriSchemes.contains(scheme) else {
            return .unsupported(
                "The scheme “\(scheme):” is not supported. Supported schemes: \(root.uriSchemes.joined(separator: ", "))."
            )
        }
        return action(uri)
    }

    private func listCall(_ method: String, _ arguments: [BusValue]) -> BusError? {
        let id = arguments.first?.string ?? ""
        switch method {
        // "If the track is not part of this tracklist, this has no effect."
        case "GoTo": return tracks.contains { $0.id == id } ? perform(.goTo(id)) : nil
        case "RemoveTrack": return canEditTracks && tracks.contains { $0.id == id } ? perform(.remove(id)) : nil
        case "AddTrack":
            guard canEditTracks, arguments.count == 3, let after = arguments[1].string,
                let makeCurrent = arguments[2].bool
            else { return nil }
            return open(id) { perform(.add(uri: $0, after: after, makeCurrent: makeCurrent)) }
        default: return .unsupported("There is no method \(method).")
        }
    }

    package func set(_ interface: String, _ name: String, _ value: BusValue) -> BusError? {
        if interface == MPRIS.root, name == "Fullscreen" {
            guard root.canSetFullscreen else {
                return .unsupported("The window can't enter full screen (CanSetFullscreen is false).")
            }
            return value.bool.flatMap { perform(.setFullscreen($0)) }
        }
        guard playback.canControl else {
            return .unsupported("This player can't be controlled (CanControl is false).")
        }
        switch name {
        case "LoopStatus":
            guard let status = value.string.flatMap({ MPRIS.LoopStatus(rawValue: $0) }) else {
                return .invalid("LoopStatus must be None, Track or Playlist.")
            }
            guard playback.loop != nil else { return .unsupported("This player does not support LoopStatus.") }
            return perform(.setLoop(status))
        case "Shuffle":
            guard playback.shuffle != nil else { return .unsupported("This player does not support Shuffle.") }
            return value.bool.flatMap { perform(.setShuffle($0)) }
        case "Volume":
            guard let volume = value.double, !volume.isNaN else {
                return .invalid("Volume must be a number, 0 or greater.")
            }
            // "When setting, if a negative value is passed, the volume should be set to 0.0." The maximum is 1.0.
            return perform(.setVolume(min(max(volume, 0), 1)))
        case "Rate":
            guard let rate = value.double, rate.isFinite else { return .invalid("Rate must be a number.") }
            // "If the media player … a value of 0.0 … should act as though Pause was called."
            if rate == 0 { return playback.canPause ? perform(.pause) : nil }
            return perform(.setRate(min(max(rate, playback.rates.lowerBound), playback.rates.upperBound)))
        default: return .unsupported("\(name) is read-only.")
        }
    }
}
