import Dispatch
import Foundation

/// A media player on the session bus, as MPRIS 2.2 describes it: what is set here is told to whoever listens, once a
/// turn of the main loop; what is asked for and possible comes to `perform`. Where there is no bus nothing happens.
/// Main actor.
@MainActor
package final class MPRISService {
    package var root: MPRISRoot { didSet { if root != oldValue { changed() } } }
    package var playback = MPRISPlayback() { didSet { if playback != oldValue { changed() } } }
    /// In the order they are played.
    package var tracks: [MPRISTrack] = [] { didSet { if tracks != oldValue { changed() } } }
    /// Whether others may add and remove tracks.
    package var canEditTracks = false { didSet { if canEditTracks != oldValue { changed() } } }
    /// The place in the current track, microseconds. Asked for when somebody on the bus asks.
    package var position: @MainActor () -> Int64 = { 0 }
    /// - Returns: an error for whoever asked, nil when it has been done or begun.
    package var perform: @MainActor (MPRISCommand) -> BusError? = { _ in nil }

    private let name: String
    private var bus: SessionBus?
    private var owned: BusName?
    private var object: BusObject?
    private var starting: Task<Void, Never>?
    /// The name that is this process's on the bus; nil: none (yet).
    package private(set) var busName: String?
    /// What was told last.
    private var told: MPRISProperties
    private var isTelling = false

    /// - Parameter name: the player's, as in `org.mpris.MediaPlayer2.NAME`; signs that such names do not have become
    ///   `_`.
    package init(name: String, root: MPRISRoot = MPRISRoot()) {
        self.name = MPRISService.element(name)
        self.root = root
        told = MPRISProperties(root: root, playback: MPRISPlayback(), tracks: [], canEditTracks: false)
    }

    /// An element of a bus name: letters, digits, `_` and `-`, no digit first (D-Bus Specification, "Bus names").
    nonisolated package static func element(_ text: String) -> String {
        let signs = text.unicodeScalars.map {
            ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "-"
                ? Character($0) : "_"
        }
        let name = String(signs.prefix(100))
        guard let first = name.first else { return "player" }
        return first.isNumber ? "_" + name : name
    }

    // MARK: on the bus

    /// Comes to the bus, when there is one. While it is there a second call does nothing.
    package func start() {
        guard starting == nil else { return }
        starting = Task { [weak self] in
            let bus = await SessionBus.connect()
            guard let self, !Task.isCancelled, let bus else { return }
            appear(on: bus)
        }
    }

    /// Goes from the bus.
    package func stop() {
        starting?.cancel()
        starting = nil
        owned?.release()
        object?.release()
        // So that who listens hears of it before the process ends.
        if bus != nil { bus?.flush() }
        (owned, object, bus, busName) = (nil, nil, nil, nil)
    }

    private func appear(on bus: SessionBus) {
        self.bus = bus
        told = now
        bus.onClose = { [weak self] in
            // Nothing is there any more that could be taken away.
            guard let self else { return }
            (owned, object, busName, self.bus) = (nil, nil, nil, nil)
        }
        // The object first: who finds the name finds the player.
        object = try? BusObject(MPRIS.description(trackList: true), at: MPRIS.path, on: bus, self)
        guard object != nil else { return }
        let base = "\(MPRIS.root).\(name)"
        own(base, on: bus) { [weak self] in
            // "In the case where the media player allows multiple instances running simultaneously …" (The MPRIS
            // Specification, "Bus Name Policy")
            self?.own("\(base).instance\(ProcessInfo.processInfo.processIdentifier)", on: bus) {}
        }
    }

    private func own(_ full: String, on bus: SessionBus, otherwise: @escaping @MainActor () -> Void) {
        owned = BusName(
            full, on: bus, acquired: { [weak self] in self?.busName = full },
            lost: { [weak self] in
                guard let self, self.bus === bus else { return }
                let had = busName != nil
                busName = nil
                // Not within its own call: the name that is let go is the one that calls.
                if !had { DispatchQueue.main.async { MainActor.assumeIsolated { otherwise() } } }
            })
    }

    // MARK: telling

    private var now: MPRISProperties {
        MPRISProperties(root: root, playback: playback, tracks: tracks, canEditTracks: canEditTracks)
    }

    private func changed() {
        guard !isTelling, object != nil else { return }
        isTelling = true
        // What becomes different in one turn is one message.
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.tell() } }
    }

    private func tell() {
        guard isTelling else { return }
        isTelling = false
        let new = now
        defer { told = new }
        guard let bus, object != nil else { return }
        for message in new.messages(since: told) {
            bus.emit(MPRIS.path, message.interface, message.signal, message.arguments)
        }
    }

    /// The position is another one than passing time makes of it. Microseconds. Told after whatever else has changed so
    /// far.
    package func seeked(to position: Int64) {
        tell()
        guard object != nil else { return }
        bus?.emit(MPRIS.path, MPRIS.player, "Seeked", [.int64(max(0, position))])
    }
}
