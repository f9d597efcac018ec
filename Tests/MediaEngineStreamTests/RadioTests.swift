import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Internet radio playback", .serialized)
@MainActor
struct RadioTests {
    @Test("a SHOUTcast stream plays and updates the item's title", arguments: ["ICY 200 OK", "HTTP/1.0 200"])
    func plays(_ status: String) async throws {
        let audio = Array(try Data(contentsOf: TestMedia.url("audio.mp3")))
        let interval = 8000
        try #require(audio.count > 2 * interval)
        let goesOn = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { talk in
            guard talk.readHead() != nil else { return }
            talk.send(
                "\(status)\r\nicy-name: Radio One\r\nicy-metaint: \(interval)\r\nContent-Type: audio/mpeg\r\n\r\n")
            for (index, start) in stride(from: 0, to: audio.count, by: interval).enumerated() {
                let piece = audio[start..<min(start + interval, audio.count)]
                talk.send(Data(piece))
                guard piece.count == interval else { break }
                let text = Array((index == 0 ? "StreamTitle='First';" : index == 1 ? "StreamTitle='Second';" : "").utf8)
                let blocks = (text.count + 15) / 16
                // The second title is sent after the test has seen the first.
                if index == 1 { goesOn.wait() }
                talk.send(Data([UInt8(blocks)] + text + [UInt8](repeating: 0, count: blocks * 16 - text.count)))
            }
        }
        let rig = Rig()
        let item = AVPlayerItem(url: try server.url("/radio.mp3"))
        rig.player.insert(item)
        rig.player.play()
        #expect(
            await rig.wait { item.streamTitle == "First" },
            "\(item.streamTitle ?? "") \(String(describing: item.error))")
        let titles = item.metadata(over: [AVMetadataItem(identifier: .commonIdentifierTitle, stringValue: "file's")])
        #expect(titles.filter { $0.commonKey == .commonKeyTitle }.map(\.stringValue) == ["First"])
        for _ in 0..<8 { goesOn.signal() }
        #expect(await rig.wait { item.streamTitle == "Second" })
        let told = try await item.asset.load(.metadata).first { $0.commonKey == .commonKeyTitle }
        #expect(["Radio One", "First", "Second"].contains(told?.stringValue))
        #expect(await rig.wait { rig.player.currentTime().seconds > 0.5 })
        #expect(item.error == nil)
        rig.stopDisplay()
        rig.player.close()
        server.stop()
    }
}
