import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import PlayerApp

/// Tests of a window's playlist, with a player but without a window.
@Suite("A window's playlist")
@MainActor
struct FilmListTests {
    private let list = FilmList(AVQueuePlayer(items: []))
    private func films(_ names: String...) throws -> [MediaList.Entry] {
        try names.map { MediaList.Entry(try TestMedia.url($0)) }
    }
    /// The file names of the player's items, in order.
    private var queue: [String] { list.player.items().map(\.asset.url.lastPathComponent) }
    private var titles: [String] { list.rows.map(\.title) }
    private func id(_ title: String) throws -> FilmList.Row.ID {
        try #require(list.rows.first { $0.title == title }?.id)
    }
    /// Returns once `isSo` returns true. It is called after each change of the list.
    private func comes(_ isSo: @escaping @MainActor () -> Bool) async {
        guard !isSo() else { return }
        await withCheckedContinuation { continuation in
            list.onChange = { [list] in
                guard isSo() else { return }
                list.onChange = nil
                continuation.resume()
            }
        }
    }

    @Test("the player's queue follows changes of the list while playback continues")
    func order() throws {
        defer { list.close() }
        list.add(try films("quad-709.mp4", "quad-h264.mp4", "counter.mp4"))
        list.play(try id("quad-709.mp4"), plays: false)
        let playing = list.player.currentItem
        #expect(queue == ["quad-709.mp4", "quad-h264.mp4", "counter.mp4"] && list.player.actionAtItemEnd == .advance)
        list.move(try id("counter.mp4"), before: try id("quad-h264.mp4"))
        #expect(queue == ["quad-709.mp4", "counter.mp4", "quad-h264.mp4"])
        list.add(try films("quad-hevc.mp4"), before: try id("counter.mp4"))
        #expect(queue == ["quad-709.mp4", "quad-hevc.mp4", "counter.mp4", "quad-h264.mp4"])
        list.remove(try id("quad-hevc.mp4"))
        list.move(try id("quad-709.mp4"), before: nil)
        #expect(titles == ["counter.mp4", "quad-h264.mp4", "quad-709.mp4"])
        // The current entry is now the last, so its last frame stays visible at the end.
        #expect(queue == ["quad-709.mp4"] && list.player.actionAtItemEnd == .pause)
        #expect(list.player.currentItem === playing && !list.hasNext && list.hasPrevious)
        list.move(try id("quad-709.mp4"), before: try id("quad-709.mp4"))
        list.remove(-1)
        #expect(titles.count == 3 && list.player.currentItem === playing)
    }

    @Test("the items of a new list are checked before it replaces another")
    func looksFirst() async throws {
        defer { list.close() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bad = folder.appendingPathComponent("bad.mp4")
        try Data("no film".utf8).write(to: bad)
        let missing = MediaList.Entry(folder.appendingPathComponent("missing.mp4"))
        list.add(try films("quad-709.mp4"))
        list.play(try id("quad-709.mp4"), plays: false)
        let playing = list.player.currentItem
        let both = MediaList([missing, MediaList.Entry(bad)])
        expectEqual(await list.queue.problem(of: both)?.code, .fileNotFound)
        #expect(await list.queue.problem(of: MediaList([MediaList.Entry(bad)])) != nil)
        expectEqual(await list.queue.problem(of: MediaList([missing] + (try films("counter.mp4")))), nil)
        // A pipe must not be read, because its content is for playback.
        let pipe = folder.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        expectEqual(await list.queue.problem(of: MediaList([MediaList.Entry(pipe)])), nil)
        #expect(list.player.currentItem === playing && titles == ["quad-709.mp4"])
    }

    @Test("an entry keeps the file, folder or list that it came from")
    func sources() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data([0]).write(to: folder.appendingPathComponent("film.mp4"))
        let text = folder.appendingPathComponent("all.m3u")
        try Data("film.mp4\n".utf8).write(to: text)
        let film = folder.appendingPathComponent("film.mp4")
        for named in [folder, text, film] {
            let all = MediaList.expanding([named])
            #expect(!all.entries.isEmpty && all.entries.allSatisfy { $0.source == named }, "\(named)")
        }
    }

