import Zoetrope

enum EventCode {
    /// The cases of the original API with their payloads, then the additional ones. There is no `default`, so that a
    /// changed case does not compile.
    static func name(_ event: PlayerEvent) -> String {
        switch event {
        case .seek(let success, currentTime: let time):
            let (success, time): (Bool, Double) = (success, time)
            return "seek \(success) \(time)"
        case .paused: return "paused"
        case .waitingToPlayAtSpecifiedRate: return "waiting"
        case .playing: return "playing"
        case .currentItemChanged(newItem: let item):
            let item: AVPlayerItem? = item
            return "item \(item == nil)"
        case .currentItemRemoved: return "removed"
        case .volumeChanged(newVolume: let volume):
            let volume: Float = volume
            return "volume \(volume)"
        case .error(let error):
            let error: VPErrors = error
            return "error \(error)"
        case .boundsChanged(let bounds):
            let bounds: CGRect = bounds
            return "bounds \(bounds.width)"
        case .startedPiP: return "started"
        case .stoppedPiP: return "stopped"
        case .itemStatusChanged(let status):
            switch status {
            case .unknown: return "unknown"
            case .readyToPlay: return "ready"
            case .failed: return "failed"
            @unknown default: return "?"
            }
        case .duration(let time):
            let time: CMTime = time
            return "duration \(time.seconds)"
        case .ended: return "ended"
        case .bufferChanged(loadedTo: let seconds): return "loaded \(seconds)"
        case .fullScreenChanged(let isOn): return "full screen \(isOn)"
        }
    }

    static func name(_ filter: PlayerEventFilter) -> String {
        switch filter {
        case .seekAny: return "seek"
        case .paused: return "paused"
        case .waitingToPlayAtSpecifiedRate: return "waiting"
        case .playing: return "playing"
        case .currentItemChangedAny: return "item"
        case .currentItemRemoved: return "removed"
        case .volumeChangedAny: return "volume"
        case .errorAny: return "error"
        case .boundsChangedAny: return "bounds"
        case .startedPiP: return "started"
        case .stoppedPiP: return "stopped"
        case .itemStatusChangedAny: return "status"
        case .durationAny: return "duration"
        case .ended: return "ended"
        case .bufferChangedAny: return "buffer"
        case .fullScreenChangedAny: return "full screen"
        }
    }

    static func name(_ error: VPErrors) -> String {
        switch error {
        case .remoteVideoError(let reason):
            let reason: (any Error)? = reason
            return "remote \(reason == nil)"
        case .sourceNotFound(let name):
            let name: String = name
            return "source \(name)"
        case .settingsNotUnique: return "settings"
        case .notSupportedPiP: return "PiP"
        case .failedToLoad(let reason):
            let reason: (any Error)? = reason
            return "load \(reason == nil)"
        case .filterError(let reason): return "filter \(reason)"
        case .subtitlesError(let reason): return "subtitles \(reason)"
        }
    }

    /// Handles a batch of events as views do.
    static func failures(_ events: [PlayerEvent]) -> [String] {
        events.compactMap { event in
            if case .error(let error) = event { return error.description }
            if event == .paused || event == .playing { return nil }
            guard case .seek(let success, currentTime: _) = event, !success else { return nil }
            return event.description
        }
    }

    static func asError(_ error: VPErrors) -> any Error { error }
}
