import Foundation
import MediaCore
import Streaming
import Synchronization

/// The subtitles of an item: the cues of the selected track, from any source. Thread-safe.
///
/// A local file's track is read separately by a `SubtitleScanner`. A remote file's track is read together with audio
/// and video (`ItemReader`). Captions are in the frames, and a stream's renditions come from its session.
final class ItemSubtitles: SubtitleSource {
    private struct State {
        var choice = LegibleChoice.automatic()
        /// The subtitle tracks; `nil` until the item is open.
        var tracks: [LegibleTrack]?
        var audioLanguage: String?
        var resolved: LegibleChoice.ResolvedTrack?
        var store = SubtitleStore()
        var scanner: SubtitleScanner?
        weak var session: HLSSession?
        var listeners: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var version: UInt64 = 1
        /// The number of stores that have been used. Each store counts its own headers.
        var stores: UInt64 = 0
        /// The media time in nanoseconds for which cues were last requested.
        var requestedTime: Int64 = 0
        /// The identifiers of a stream's cues.
        var ids: [WebVTTCue: Int] = [:]
        var textCues: (version: UInt64, cues: [WebVTTCue]) = (0, [])
    }
    private let state = Mutex(State())
    private let url: URL
    /// Whether captions are decoded. Atomic, because it is checked for each frame and usually `false`.
    private let wantsCaptions = Atomic<Bool>(false)
    /// The caption decoder. It is used on the video thread, and created again for each store.
    private struct Captions {
        var decoder: CaptionDecoder?
        var store: SubtitleStore?
    }
    private let captions = Mutex(Captions())

    init(url: URL) { self.url = url }

    deinit { state.withLock { $0.scanner }?.stop() }

    // MARK: selection

    func choose(_ choice: LegibleChoice) {
        state.withLock { $0.choice = choice }
        decide()
    }

    /// Sets the item's tracks when it is open.
    func opened(_ description: ItemDescription) {
        state.withLock { state in
            state.tracks = description.legible
            state.audioLanguage = description.audioLanguage
        }
        decide()
    }

    /// The session of a stream.
    var stream: HLSSession? {
        get { state.withLock { $0.session } }
        set { state.withLock { $0.session = newValue } }
    }

    /// Returns the subtitles to read.
    private func resolved(_ state: State) -> LegibleChoice.ResolvedTrack? {
        // The session of a stream selects among its renditions itself.
        let choice: LegibleChoice.ResolvedTrack? =
            state.session != nil
            ? (state.choice == .captions ? .captions : nil)
            : state.tracks.flatMap { state.choice.resolve($0, audioLanguage: state.audioLanguage) }
        // A track that is read with audio and video is read from the start, because a listener can come when they have
        // been read. Others are read from the first listener on.
        if case .stream = choice, !url.isReadAgain { return choice }
        return state.listeners.isEmpty ? state.resolved : choice
    }

    /// Starts to read the selected subtitles, and stops reading others.
    private func decide() {
        let (old, isNew) = state.withLock { state -> (SubtitleScanner?, Bool) in
            let resolved = resolved(state)
            guard resolved != state.resolved else { return (nil, false) }
            let old = state.scanner
            state.scanner = nil
            state.resolved = resolved
            state.store = SubtitleStore()
            state.stores += 1
            state.store.setOnChange({ [weak self] in self?.changed() }, for: self)
            wantsCaptions.store(resolved == .captions, ordering: .releasing)
            if case .stream(let index) = resolved, url.isReadAgain {
                state.scanner = SubtitleScanner(
                    url: url, stream: index, first: MediaTime(nanoseconds: state.requestedTime), store: state.store)
            }
            return (old, true)
        }
        old?.stop()
        if isNew { changed() }
    }

    /// The index of the selected subtitle stream in the container, even if nothing reads it; `nil` if there is none.
    var chosenStream: Int? {
        state.withLock { state in
            guard state.session == nil, let tracks = state.tracks,
                case .stream(let index)? = state.choice.resolve(tracks, audioLanguage: state.audioLanguage)
            else { return nil }
            return index
        }
    }

    /// The subtitle stream that the item's reader has to read with audio and video, and the store for its cues; `nil`
    /// for none.
    var inline: (stream: Int, store: SubtitleStore)? {
        state.withLock { state in
            guard case .stream(let index) = state.resolved, !url.isReadAgain else { return nil }
            return (index, state.store)
        }
    }

    /// Decodes the captions of a frame. Called on the video thread, in presentation order.
    func take(_ frame: VideoFrame, at time: MediaTime) {
        guard wantsCaptions.load(ordering: .acquiring) else { return }
        let store = state.withLock { $0.store }
        captions.withLock { captions in
            if captions.store !== store { captions = Captions(decoder: CaptionDecoder(store: store), store: store) }
            captions.decoder?.take(frame, at: time)
        }
    }

    func changed() {
        let calls = state.withLock { state in
            state.version += 1
            return Array(state.listeners.values)
        }
        for call in calls { call() }
    }

    // MARK: cues

    var header: (version: UInt64, header: SubtitleHeader) {
        let (store, stores) = state.withLock { ($0.store, $0.stores) }
        let own = store.header
        return (stores << 32 | own.version, own.header)
    }

    func cues(at time: Int64) -> [SubtitleCue] {
        let (store, session) = state.withLock { state -> (SubtitleStore?, HLSSession?) in
            state.requestedTime = time
            return state.resolved == nil ? (nil, state.session) : (state.store, nil)
        }
        guard let session else { return store?.cues(at: time) ?? [] }
        let cues = session.cues.filter { $0.isInForce(at: time) }
        return state.withLock { state in
            if state.ids.count > 4096 { state.ids = state.ids.filter { cues.contains($0.key) } }
            return cues.map { cue in
                let id = state.ids[cue] ?? (state.ids.values.max() ?? 0) + 1
                state.ids[cue] = id
                return SubtitleCue(id: id, start: cue.start, end: cue.end, body: .webVTT(cue))
            }
        }
    }

    /// All available cues as text, in media time, sorted by start.
    var cues: [WebVTTCue] {
        let (store, session) = state.withLock { ($0.store, $0.resolved == nil ? $0.session : nil) }
        if let session { return session.cues }
        let version = store.version
        if let known = state.withLock({ $0.store === store && $0.textCues.version == version ? $0.textCues.cues : nil })
        {
            return known
        }
        let fresh = store.cues.compactMap { cue -> WebVTTCue? in
            switch cue.body {
            case .webVTT(let inner):
                var inner = inner
                inner.end = cue.end
                return inner
            case .events: return WebVTTCue(start: cue.start, end: cue.end, text: WebVTTText(plain: cue.plain))
            case .bitmap: return nil
            }
        }
        state.withLock { if $0.store === store { $0.textCues = (version, fresh) } }
        return fresh
    }

    func setOnChange(_ call: (@Sendable () -> Void)?, for owner: AnyObject) {
        let isFirst = state.withLock { state in
            let isFirst = state.listeners.isEmpty
            state.listeners[ObjectIdentifier(owner)] = call
            return isFirst && call != nil
        }
        if isFirst { decide() }
    }
}
