import DesktopServices
import Foundation
import TestSupport

extension MPRISConformance {
    /// Access to the properties and methods of a player on the bus.
    @MainActor
    struct Player {
        let bus: SessionBus
        let name: String
        static let player = "org.mpris.MediaPlayer2.Player", root = "org.mpris.MediaPlayer2",
            list = "org.mpris.MediaPlayer2.TrackList"

        init(_ name: String, on bus: SessionBus) { (self.bus, self.name) = (bus, "org.mpris.MediaPlayer2.\(name)") }

        static func names(on bus: SessionBus) async -> [String] {
            let prefix = "org.mpris.MediaPlayer2."
            guard
                case .success(let answer) = await bus.call(
                    "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
            else { return [] }
            return (answer.first?.list ?? []).filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
                .sorted()
        }

        func call(_ method: String, _ arguments: [BusValue] = []) async -> Result<[BusValue], BusError> {
            await bus.call(name, "/org/mpris/MediaPlayer2", method, arguments)
        }
        func get(_ property: String, of interface: String = Player.player) async -> BusValue? {
            guard
                case .success(let answer) = await call(
                    "org.freedesktop.DBus.Properties.Get", [.string(interface), .string(property)])
            else { return nil }
            return answer.first
        }
        func all(of interface: String) async -> [String: BusValue]? {
            guard case .success(let answer) = await call("org.freedesktop.DBus.Properties.GetAll", [.string(interface)])
            else { return nil }
            return answer.first?.table
        }
        func set(_ property: String, _ value: BusValue, of interface: String = Player.player) async -> BusError? {
            if case .failure(let error) = await call(
                "org.freedesktop.DBus.Properties.Set", [.string(interface), .string(property), .variant(value)])
            {
                error
            } else {
                nil
            }
        }

        var status: String? { get async { await get("PlaybackStatus")?.string } }
        var position: Int64? { get async { await get("Position")?.int64 } }
        var track: String? { get async { await get("Metadata")?.table?["mpris:trackid"]?.string } }

        /// Waits until `isSo` returns true, for at most five seconds. Returns whether it did.
        func comes(_ isSo: () async -> Bool) async -> Bool { await Deadline(seconds: 5).isMet(isSo) }
    }
}