    @Test("removing the current item selects the next, the previous, then none")
    func removed() throws {
        defer { list.close() }
        list.add(try films("quad-709.mp4", "quad-h264.mp4", "counter.mp4"))
        list.play(try id("quad-h264.mp4"), plays: false)
        list.remove(try id("quad-h264.mp4"))
        #expect(list.currentRow?.title == "counter.mp4" && queue == ["counter.mp4"])
        list.remove(try id("counter.mp4"))
        #expect(list.currentRow?.title == "quad-709.mp4" && queue == ["quad-709.mp4"])
        list.remove(try id("quad-709.mp4"))
        #expect(list.rows.isEmpty && list.current == nil && queue.isEmpty && list.player.rate == 0)
    }

    @Test("a row that is a playlist plays only while it is current")
    func replaced() throws {
        defer { list.close() }
        list.add(try films("quad-709.mp4", "quad-h264.mp4"))
        list.play(try id("quad-709.mp4"), plays: false)
        let playing = list.player.currentItem
        list.replace(try id("quad-h264.mp4"), by: try films("counter.mp4", "quad-hevc.mp4"))
        #expect(titles == ["quad-709.mp4", "counter.mp4", "quad-hevc.mp4"] && queue == titles)
        #expect(list.player.currentItem === playing && list.currentRow?.title == "quad-709.mp4")
        #expect(list.player.rate == 0)
        list.replace(try id("quad-709.mp4"), by: try films("quad-h264.mp4"))
        #expect(titles == ["quad-h264.mp4", "counter.mp4", "quad-hevc.mp4"] && queue == titles)
        #expect(list.currentRow?.title == "quad-h264.mp4" && list.player.rate == 1)
    }

