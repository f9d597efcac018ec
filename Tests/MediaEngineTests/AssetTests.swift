import EngineTestSupport
import Foundation
import MediaCore
import MediaEngine
import Testing

@Suite("Properties of an asset")
struct AssetTests {
    @Test("an MP4 file reports its duration and tracks")
    func basics() async throws {
        let asset = AVURLAsset(url: try AssetTestMedia.mp4())
        let (duration, tracks, playable) = try await asset.load(.duration, .tracks, .isPlayable)
        #expect(abs(duration.seconds - 2) < 0.1 && playable && tracks.count == 2)
        let video = try #require(try await asset.loadTracks(withMediaType: .video).first)
        #expect(
            video.codecName == "h264" && video.fourCharCode == "avc1"
                && video.naturalSize == CGSize(width: 320, height: 180))
        #expect(
            video.presentationSize == video.naturalSize && video.rotation == 0 && video.preferredTransform.isIdentity)
        #expect(
            video.nominalFrameRate == 25 && !video.isVariableFrameRate && video.pixelFormat == "yuv420p"
                && video.bitDepth == 8)
        #expect(video.estimatedDataRate > 1000 && video.isEnabled && video.isPlayable)
        #expect(video.timeRange.start == .zero && abs(video.timeRange.duration.seconds - 2) < 0.05)
        let audio = try #require(try await asset.loadTracks(withMediaType: .audio).first)
        #expect(
            audio.codecName == "aac" && audio.sampleRate == 44100 && audio.channelCount == 1
                && audio.channelLayout == "mono")
        #expect(audio.languageCode == nil && audio.extendedLanguageTag == nil && audio.fourCharCode == "mp4a")
    }

    @Test("rotation and pixel aspect ratio change the presentation size")
    func geometry() async throws {
        let turned = try #require(
            try await AVURLAsset(url: try AssetTestMedia.rotated()).loadTracks(withMediaType: .video).first)
        #expect([90, 270].contains(turned.rotation))
        #expect(
            turned.naturalSize == CGSize(width: 160, height: 90)
                && turned.presentationSize == CGSize(width: 90, height: 160))
        #expect(!turned.preferredTransform.isIdentity)
        let wide = try #require(
            try await AVURLAsset(url: try AssetTestMedia.anamorphic()).loadTracks(withMediaType: .video).first)
        #expect(
            abs(wide.pixelAspectRatio - 16.0 / 11) < 0.01 && wide.presentationSize == CGSize(width: 262, height: 144))
    }

    @Test("tracks report bit depth, HDR tags, variable rate and surround")
    func details() async throws {
        let ten = try #require(
            try await AVURLAsset(url: try AssetTestMedia.hevc10()).loadTracks(withMediaType: .video).first)
        #expect(ten.codecName == "hevc" && ten.bitDepth == 10 && ten.pixelFormat == "yuv420p10le")
        #expect(ten.colorPrimaries == "bt2020" && ten.transferFunction == "smpte2084" && ten.yCbCrMatrix == "bt2020nc")
        #expect(ten.isFullRange == false)
        let variable = try #require(
            try await AVURLAsset(url: try AssetTestMedia.variable()).loadTracks(withMediaType: .video).first)
        #expect(variable.isVariableFrameRate)
        let surround = try #require(
            try await AVURLAsset(url: try AssetTestMedia.surround()).loadTracks(withMediaType: .audio).first)
        #expect(
            surround.channelCount == 6 && surround.channelLayout?.hasPrefix("5.1") == true
                && surround.codecName == "ac3")
    }

    @Test("audio options are selected by language")
    func selection() async throws {
        let asset = AVURLAsset(url: try AssetTestMedia.languages())
        let group = try #require(try await asset.loadMediaSelectionGroup(for: .audible))
        #expect(group.options.map(\.extendedLanguageTag) == ["de", "en", nil] && !group.allowsEmptySelection)
        #expect(group.defaultOption == group.options[0])
        #expect(group.options[1].displayName == "Commentary" && group.options[2].displayName == "Audio 3")
        #expect(group.options[1].hasMediaCharacteristic(.isAuxiliaryContent))
        let chosen = AVMediaSelectionGroup.mediaSelectionOptions(
            from: group.options, filteredAndSortedAccordingToPreferredLanguages: ["en-GB", "deu"])
        #expect(chosen == [group.options[1], group.options[0]])
        #expect(
            AVMediaSelectionGroup.mediaSelectionOptions(
                from: group.options, filteredAndSortedAccordingToPreferredLanguages: ["fr"]
            ).isEmpty)
        #expect(try await asset.loadMediaSelectionGroup(for: .legible) == nil)

        let untouched = AVMediaSelection()
        #expect(untouched.selectedMediaOption(in: group) == group.options[0] && untouched.audibleStreamIndex == nil)
        let english = untouched.selecting(group.options[1], in: group)
        #expect(english.selectedMediaOption(in: group) == group.options[1] && english.audibleStreamIndex == 2)
        #expect(english.selecting(nil, in: group) == english, "audio cannot be deselected")
    }

    @Test("metadata items of an app read like those of a file")
    func ownMetadata() {
        let title = AVMetadataItem(identifier: .commonIdentifierTitle, stringValue: "Mine")
        #expect(
            title.commonKey == .commonKeyTitle && title.stringValue == "Mine" && title.dataValue == Data("Mine".utf8))
        let cover = AVMetadataItem(identifier: .commonIdentifierArtwork, dataValue: Data([1]), dataType: "image/png")
        #expect(cover.commonKey == .commonKeyArtwork && cover.stringValue == nil && cover.dataType == "image/png")
    }

    @Test("tags, artwork and chapters are read; artwork is not a video track")
    func metadata() async throws {
        let asset = AVURLAsset(url: try AssetTestMedia.tagged())
        let items = try await asset.load(.commonMetadata)
        func text(_ id: AVMetadataIdentifier) -> String? {
            AVMetadataItem.metadataItems(from: items, filteredByIdentifier: id).first?.stringValue
        }
        #expect(
            text(.commonIdentifierTitle) == "A Tone" && text(.commonIdentifierArtist) == "Nobody"
                && text(.commonIdentifierAlbumName) == "Tests")
        let date = items.first { $0.identifier == .commonIdentifierCreationDate }?.dateValue
        #expect(date == Date(timeIntervalSince1970: 1_714_521_600))
        let cover = try #require(items.first { $0.identifier == .commonIdentifierArtwork })
        #expect(cover.dataType == "image/png" && cover.dataValue?.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        #expect(try await asset.loadTracks(withMediaType: .video).isEmpty)
        let chapters = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en"])
        #expect(chapters.map { $0.items.first { $0.commonKey == .commonKeyTitle }?.stringValue } == ["One", "Two"])
        #expect(chapters.first?.timeRange == CMTimeRange(start: .zero, end: CMTime(value: 1, timescale: 1)))
        #expect(try await asset.load(.availableChapterLocales).count == 1)
    }

    @Test("concurrent loads read the file once")
    func shared() async throws {
        let asset = AVURLAsset(url: try AssetTestMedia.mkv())
        let durations = try await withThrowingTaskGroup(of: CMTime.self) { group in
            for _ in 0..<50 { group.addTask { try await asset.load(.duration) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(durations.count == 50 && Set(durations).count == 1)
        #expect(asset.readsStarted == 1)
    }

    @Test("a cancelled load fails with a typed error; the asset stays usable")
    func cancellation() async throws {
        let asset = AVURLAsset(url: try AssetTestMedia.ts())
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await asset.load(.duration)
        }
        task.cancel()
        let result = await task.result
        #expect(throws: AVError.self) { try result.get() }
        #expect((result.error as? AVError)?.code == .cancelled)
        #expect(try await asset.load(.isPlayable))
    }

    @Test("cancellation interrupts a server that never answers")
    func interrupts() async throws {
        // The listening socket accepts connections and never answers, so libavformat waits for the HTTP response.
        let silent = try SilentServer()
        let asset = AVURLAsset(url: try #require(URL(string: "http://127.0.0.1:\(silent.port)/film.mp4")))
        let task = Task { try await asset.load(.duration) }
        while asset.readsStarted == 0 { await Task.yield() }
        task.cancel()
        let result = await task.result
        #expect((result.error as? AVError)?.code == .cancelled)
    }
}

extension Result {
    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// A TCP port that accepts connections into its backlog and never answers.
final class SilentServer {
    struct Failed: Error {}
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard bound else { throw Failed() }
    }
    deinit { close(descriptor) }
}
