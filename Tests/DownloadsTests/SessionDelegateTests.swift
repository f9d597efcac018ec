import Downloads
import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@Suite("Delegate of a download session")
struct SessionDelegateTests {
    @Test("a task's asset plays downloaded parts and loads the rest at once")
    @MainActor func playsMeanwhile() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let test = TestSession()
        let asset = AVURLAsset(url: server.url(for: "vod-ts/master.m3u8"))
        // All segments except the eighth are delivered.
        let hold = server.inject(.stall(after: 1000), on: "vod-ts/v3/seg007.ts", nth: 1...1)
        let task = try #require(
            test.session.makeAssetDownloadTask(
                asset: asset, assetTitle: "Zoetrope", assetArtworkData: nil, options: nil))
        task.resume()
        #expect(
            await test.listener.wait { @Sendable _ in (task.loadedTimeRanges.last?.timeRangeValue.end.seconds ?? 0) > 20
            })
        let from = server.requests.count
        let item = AVPlayerItem(asset: task.urlAsset)
        let player = AVPlayer(playerItem: item)
        player.isMuted = true
        player.rate = 8
        #expect(
            await server.wait {
                $0.dropFirst(from).contains { $0.path == "vod-ts/v3/seg007.ts" && $0.outcome == .complete }
            })
        for await status in item.values(of: \.status) where status == .readyToPlay { break }
        player.replaceCurrentItem(with: nil)
        #expect(Set(server.requests.dropFirst(from).map(\.path)) == ["vod-ts/v3/seg007.ts"])
        server.remove(hold)
        task.cancel()
        #expect(await test.listener.ended(task))
        // All downloaded parts have been removed, so the asset loads like any other stream.
        #expect(task.urlAsset.httpOptions.copies?.copy(of: asset.url, nil) == nil)
    }

    @Test("an aggregate task reports location, progress and end once, in order")
    func aggregate() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let test = TestSession(queue: queue)
        let url = server.url(for: "vod-fmp4/master.m3u8")
        let asset = AVURLAsset(url: url)
        let selections = [
            asset.preferredMediaSelection, try await asset.selection(sound: "Deutsch", subtitles: "Deutsch"),
        ]
        let task = try #require(
            test.session.aggregateAssetDownloadTask(
                with: asset, mediaSelections: selections, assetTitle: "Zoetrope",
                assetArtworkData: Data("picture".utf8),
                options: [AVAssetDownloadTaskMinimumRequiredMediaBitrateKey: 265_000]))
        #expect(task.state == .suspended && task.urlAsset === asset)
        #expect(server.requests("vod-fmp4/v*").isEmpty)
        task.resume()
        #expect(task.state == .running)
        #expect(await test.listener.ended(task))
        let told = test.listener.told(task)
        let words = told.map(\.description)
        #expect(
            words.first == "place" && words.last == "ended" && words.count { $0 == "place" } == 1
                && test.listener.ends(task) == 1)
        let place = try #require(test.listener.place(task))
        #expect(
            place.pathExtension == "movpkg" && place.path.hasPrefix(test.session.folder.path)
                && place.lastPathComponent.hasPrefix("Zoetrope"))
        for selection in selections {
            var before: [CMTimeRange] = []
            for case .loaded(let new, let all, let whole, let mine?) in told where mine === selection {
                #expect(whole.start == .zero && abs(whole.duration.seconds - 24) < 0.1)
                #expect(all.contains { $0.containsTimeRange(new) } && !before.contains { $0.containsTimeRange(new) })
                #expect(all.reduce(0) { $0 + $1.duration.seconds } > before.reduce(0) { $0 + $1.duration.seconds })
                before = all
            }
            #expect(before.count == 1 && abs(before.reduce(0) { $0 + $1.duration.seconds } - 24) < 0.1)
            #expect(told.count { if case .completed(let mine) = $0 { mine === selection } else { false } } == 1)
        }
        #expect(test.listener.all.allSatisfy { $0.queue === queue })
        #expect(task.state == .completed && task.error == nil && task.progress.fractionCompleted == 1)
        #expect(task.countOfBytesReceived > 0 && task.countOfBytesReceived == task.countOfBytesExpectedToReceive)
        // The variant of 265 kbit/s, both audio tracks, and the only subtitle language.
        let folders = Set(test.files.compactMap { $0.split(separator: "/").dropFirst().first.map(String.init) })
        #expect(folders.count { $0.hasPrefix("video-96p") } == 1 && folders.count { $0.hasPrefix("video-") } == 1)
        #expect(
            folders.count { $0.hasPrefix("audio-") } == 2 && folders.count { $0.hasPrefix("subtitles-de") } == 1
                && folders.count { $0.hasPrefix("subtitles-") } == 1)
        #expect(folders.contains("artwork"))

        // Plays from its location without a network.
        server.close()
        let local = AVURLAsset(url: place)
        #expect(try await local.load(.isPlayable))
        #expect(abs(try await local.load(.duration).seconds - 24) < 0.2)
        let sounds = try #require(try await local.loadMediaSelectionGroup(for: .audible))
        let texts = try #require(try await local.loadMediaSelectionGroup(for: .legible))
        #expect(
            Set(sounds.options.map(\.displayName)) == ["English", "Deutsch"]
                && texts.options.map(\.displayName) == ["Deutsch"])
        #expect(
            local.assetCache?.isPlayableOffline == true
                && local.assetCache?.mediaSelectionOptions(in: sounds).count == 2)
    }

    /// Returns the `BANDWIDTH` of a variant of the test stream. It depends on the version of the encoder.
    private static func bandwidth(of variant: String) throws -> Double {
        let playlist = try String(
            contentsOf: TestStreams.folder.appendingPathComponent("vod-fmp4/master.m3u8"), encoding: .utf8)
        let lines = playlist.split(separator: "\n")
        let index = try #require(lines.firstIndex { $0.hasPrefix(variant + "/") })
        let match = try #require(lines[index - 1].firstMatch(of: /[:,]BANDWIDTH=(\d+)/))
        return try #require(Double(match.1))
    }

    @Test("a single task reports location, variants, selection, progress and end")
    func single() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let test = TestSession()
        let asset = AVURLAsset(url: server.url(for: "vod-fmp4/master.m3u8"))
        let french = try await asset.selection(sound: "Français")
        let task = try #require(
            test.session.makeAssetDownloadTask(
                asset: asset, assetTitle: "Film", assetArtworkData: nil,
                options: [
                    AVAssetDownloadTaskMediaSelectionKey: french,
                    AVAssetDownloadTaskMinimumRequiredPresentationSizeKey: CGSize(width: 481, height: 96),
                ]))
        task.resume()
        #expect(await test.listener.ended(task))
        let told = test.listener.told(task)
        let words = told.map(\.description)
        #expect(
            Array(words.prefix(3)) == ["place", "variants", "resolved"]
                && Array(words.suffix(2)) == ["finished", "ended"])
        let bandwidth = try Self.bandwidth(of: "v2")
        for case .variants(let variants) in told {
            #expect(
                variants.map { $0.videoAttributes?.presentationSize } == [CGSize(width: 640, height: 128)]
                    && variants.map(\.peakBitRate) == [bandwidth])
            #expect(variants.first?.url == server.url(for: "vod-fmp4/v2/index.m3u8"))
        }
        for case .resolved(let selection) in told { #expect(selection === french) }
        for case .finished(let location) in told { #expect(location == test.listener.place(task)) }
        #expect(
            task.loadedTimeRanges.count == 1
                && abs((task.loadedTimeRanges.first?.timeRangeValue.duration.seconds ?? 0) - 24) < 0.1)
        #expect(!server.requests("vod-fmp4/audio-fr/*").isEmpty && server.requests("vod-fmp4/audio-en/*").isEmpty)
    }

    @Test("qualifiers choose variants, and auxiliary configurations add more", arguments: [true, false])
    func configuration(optimizes: Bool) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let test = TestSession()
        let asset = AVURLAsset(url: server.url(for: "vod-fmp4/master.m3u8"))
        let configuration = AVAssetDownloadConfiguration(asset: asset, title: "Film")
        configuration.primaryContentConfiguration.variantQualifiers = [
            AVAssetVariantQualifier(
                predicate: NSPredicate { variant, _ in (variant as? AVAssetVariant)?.peakBitRate ?? 0 > 100_000_000 }),
            AVAssetVariantQualifier { ($0.videoAttributes?.presentationSize.height ?? 0) < 100 },
        ]
        let other = AVAssetDownloadContentConfiguration()
        other.variantQualifiers = [.maximumHeight(64)]
        other.mediaSelections = [try await asset.selection(sound: "Deutsch")]
        configuration.auxiliaryContentConfigurations = [other]
        configuration.optimizesAuxiliaryContentConfigurations = optimizes
        let task = test.session.makeAssetDownloadTask(downloadConfiguration: configuration)
        task.resume()
        #expect(await test.listener.ended(task) && test.listener.error(task) == nil)
        var heights: [Double] = []
        for case .variants(let variants) in test.listener.told(task) {
            heights = variants.compactMap { $0.videoAttributes.map { Double($0.presentationSize.height) } }
        }
        #expect(heights == (optimizes ? [96] : [96, 64]))
        #expect(
            !server.requests("vod-fmp4/audio-en/*").isEmpty && !server.requests("vod-fmp4/audio-de/*").isEmpty
                && server.requests("vod-fmp4/audio-fr/*").isEmpty)
    }

    @Test("a variant chosen from the asset's list is downloaded")
    func variant() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let test = TestSession()
        let asset = AVURLAsset(url: server.url(for: "vod-fmp4/master.m3u8"))
        let variants = try await asset.load(.variants)
        #expect(server.requests("*.m4s").isEmpty, "listing the variants loads no segment")
        let configuration = AVAssetDownloadConfiguration(asset: asset, title: "")
        configuration.primaryContentConfiguration.variantQualifiers = [
            AVAssetVariantQualifier(variant: try #require(variants.first))
        ]
        let task = test.session.makeAssetDownloadTask(downloadConfiguration: configuration)
        task.resume()
        #expect(await test.listener.ended(task) && test.listener.error(task) == nil)
        for case .variants(let loaded) in test.listener.told(task) {
            #expect(loaded.map(\.url) == [variants.first?.url])
        }
    }

    @Test("a concurrent queue receives one call at a time, in order")
    func concurrentQueue() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 8
        let test = TestSession(listener: SessionListener(pause: 0.005), queue: queue)
        let tasks = try ["vod-fmp4", "vod-ts"].map {
            try test.aggregate(server.url(for: "\($0)/master.m3u8"), bitRate: 1)
        }
        for task in tasks { task.resume() }
        for task in tasks { #expect(await test.listener.ended(task)) }
        #expect(test.listener.mostAtOnce == 1)
        for task in tasks {
            #expect(test.listener.words(task).first == "place" && test.listener.words(task).last == "ended")
        }
    }

    @Test("without a queue, calls are serial on the session's own queue")
    func ownQueue() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let test = TestSession()
        let task = try test.aggregate(server.url(for: "vod-ts/master.m3u8"), bitRate: 1)
        task.resume()
        #expect(await test.listener.ended(task))
        #expect(
            test.session.delegateQueue.maxConcurrentOperationCount == 1
                && test.listener.all.allSatisfy { $0.queue === test.session.delegateQueue })
    }

    @Test("tasks can be dictionary keys and cast to their type")
    func keys() async throws {
        let test = TestSession()
        let url = URL(fileURLWithPath: "/nowhere.m3u8")
        let a = try test.aggregate(url)
        let b = try test.aggregate(url)
        var names: [AVAggregateAssetDownloadTask: String] = [a: "a", b: "b"]
        let all = await test.session.allTasks
        #expect(
            all.compactMap { $0 as? AVAggregateAssetDownloadTask }.map { names.removeValue(forKey: $0) } == ["a", "b"])
        #expect(a != b && a.taskIdentifier != b.taskIdentifier)
        #expect(await test.session.tasks.0.isEmpty)
    }

    @Test("a plain media file is downloaded, and its location is the file")
    func file() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let test = TestSession()
        let task = try #require(
            test.session.makeAssetDownloadTask(
                asset: AVURLAsset(url: server.url(for: "plain/film.mp4")), assetTitle: "File", assetArtworkData: nil))
        task.resume()
        #expect(await test.listener.ended(task))
        let place = try #require(test.listener.place(task))
        #expect(place.pathExtension == "mp4" && test.listener.error(task) == nil)
        #expect(try await AVURLAsset(url: place).load(.isPlayable))
        for case .loaded(_, let all, let whole, _) in test.listener.told(task) {
            #expect(all == [whole] && whole.duration.seconds > 0)
        }
        #expect(test.listener.words(task).contains("loaded"))
    }
}
