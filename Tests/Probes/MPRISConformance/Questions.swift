import DesktopServices
import Foundation
import TestSupport

extension MPRISConformance {
    /// One requirement of the specification, and whether the player meets it; nil if the player does not offer the feature.
    struct Question {
        let id: String, text: String
        var isKept: Bool?
        var note = ""
    }

    @MainActor
    final class Questions {
        private let player: Player
        private var all: [Question] = []
        private var heard: [(interface: String, signal: String, arguments: [BusValue])] = []
        private var listening: BusSignals?

        init(_ player: Player) { self.player = player }

        private func note(_ id: String, _ text: String, _ isKept: Bool?, _ note: String = "") {
            all.append(Question(id: id, text: text, isKept: isKept, note: note))
        }

        func ask() async -> [Question] {
            listening = BusSignals(from: player.name, path: "/org/mpris/MediaPlayer2", on: player.bus) {
                [weak self] interface, signal, arguments in
                self?.heard.append((interface, signal, arguments))
            }
            await shape()
            await metadata()
            await playing()
            await seeking()
            await settings()
            await wrongCalls()
            await list()
            return all
        }

        // MARK: required members

        private func shape() async {
            let root = await player.all(of: Player.root) ?? [:]
            let playback = await player.all(of: Player.player) ?? [:]
            let rootTypes: [String: (BusValue) -> Bool] = [
                "CanQuit": { $0.bool != nil }, "CanRaise": { $0.bool != nil }, "HasTrackList": { $0.bool != nil },
                "Identity": { $0.string?.isEmpty == false },
                "SupportedUriSchemes": { $0.list != nil }, "SupportedMimeTypes": { $0.list != nil },
            ]
            let wrong = rootTypes.filter { name, isRight in !(root[name].map(isRight) ?? false) }.keys.sorted()
            note(
                "root", "Root interface: all required properties are present", wrong.isEmpty,
                wrong.joined(separator: ", "))
            let playerTypes: [String: (BusValue) -> Bool] = [
                "PlaybackStatus": { ["Playing", "Paused", "Stopped"].contains($0.string ?? "") },
                "Rate": { $0.double != nil }, "Metadata": { $0.table != nil },
                "Volume": { $0.double != nil }, "Position": { $0.int64 != nil },
                "MinimumRate": { $0.double.map { $0 <= 1 } ?? false },
                "MaximumRate": { $0.double.map { $0 >= 1 } ?? false }, "CanGoNext": { $0.bool != nil },
                "CanGoPrevious": { $0.bool != nil }, "CanPlay": { $0.bool != nil },
                "CanPause": { $0.bool != nil }, "CanSeek": { $0.bool != nil }, "CanControl": { $0.bool != nil },
            ]
            let missing = playerTypes.filter { name, isRight in !(playback[name].map(isRight) ?? false) }.keys.sorted()
            note(
                "player", "Player interface: all required properties are present, with the right types",
                missing.isEmpty,
                missing.joined(separator: ", "))
            let entry = root["DesktopEntry"]?.string
            note(
                "desktop-entry", "`DesktopEntry`, if present, is a name without a path or an extension",
                entry.map { !$0.contains("/") && !$0.hasSuffix(".desktop") }, entry ?? "none")
            if case .success(let answer) = await player.call("org.freedesktop.DBus.Introspectable.Introspect"),
                let xml = answer.first?.string
            {
                note(
                    "introspection", "Introspection describes both interfaces",
                    xml.contains("org.mpris.MediaPlayer2\"") && xml.contains("org.mpris.MediaPlayer2.Player\""))
            } else {
                note("introspection", "Introspection describes both interfaces", false)
            }
        }

        private func metadata() async {
            guard let table = await player.get("Metadata")?.table else {
                return note("metadata", "`Metadata` is a dictionary", false)
            }
            if case .path(let id)? = table["mpris:trackid"] {
                note(
                    "trackid", "`mpris:trackid` is an object path outside `/org/mpris`",
                    id.hasPrefix("/") && !id.hasPrefix("/org/mpris"), id)
            } else {
                note(
                    "trackid", "`mpris:trackid` is an object path", false,
                    table["mpris:trackid"].map { "\($0)" } ?? "missing"
                )
            }
            note(
                "length", "`mpris:length` is a 64-bit integer in microseconds",
                table["mpris:length"].map { $0.int64 != nil }
            )
            note("title", "`xesam:title` is a string", table["xesam:title"].map { $0.string != nil })
            let lists = ["xesam:artist", "xesam:genre", "xesam:albumArtist", "xesam:comment"].filter {
                table[$0] != nil
            }
            note(
                "lists", "Artists, genres and comments are lists",
                lists.isEmpty ? nil : lists.allSatisfy { table[$0]?.list != nil }, lists.joined(separator: ", "))
        }

        // MARK: behavior

