import Foundation
import MediaCore
import Streaming
import TestSupport
import Testing

@testable import Downloads

@Suite("Contents of a download job") struct JobContentsTests {
    private func name(_ place: Int) -> String { String(format: "segment-%06d.ts", place) }

    @Test("the next process renames stored files with temporary names")
    func recovery() throws {
        let bench = try JobBench()
        let row = try bench.rendition(["a.ts", "b.ts"])
        try DownloadActor.sync { () throws(any Error) in
            let contents = DownloadContents(bench.folder, bench.record)
            try contents.take([row], of: bench.package.id)
            #expect(contents.missing.map(\.place) == [0, 1] && !contents.isComplete)
            let item = try bench.arrive(ItemReference(rendition: 0, place: 1), [1, 2, 3], in: contents)
            // The process is killed after the record was written, but before the file got its name.
            #expect(try contents.store([item], in: bench.package.id) == 3)
            let next = DownloadContents(bench.folder, bench.record)
            try next.take([row], of: bench.package.id)
            #expect(next.missing.map(\.place) == [0] && next.bytes == 3)
            #expect(DiskFile.size(bench.folder.file(self.name(1), of: row)) == 3)
        }
    }

    @Test("a resource that is lost or forgotten is missing again")
    func lost() throws {
        let bench = try JobBench()
        let row = try bench.rendition(["a.ts"])
        try DownloadActor.sync { () throws(any Error) in
            let contents = DownloadContents(bench.folder, bench.record)
            try contents.take([row], of: bench.package.id)
            let reference = ItemReference(rendition: 0, place: 0)
            let item = try bench.arrive(reference, [1, 2, 3], in: contents)
            _ = try contents.store([item], in: bench.package.id)
            try contents.name([item])
            contents.complete(item)
            #expect(contents.isComplete && contents.missing.isEmpty)
            contents.lose(reference)
            #expect(contents.missing == [reference] && contents.bytes == 0)
            #expect(DiskFile.size(bench.folder.file(self.name(0), of: row)) == nil)
            #expect(try bench.record.read { try $0.resources(of: row.id) }.isEmpty)
        }
    }

    @Test("a package belongs to one download at a time")
    func lock() throws {
        let bench = try JobBench()
        try DownloadActor.sync { () throws(any Error) in
            let (first, second) = (
                DownloadContents(bench.folder, bench.record), DownloadContents(bench.folder, bench.record)
            )
            #expect(try first.takeLock() && first.takeLock())
            #expect(try !second.takeLock())
            first.close()
            #expect(try second.takeLock())
        }
    }

    @Test("a download is not finished while resources of its plan are missing")
    func finish() throws {
        let bench = try JobBench()
        let row = try bench.rendition(["a.ts", "b.ts"])
        try DownloadActor.sync { () throws(any Error) in
            let contents = DownloadContents(bench.folder, bench.record)
            try contents.take([row], of: bench.package.id)
            let items = try [0, 1].map {
                try bench.arrive(ItemReference(rendition: 0, place: $0), [1, 2, 3], in: contents)
            }
            _ = try contents.store(items, in: bench.package.id)
            try contents.name(items)
            for item in items { contents.complete(item) }
            let end = PackageFinish(bench.package, contents)
            #expect(try end.missing().isEmpty)
            try DiskFile.remove(bench.folder.file(self.name(1), of: row))
            #expect(end.items(of: try end.missing()).map(\.place) == [1])
            contents.lose(ItemReference(rendition: 0, place: 1))
            #expect(end.items(of: try end.missing()).map(\.place) == [1])
        }
    }
}

@Suite("Transfers of a download job") struct JobTransfersTests {
    /// Transfers of two segments, and their reports.
    private struct Transfers {
        let contents: DownloadContents
        let transfers: ItemTransfers
        let heard = Heard<String>()

        @DownloadActor init(_ bench: JobBench, _ row: RenditionRow) throws(DownloadError) {
            contents = DownloadContents(bench.folder, bench.record)
            try contents.take([row], of: bench.package.id)
            transfers = ItemTransfers(contents, loop: bench.network, limits: [])
            transfers.arrange()
        }

