import DesktopServices
import Foundation
import Presentation

/// A player on the session bus that plays nothing. It reads its state, one value per line, from the pipe named by
/// `--input`, and prints the requests that it receives.
struct MPRISProbe {
    @MainActor static func main() {
        let probe = Probe()
        probe.begin()
        MainLoop.run()
        probe.service.stop()
    }
}

extension MPRISProbe {
    @MainActor
    final class Probe {
        let service = MPRISService(name: Probes.arguments.dropFirst(3).first ?? "zoetrope probe")
        private var input: DispatchSourceRead?
        private var pending = ""
        private var place: Int64 = 0

        func begin() {
            service.root.identity = "Probe"
            service.root.uriSchemes = ["file", "https"]
            service.root.mimeTypes = ["video/mp4"]
            service.position = { [weak self] in self?.place ?? 0 }
            service.perform = { command in
                FileHandle.standardOutput.write(Data("asked \(command)\n".utf8))
                return nil
            }
            guard Probes.arguments.count > 2 else { return service.start() }
            let descriptor = open(Probes.arguments[2], O_RDWR)
            guard descriptor >= 0 else { return }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
            source.setEventHandler { [weak self] in
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = read(descriptor, &bytes, bytes.count)
                let text = count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
                MainActor.assumeIsolated { self?.take(text) }
            }
            source.resume()
            input = source
            say("ready")
        }

        private func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

        private func take(_ text: String) {
            pending += text
            while let end = pending.firstIndex(of: "\n") {
                let line = String(pending[..<end])
                pending.removeSubrange(...end)
                perform(line)
            }
        }

        private func track(_ words: ArraySlice<String>) -> MPRISTrack? {
            let words = Array(words)
            guard words.count > 1 else { return nil }
            return MPRISTrack(
                id: "/zoetrope/item/\(words[0])", length: Int64(words[1]),
                words: words.count > 2 ? ["xesam:title": .string(words[2])] : [:])
        }

        private func perform(_ line: String) {
            let words = line.split(separator: " ").map(String.init)
            let value = words.last ?? ""
            switch words.first {
            case "start": service.start()
            case "stop": service.stop()
            case "quit": MainLoop.quit()
            case "status": service.playback.status = MPRIS.PlaybackStatus(rawValue: value) ?? .stopped
            case "all":
                service.playback.canGoNext = value == "on"
                service.playback.canGoPrevious = value == "on"
                service.playback.canPlay = value == "on"
                service.playback.canPause = value == "on"
                service.playback.canSeek = value == "on"
                (service.root.canRaise, service.root.canQuit, service.root.canSetFullscreen) = (
                    value == "on", value == "on", value == "on"
                )
            case "control": service.playback.canControl = value == "on"
            case "next": service.playback.canGoNext = value == "on"
            case "edit": service.canEditTracks = value == "on"
            case "loop": service.playback.loop = MPRIS.LoopStatus(rawValue: value)
            case "shuffle": service.playback.shuffle = value == "on"
            case "rates": service.playback.rates = 0.5...2
            case "rate": service.playback.rate = Double(value) ?? 1
            case "volume": service.playback.volume = Double(value) ?? 1
            case "track": service.playback.track = track(words.dropFirst())
            case "list":
                service.tracks = value.split(separator: ",").compactMap {
                    track([String($0), "1000000", "title-\($0)"])
                }
            case "title": if !service.tracks.isEmpty { service.tracks[0].words["xesam:title"] = .string(value) }
            case "place": place = Int64(value) ?? 0
            case "seeked": service.seeked(to: Int64(value) ?? 0)
            case "entry": service.root.desktopEntry = value
            default: break
            }
            // One turn later, because changes are sent at the end of the current turn.
            DispatchQueue.main.async { MainActor.assumeIsolated { self.say("done \(line)") } }
        }
    }
}