        private func playing() async {
            guard await player.get("CanPause")?.bool == true else { return note("pause", "`Pause` is supported", nil) }
            _ = await player.call(Player.player + ".Play")
            let plays = await player.comes { await self.player.status == "Playing" }
            note("play", "`Play` starts playback", plays)
            heard = []
            _ = await player.call(Player.player + ".Pause")
            let pauses = await player.comes { await self.player.status == "Paused" }
            note("pause", "`Pause` pauses playback", pauses)
            let isTold = await player.comes { self.changed("PlaybackStatus", to: .string("Paused")) }
            note("pause-told", "`Pause` emits `PropertiesChanged`", isTold)
            let place = await player.position
            await letTimePass(0.3, because: "the position must stand while time passes")
            note("pause-stands", "The position does not change while paused", await player.position == place)
            _ = await player.call(Player.player + ".Pause")
            note("pause-again", "`Pause` while paused has no effect", await player.status == "Paused")
            _ = await player.call(Player.player + ".PlayPause")
            note(
                "play-pause", "`PlayPause` resumes playback",
                await player.comes { await self.player.status == "Playing" })
            let from = await player.position ?? 0
            note(
                "runs", "The position advances while playing",
                await player.comes { await (self.player.position ?? 0) > from })
            _ = await player.comes { await (self.player.position ?? 0) > from + 700_000 }
            note(
                "silent-position", "`Position` is never sent in `PropertiesChanged`",
                !heard.contains {
                    $0.signal == "PropertiesChanged" && ($0.arguments.dropFirst().first?.table?["Position"] != nil)
                })
        }

        private func seeking() async {
            guard await player.get("CanSeek")?.bool == true, let id = await player.track,
                let length = await player.get("Metadata")?.table?["mpris:length"]?.int64, length > 20_000_000
            else {
                return note("seek", "Seeking is supported", nil, "CanSeek is false, or the track is short")
            }
            _ = await player.call(Player.player + ".Pause")
            _ = await player.comes { await self.player.status == "Paused" }
            func isNear(_ place: Int64) async -> Bool {
                abs((await player.position ?? -1_000_000_000) - place) < 1_500_000
            }
            heard = []
            _ = await player.call(Player.player + ".SetPosition", [.path(id), .int64(8_000_000)])
            note("set-position", "`SetPosition` seeks to the position", await player.comes { await isNear(8_000_000) })
            note(
                "seeked", "`SetPosition` emits `Seeked`, in microseconds",
                await player.comes {
                    self.heard.contains {
                        $0.signal == "Seeked" && abs(($0.arguments.first?.int64 ?? 0) - 8_000_000) < 1_500_000
                    }
                })
            _ = await player.call(Player.player + ".Seek", [.int64(5_000_000)])
            note("seek", "`Seek` is relative to the current position", await player.comes { await isNear(13_000_000) })
            _ = await player.call(Player.player + ".Seek", [.int64(-600_000_000)])
            note("seek-before", "`Seek` before the start seeks to the start", await player.comes { await isNear(0) })
            _ = await player.call(Player.player + ".SetPosition", [.path(id), .int64(6_000_000)])
            _ = await player.comes { await isNear(6_000_000) }
            for (mark, text, path, place) in [
                ("stale", "`SetPosition` for another track is ignored", "/no/such/track", Int64(12_000_000)),
                ("negative", "`SetPosition` before the start is ignored", id, -5_000_000),
                ("beyond", "`SetPosition` past the end is ignored", id, length + 10_000_000),
            ] {
                _ = await player.call(Player.player + ".SetPosition", [.path(path), .int64(place)])
                // The seek is relative to the current position.
                _ = await player.call(Player.player + ".Seek", [.int64(3_000_000)])
                let isThere = await player.comes { await isNear(9_000_000) }
                _ = await player.call(Player.player + ".SetPosition", [.path(id), .int64(6_000_000)])
                _ = await player.comes { await isNear(6_000_000) }
                let track = await player.track
                note("set-position-\(mark)", text, isThere && track == id)
            }
            if await player.get("CanGoNext")?.bool == true {
                _ = await player.call(Player.player + ".Seek", [.int64(length + 60_000_000)])
                note(
                    "seek-past", "`Seek` past the end plays the next track",
                    await player.comes { await self.player.track != id })
                guard await player.get("CanGoPrevious")?.bool == true else {
                    return note("previous", "`Previous` plays the previous track", nil, "CanGoPrevious is false")
                }
                _ = await player.call(Player.player + ".Previous")
                note(
                    "previous", "`Previous` plays the previous track",
                    await player.comes { await self.player.track == id })
                _ = await player.call(Player.player + ".Next")
                note("next", "`Next` plays the next track", await player.comes { await self.player.track != id })
                _ = await player.call(Player.player + ".Previous")
                note(
                    "same-path", "A track keeps its object path when it plays again",
                    await player.comes { await self.player.track == id })
            } else {
                note("seek-past", "`Seek` past the end plays the next track", nil, "CanGoNext is false")
            }
        }

