import Foundation
import MediaCore
import Streaming
import Synchronization
import TestSupport
import Testing

@testable import Downloads

@Suite("Transfer of an item") struct ItemTransferTests {
    /// A loop that delivers the first bytes of a request before `start` returns, unless `start` is called on the loop.
    private final class EarlyNetwork: NetworkLoop {
        private let network: VirtualNetwork
        init(_ network: VirtualNetwork) { self.network = network }

        var time: HostTime { network.time }
        func perform(_ work: @escaping @NetworkActor () -> Void) { network.perform(work) }
        func schedule(at time: HostTime, _ work: @escaping @NetworkActor () -> Void) -> any NetworkTimer {
            network.schedule(at: time, work)
        }

        func start(_ request: HTTPRequest, _ callbacks: HTTPCallbacks) -> any HTTPTask {
            let hasBytes = Mutex(false)
            var early = callbacks
            early.onBytes = { bytes in
                callbacks.onBytes(bytes)
                hasBytes.withLock { $0 = true }
            }
            let task = network.start(request, early)
            if !NetworkActor.isCurrent { network.run(until: { hasBytes.withLock { $0 } }) }
            return task
        }
    }

    @Test("The speed limit applies even if the first bytes arrive immediately")
    func limit() throws {
        let data = Data(repeating: 7, count: 1_000_000)
        let bench = try JobBench { request, _ in VirtualAnswer.ranged(request, data) }
        let network = EarlyNetwork(bench.network)
        let lengths = Heard<Int64?>()
        let (url, path) = (bench.row.url, bench.root.appending("film.ts"))
        let began = network.time
        let transfer = DownloadActor.sync {
            let transfer = ItemTransfer(
                ItemTransfer.Request(url: url, options: HTTPOptions(), path: path, plan: TransferPlan(), limit: .max),
                loop: network, limits: [RateLimit(loop: network, bytesPerSecond: 100_000)])
            transfer.onEnd = { lengths.add(try? $0.get().length) }
            transfer.start()
            return transfer
        }
        bench.run { DownloadActor.sync { !lengths.all.isEmpty } }
        DownloadActor.sync {
            #expect(lengths.all == [1_000_000])
            transfer.cancel()
        }
        // The limit permits the bytes of a tenth of a second at once.
        #expect(Double(network.time - began) / 1e9 > 9.8)
    }

    @Test("Unreadable bytes of a part do not shorten the shared file", arguments: [true, false])
    func unreadable(isPart: Bool) throws {
        let film = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let bench = try JobBench { request, _ in VirtualAnswer.ranged(request, film) }
        let (url, path) = (bench.row.url, bench.root.appending("film.ts"))
        try film.prefix(100_000).write(to: URL(fileURLWithPath: path.path))
        let lengths = Heard<Int64?>()
        let transfer = DownloadActor.sync {
            // Reading 120,000 bytes of a part fails, because the file ends before.
            let plan = TransferPlan(from: 40_000, to: 180_000, received: 120_000)
            let transfer = ItemTransfer(
                ItemTransfer.Request(
                    url: url, options: HTTPOptions(), path: path, fileOffset: isPart ? 40_000 : 0, plan: plan,
                    isPart: isPart, limit: .max),
                loop: bench.network, limits: [])
            transfer.onEnd = { lengths.add(try? $0.get().length) }
            transfer.start()
            #expect(transfer.received == 0)
            return transfer
        }
        #expect(DiskFile.size(path) == (isPart ? 100_000 : 0))
        bench.run { DownloadActor.sync { !lengths.all.isEmpty } }
        #expect(DownloadActor.sync { lengths.all } == [140_000])
        let whole = isPart ? film.prefix(180_000) : film.dropFirst(40_000).prefix(140_000)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path.path)) == whole)
        withExtendedLifetime(transfer) {}
    }
}
