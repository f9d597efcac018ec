import Foundation
import Testing

@testable import Streaming

@Suite("Selected audio of a stream")
struct SelectedAudioTests {
    private func presentation() throws -> HLSPresentation {
        let text = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="a-en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",URI="a-de.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="b",NAME="English",LANGUAGE="en",DEFAULT=YES
            #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"
            0.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO="b"
            1.m3u8

            """
        return try HLSPresentation(PlaylistSamples.multivariant(text), canDecode: { _ in true })
    }

    @Test("the group with the selected option is preferred")
    func preferred() throws {
        let presentation = try presentation()
        let german = try #require(presentation.audio.firstIndex { $0.language == "de" })
        let selected = SelectedAudio(german, in: presentation)
        #expect(selected.option == german && selected.isSeparate)
        #expect(selected.playlists.map(\.lastPathComponent) == ["a-de.m3u8"])
        let (first, second) = (presentation.variants[0].copies, presentation.variants[1].copies)
        #expect(selected.playlist(beside: first)?.lastPathComponent == "a-de.m3u8")
        #expect(selected.playlist(beside: second) == nil)
        #expect(selected.playlist(beside: second + first)?.lastPathComponent == "a-de.m3u8")
    }

    @Test("audio inside the variants has no playlist")
    func inside() throws {
        let presentation = try presentation()
        for selected in [SelectedAudio(), SelectedAudio(nil, in: presentation)] {
            #expect(selected.option == nil && !selected.isSeparate && selected.playlists.isEmpty)
            #expect(presentation.variants.allSatisfy { selected.playlist(beside: $0.copies) == nil })
        }
    }
}
