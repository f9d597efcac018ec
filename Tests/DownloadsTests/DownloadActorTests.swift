import TestSupport
import Testing

@testable import Downloads

@Suite("Download actor") struct DownloadActorTests {
    @DownloadActor private final class Log {
        var entries: [Int] = []
        nonisolated init() {}
    }

    @Test("blocks and tasks run in the order in which they were enqueued")
    func order() async {
        let log = Log()
        var tasks: [Task<Void, Never>] = []
        for number in 0..<300 {
            switch number % 3 {
            case 0: DownloadActor.enqueue { log.entries.append(number) }
            case 1: tasks.append(Task(priority: .high) { @DownloadActor in log.entries.append(number) })
            default: tasks.append(Task(priority: .background) { @DownloadActor in log.entries.append(number) })
            }
        }
        for task in tasks { await task.value }
        expectEqual(await log.entries, Array(0..<300))
    }

    @Test("sync waits for what was enqueued before, and rethrows")
    func sync() {
        let log = Log()
        for number in 0..<10 { DownloadActor.enqueue { log.entries.append(number) } }
        #expect(DownloadActor.sync { log.entries.count } == 10)
        #expect(throws: DownloadError.self) {
            try DownloadActor.sync { () throws(DownloadError) in throw DownloadError(.cancelled, at: "", reason: "") }
        }
    }
}
