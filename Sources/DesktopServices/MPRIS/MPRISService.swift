import Dispatch
import Foundation

/// A media player on the session bus, according to MPRIS 2.2. Without a session bus it has no effect.
///
/// Changes of its properties are sent to listeners, at most once per main loop iteration. Calls of other programs are
/// passed to `perform` if they are possible in the current state.
@MainActor
package final class MPRISService {
    package var root: MPRISRoot { didSet { if root != oldValue { changed() } } }
    package var playback = MPRISPlayback() { didSet { if playback != oldValue { changed() } } }
    /// The tracks in the order of playback.
    package var tracks: [MPRISTrack] = [] { didSet { if tracks != oldValue { changed() } } }
    /// Whether other programs may add and remove tracks.
    package var canEditTracks = false { didSet { if canEditTracks != oldValue { changed() } } }
    /// Returns the position in the current track, in microseconds. Called for each request of another program.
    package var position: @MainActor () -> Int64 = { 0 }
    /// Carries out a command. Returns an error for the caller, or nil if the command was carried out or started.
    package var perform: @MainActor (MPRISCommand) -> BusError? = { _ in nil }

    private let name: String
    private var bus: SessionBus?
    private var owned: BusName?
    private var object: BusObject?
    private var starting: Task<Void, Never>?
    /// The name that this process owns on the bus, or nil if it does not own one (yet).
    package private(set) var busName: String?
    /// The values that were sent last.
    private var sent: MPRISProperties
    private var isSendScheduled = false

    /// Creates a player that is not on the bus yet.
    ///
    /// - Parameter name: The player's name, as in `org.mpris.MediaPlayer2.NAME`. Characters that are not allowed there
    ///   become `_`.
    package init(name: String, root: MPRISRoot = MPRISRoot()) {
        self.name = MPRISService.element(name)
        self.root = root
        sent = MPRISProperties(root: root, playback: MPRISPlayback(), tracks: [], canEditTracks: false)
    }

    /// Returns a valid element of a bus name: letters, digits, `_` and `-`, not beginning with a digit (D-Bus
    /// Specification, "Bus names").
    nonisolated package static func element(_ text: String) -> String {
        let characters = text.unicodeScalars.map {
            ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "-"
                ? Character($0) : "_"
        }
        let name = String(characters.prefix(100))
        guard let first = name.first else { return "player" }
        return first.isNumber ? "_" + name : name
    }

    // MARK: bus

    /// Connects to the bus and registers the player. A call on a started player has no effect.
    package func start() {
        guard starting == nil else { return }
        starting = Task { [weak self] in
            let bus = await SessionBus.connect()
            guard let self, !Task.isCancelled, let bus else { return }
            appear(on: bus)
        }
    }

    /// Removes the player from the bus.
    package func stop() {
        starting?.cancel()
        starting = nil
        owned?.release()
        object?.release()
        // Send the messages before the process ends.
        if bus != nil { bus?.flush() }
        (owned, object, bus, busName) = (nil, nil, nil, nil)
    }

    private func appear(on bus: SessionBus) {
        self.bus = bus
        sent = now
        bus.onClose = { [weak self] in
            // The connection is closed, so there is nothing to unregister.
            guard let self else { return }
            (owned, object, busName, self.bus) = (nil, nil, nil, nil)
        }
        // Register the object before the name, so that it exists when other programs find the name.
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
                let wasOwned = busName != nil
                busName = nil
                // Deferred, because `otherwise` releases the `BusName` whose callback this is.
                if !wasOwned { DispatchQueue.main.async { MainActor.assumeIsolated { otherwise() } } }
            })
    }

    // MARK: signals

    private var now: MPRISProperties {
        MPRISProperties(root: root, playback: playback, tracks: tracks, canEditTracks: canEditTracks)
    }

    private func changed() {
        guard !isSendScheduled, object != nil else { return }
        isSendScheduled = true
        // All changes in one main loop iteration are sent together.
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.sendChanges() } }
    }

    private func sendChanges() {
        guard isSendScheduled else { return }
        isSendScheduled = false
        let new = now
        defer { sent = new }
        guard let bus, object != nil else { return }
        for message in new.messages(since: sent) {
            bus.emit(MPRIS.path, message.interface, message.signal, message.arguments)
        }
    }

    /// Reports that the position has jumped, after all earlier changes. `position` is in microseconds.
    package func seeked(to position: Int64) {
        sendChanges()
        guard object != nil else { return }
        bus?.emit(MPRIS.path, MPRIS.player, "Seeked", [.int64(max(0, position))])
    }
}