        @DownloadActor func beginAll(most: Int = 4) throws {
            while let item = transfers.next(most: most) {
                let url = try #require(contents.renditions[0].url(of: item.place))
                transfers.begin(item, from: url, HTTPOptions()) { [heard] event in
                    switch event {
                    case .arrived(let item): heard.add("arrived \(item.item.place) \(item.arrived.length)")
                    case .failed(let item, _): heard.add("failed \(item.place)")
                    case .progress, .note: break
                    }
                }
            }
        }
    }

    @Test("each item arrives or fails once, and a failed one waits")
    func once() throws {
        let bench = try JobBench { request, _ in
            request.url.lastPathComponent == "a.ts" ? .whole(Data(repeating: 7, count: 1000)) : VirtualAnswer(404)
        }
        let row = try bench.rendition(["a.ts", "b.ts"])
        let all = try DownloadActor.sync { () throws(any Error) in
            let all = try Transfers(bench, row)
            try all.beginAll()
            #expect(all.transfers.isRunning && all.transfers.next(most: 4) == nil)
            return all
        }
        bench.run()
        DownloadActor.sync {
            #expect(all.heard.all.sorted() == ["arrived 0 1000", "failed 1"])
            #expect(!all.transfers.isRunning && !all.transfers.isDone && !all.transfers.isIdle)
            #expect(all.transfers.next(most: 4) == ItemReference(rendition: 0, place: 1))
        }
    }

    @Test("the number of running transfers is limited")
    func most() throws {
        let bench = try JobBench { _, _ in .whole(Data(count: 10)) }
        let row = try bench.rendition(["a.ts", "b.ts", "c.ts"])
        let all = try DownloadActor.sync { () throws(any Error) in
            let all = try Transfers(bench, row)
            try all.beginAll(most: 2)
            return all
        }
        bench.run()
        #expect(bench.network.requests.count == 2 && DownloadActor.sync { all.heard.all.count } == 2)
    }

    @Test("a stopped transfer reports nothing and continues where it was")
    func stopped() throws {
        let film = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        let bench = try JobBench { request, _ in
            var answer = VirtualAnswer.ranged(request, film, ["etag": "\"1\""])
            answer.pause = 1_000_000_000
            return answer
        }
        let row = try bench.rendition(["a.ts"])
        let all = try DownloadActor.sync { () throws(any Error) in
            let all = try Transfers(bench, row)
            try all.beginAll()
            return all
        }
        bench.run(until: { DownloadActor.sync { all.transfers.arriving } > 60_000 })
        DownloadActor.sync { all.transfers.stop() }
        bench.run()
        #expect(DownloadActor.sync { all.heard.all.isEmpty && !all.transfers.isRunning })
        try DownloadActor.sync { () throws(any Error) in try all.beginAll() }
        bench.run()
        #expect(DownloadActor.sync { all.heard.all } == ["arrived 0 200000"])
        #expect(try #require(bench.network.requests.last?.range).first > 60_000)
    }
}

@Suite("Space of a download library") struct LibrarySpaceTests {
    @Test("a quota reports the excess and which downloads may be removed")
    func quota() throws {
        let bench = try JobBench()
        try bench.record.write { database in
            for (name, played) in [("new", 200.0), ("old", 100.0), ("kept", 1.0)] {
                let id = try database.insertPackage(asset: name, folder: name, source: bench.row.url, title: name)
                try database.execute(
                    sql: "UPDATE package SET bytes = 1000, finished = 1, played = ?, protected = ? WHERE id = ?",
                    arguments: [played, name == "kept", id])
            }
        }
        DownloadActor.sync {
            let space = LibrarySpace(bench.root, bench.record)
            space.recount()
            #expect(space.bytes == 3000)
            var policy = DownloadPolicy()
            policy.reservedSpace = 0
            #expect(space.excess(1000, policy) == 0)
            policy.quota = 3500
            #expect(space.excess(400, policy) == 0 && space.excess(1000, policy) == 500)
            #expect(space.evictable(but: bench.package.id).map(\.title) == ["old", "new"])
            #expect { try space.check(1000, policy, at: bench.folder.diskPath) } throws: {
                ($0 as? DownloadError)?.code == .quotaExceeded
            }
            space.grow(by: 500)
            #expect(space.excess(0, policy) == 0 && space.excess(1, policy) == 1)
        }
    }
}