        private func settings() async {
            let volume = await player.get("Volume")?.double ?? 1
            heard = []
            _ = await player.set("Volume", .double(0.4))
            note(
                "volume", "`Volume` can be set",
                await player.comes { await abs((self.player.get("Volume")?.double ?? 0) - 0.4) < 0.02 })
            note(
                "volume-told", "A change of `Volume` emits `PropertiesChanged`",
                await player.comes { self.changed("Volume") })
            _ = await player.set("Volume", .double(-2))
            note(
                "volume-negative", "A negative volume is treated as 0",
                await player.comes { await (self.player.get("Volume")?.double ?? 1) < 0.01 })
            _ = await player.set("Volume", .double(volume))
            let most = await player.get("MaximumRate")?.double ?? 1
            let least = await player.get("MinimumRate")?.double ?? 1
            if most >= 1.5 {
                _ = await player.set("Rate", .double(1.5))
                note(
                    "rate", "`Rate` can be set",
                    await player.comes { await abs((self.player.get("Rate")?.double ?? 0) - 1.5) < 0.01 })
                _ = await player.set("Rate", .double(most * 10))
                // A later request, whose effect shows that the earlier one is done.
                _ = await player.set("Volume", .double(0.6))
                _ = await player.comes { await abs((self.player.get("Volume")?.double ?? 0) - 0.6) < 0.02 }
                let rate = await player.get("Rate")?.double ?? 0
                _ = await player.set("Volume", .double(volume))
                note(
                    "rate-bounds", "`Rate` is never reported outside its limits", rate <= most && rate >= least,
                    "\(rate) of at most \(most)")
                _ = await player.set("Rate", .double(1))
            } else {
                note("rate", "`Rate` can be set", nil, "MaximumRate is \(most)")
            }
            if let loop = await player.get("LoopStatus")?.string {
                _ = await player.set("LoopStatus", .string("Track"))
                note(
                    "loop", "`LoopStatus` can be set",
                    await player.comes { await self.player.get("LoopStatus")?.string == "Track" })
                _ = await player.set("LoopStatus", .string("Sometimes"))
                let now = await player.get("LoopStatus")?.string
                note("loop-wrong", "An invalid `LoopStatus` has no effect", now == "Track", now ?? "")
                _ = await player.set("LoopStatus", .string(loop))
            } else {
                note("loop", "`LoopStatus` can be set", nil)
            }
        }

        private func wrongCalls() async {
            func fails(_ method: String, _ arguments: [BusValue]) async -> Bool {
                if case .failure = await player.call(method, arguments) { true } else { false }
            }
            let seek = await fails(Player.player + ".Seek", [.string("soon")])
            let place = await fails(Player.player + ".SetPosition", [.int64(5)])
            note("wrong-types", "Calls with wrong argument types return an error", seek && place)
            note("wrong-name", "Reading an unknown property returns an error", await player.get("Nonsense") == nil)
            note(
                "read-only", "Setting `PlaybackStatus` returns an error",
                await player.set("PlaybackStatus", .string("Playing")) != nil)
            note(
                "wrong-property-type", "Setting `Volume` to a wrong type returns an error",
                await player.set("Volume", .string("loud")) != nil)
            note("alive", "The player still responds after invalid calls", await player.status != nil)
        }

        private func list() async {
            guard await player.get("HasTrackList", of: Player.root)?.bool == true else {
                return note(
                    "list", "The TrackList interface is present if `HasTrackList` is true", nil, "HasTrackList is false"
                )
            }
            let tracks = await player.get("Tracks", of: Player.list)?.list ?? []
            let track = await player.track ?? ""
            note("list", "The track list contains the current track", tracks.contains(track))
            if case .success(let answer) = await player.call(Player.list + ".GetTracksMetadata", [.paths(tracks)]) {
                note(
                    "list-metadata", "`GetTracksMetadata` returns the metadata of all tracks",
                    answer.first?.tables?.compactMap { $0["mpris:trackid"]?.string } == tracks)
            } else {
                note("list-metadata", "`GetTracksMetadata` returns the metadata of all tracks", false)
            }
            guard let other = tracks.first(where: { $0 != track }) else {
                return note("go-to", "`GoTo` plays the track", nil, "one track only")
            }
            _ = await player.call(Player.list + ".GoTo", [.path(other)])
            note("go-to", "`GoTo` plays the track", await player.comes { await self.player.track == other })
            _ = await player.call(Player.list + ".GoTo", [.path("/no/such/track")])
            note("go-to-nobody", "`GoTo` with an unknown track has no effect", await player.track == other)
        }

        private func changed(_ property: String, to value: BusValue? = nil) -> Bool {
            heard.contains { message in
                guard message.signal == "PropertiesChanged",
                    let new = message.arguments.dropFirst().first?.table?[property]
                else { return false }
                return value.map { $0 == new } ?? true
            }
        }
    }
}