    @Test("retrying or adding a playlist reads it again; its entries don't")
    func readsAgain() async throws {
        defer { list.close() }
        let folder = try MediaListTests.Folder()
        defer { withExtendedLifetime(folder) {} }
        _ = try folder.write("channels.m3u8", "#EXTM3U\n#EXTINF:-1 tvg-id=\"x\",First\nfirst.mp4\n")
        let server = try StreamServer(root: URL(fileURLWithPath: folder.path))
        defer { server.close() }
        let entry = MediaList.Entry(server.url(for: "channels.m3u8"))
        var read: [FilmList.Row.ID] = []
        list.onList = { read.append($0.id) }
        list.play(try #require(list.add([entry])))
        #expect(await eventually { list.failure != nil })
        #expect(read.count == 1)
        list.retry()
        #expect(await eventually { list.failure != nil })
        #expect(read.count == 2)
        list.removeAll()
        let again = try #require(list.add([entry]))
        list.play(again)
        #expect(await eventually { list.failure != nil })
        #expect(read.count == 3)
        // A playlist that contains itself is not read again.
        list.replace(again, by: [entry])
        #expect(await eventually { list.failure != nil })
        #expect(read.count == 3 && list.current != again)
    }

    @Test("playback advances to the next item, and the list follows")
    func goesOn() async throws {
        defer { list.close() }
        // The second video is long, so that it does not end before a check.
        list.add(try films("quad-709.mp4", "counter.mp4", "quad-h264.mp4"))
        var left: [String] = []
        list.onLeft = { film, seconds, _ in if seconds == nil { left.append(film.lastPathComponent) } }
        var requested: [String] = []
        list.startPosition = { film in
            requested.append(film.lastPathComponent)
            return nil
        }
        list.play(try id("quad-709.mp4"))
        await comes { list.currentRow?.title == "counter.mp4" }
        #expect(queue == ["counter.mp4", "quad-h264.mp4"] && left == ["quad-709.mp4"])
        #expect(requested == ["quad-709.mp4"], "a stored position would make a gap")
    }

    @Test("a pass of a loop keeps the stored position")
    func loops() async throws {
        defer { list.close() }
        list.add(try films("loop-aac.mp4"))
        var ended = 0
        list.onLeft = { _, seconds, _ in if seconds == nil { ended += 1 } }
        list.play(try id("loop-aac.mp4"), plays: false)
        list.player.loopsCurrentItem = true
        list.player.play()
        let item = try #require(list.player.currentItem)
        #expect(await eventually { item.loopCount > 0 })
        #expect(ended == 0)
        list.player.loopsCurrentItem = false
        #expect(await eventually { ended == 1 })
    }

    @Test("a failed item keeps its error, can be retried and is skipped")
    func failure() async throws {
        defer { list.close() }
        let missing = URL(fileURLWithPath: "/nonexistent/film.mp4")
        list.add([MediaList.Entry(missing)])
        list.play(try id("film.mp4"))
        await comes { list.failure != nil }
        #expect(list.failure?.code == .fileNotFound && list.rows.first?.problem == list.failure)
        list.retry()
        #expect(list.failure == nil)
        await comes { list.failure != nil }
        #expect(list.failure?.code == .fileNotFound)
        list.add(try films("quad-709.mp4"))
        list.play(try id("film.mp4"))
        await comes { list.currentRow?.title == "quad-709.mp4" }
        #expect(list.failure == nil && list.rows.first?.problem != nil)
    }

    @Test("a row loses its error when it plays after another one")
    func repaired() async throws {
        defer { list.close() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let film = folder.appendingPathComponent("film.mp4")
        list.add(try films("quad-709.mp4"))
        list.add([MediaList.Entry(film)])
        list.play(try id("film.mp4"))
        await comes { list.failure != nil }
        #expect(list.currentRow?.problem?.code == .fileNotFound)
        // The video is long, so that it does not end before the check.
        try FileManager.default.copyItem(at: try TestMedia.url("counter.mp4"), to: film)
        list.play(try id("quad-709.mp4"))
        #expect(await eventually { list.currentRow?.title == "film.mp4" && list.currentRow?.problem == nil })
    }

    @Test("an item starts at a given position and reports its last one")
    func places() async throws {
        defer { list.close() }
        list.startPosition = { _ in 2 }
        var told: [Double] = []
        list.onLeft = { _, seconds, duration in if let seconds, duration > 2 { told.append(seconds) } }
        list.add(try films("quad-709.mp4", "counter.mp4"))
        list.play(try id("quad-709.mp4"), plays: false)
        let item = try #require(list.player.currentItem)
        #expect(await eventually { item.status == .readyToPlay })
        list.next()
        #expect(told.count == 1 && abs((told.first ?? 0) - 2) < 0.1, "\(told)")
    }

    /// A way to another item.
    enum Way: CaseIterable {
        case list, key, desktop, removal
    }
    @Test("every requested change of the item stores and restores positions", arguments: Way.allCases)
    func resumes(_ way: Way) async throws {
        defer { list.close() }
        list.startPosition = { $0.lastPathComponent == "counter.mp4" ? 2 : nil }
        var left: [String: Double] = [:]
        list.onLeft = { film, seconds, _ in left[film.lastPathComponent] = seconds }
        list.add(try films("quad-709.mp4", "counter.mp4"))
        let first = try id("quad-709.mp4")
        list.play(first, from: 1, plays: false)
        let item = try #require(list.player.currentItem)
        #expect(await eventually { item.status == .readyToPlay })
        switch way {
        case .list: list.play(try id("counter.mp4"), plays: false)
        case .key: list.queue.go(by: 1)
        case .desktop: list.player.advanceToNextItem()
        case .removal: list.remove(first)
        }
        #expect(await eventually { list.currentRow?.title == "counter.mp4" })
        let seconds = list.player.currentTime().seconds
        #expect(abs(seconds - 2) < 0.1, "\(seconds)")
        #expect(left.keys.sorted() == ["quad-709.mp4"] && abs((left["quad-709.mp4"] ?? 0) - 1) < 0.1, "\(left)")
    }
}
