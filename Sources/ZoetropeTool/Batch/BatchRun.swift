import Foundation
import MediaCore
import Synchronization

/// A run of `zoetrope batch`. Workers take units in order; each result is printed and recorded.
final class BatchRun: Sendable {
    private struct Shared {
        var units: ArraySlice<BatchUnit>
        var progress = BatchProgress()
        /// The messages of the first failures, which are printed at the end.
        var failures: [String] = []
        /// The error that prevents further lines from being recorded or printed.
        var recordingError: ToolFailure?
        var prints = true
        var maximumKills = BatchRun.maximumKills
    }

    private let plan: BatchPlan
    private let state: BatchState
    private let work: BatchWork
    private let stop = JobStop()
    private let main = MainThreadWork()
    private let receivedSignal = ReceivedSignal()
    private let shared: Mutex<Shared>

    /// The default number of times that a process may be killed while it runs a unit, before the unit fails. A later
    /// run retries the unit.
    static let maximumKills = 3
    private static let maximumShown = 20

    init(_ plan: BatchPlan, _ state: BatchState) {
        self.plan = plan
        self.state = state
        work = BatchWork(plan: plan, state: state, stop: stop, main: main)
        shared = Mutex(Shared(units: []))
    }

    struct Options: Sendable {
        var workers = 1
        var maximumKills = BatchRun.maximumKills
        var showsProgress = false
        var reportsProblems = true
        /// Whether results are printed. They are always recorded.
        var prints = true
    }

    var progress: BatchProgress { shared.withLock { $0.progress } }

    /// Runs `units`, then `joins`. Call on the main thread.
    /// - Returns: The messages of failed jobs.
    /// - Throws: The signal that interrupted the run, or the error that prevented further records.
    func run(_ units: [BatchUnit], joins: [BatchUnit], _ options: Options) throws -> [String] {
        ExitSignals.setHandler { [stop, receivedSignal] number in
            receivedSignal.set(number)
            stop.stop()
        }
        defer { ExitSignals.setHandler(nil) }
        let problems = options.reportsProblems ? plan.problems : []
        shared.withLock {
            ($0.prints, $0.maximumKills) = (options.prints, options.maximumKills)
            $0.progress.total = units.count + joins.count + problems.count
        }
        for problem in problems { report(problem) }
        let records = BatchRecords(state.folder, keepsLines: true)
        records.update()
        let known = records.known
        let began = HostClock.now()
        var terminal = TerminalLine()
        for (group, isLast) in [(units, false), (joins, true)] {
            // Units whose process was killed in an earlier run are started last, so that they cannot interrupt other
            // units.
            let order = pending(group, records).sorted { killCount($0, known) < killCount($1, known) }
            let workers = start(order, known, options.workers)
            while !main.serve(seconds: 0.2) {
                if options.showsProgress {
                    terminal.draw(
                        progress.line(
                            after: Double(HostClock.now() - began) / 1e9, columns: TerminalLine.columns))
                }
            }
            for worker in workers { worker.join() }
            main.reset()
            if stop.isStopped || isLast { break }
        }
        terminal.clear()
        return try result()
    }

    private func result() throws -> [String] {
        let (recordingError, progress, failures) = shared.withLock { ($0.recordingError, $0.progress, $0.failures) }
        if let signal = receivedSignal.number {
            throw ToolFailure(
                .signal(signal),
                "Interrupted. \(progress.finished + progress.skipped) of \(progress.total) jobs are finished. To resume, run the same command again."
            )
        }
        if let recordingError { throw recordingError }
        guard progress.failed > failures.count else { return failures }
        return failures + ["… and \(progress.failed - failures.count) more."]
    }

    // MARK: choosing units

    private func killCount(_ unit: BatchUnit, _ known: [String: BatchState.Known]) -> Int {
        known[unit.key]?.killCount ?? 0
    }

    /// Prints the units that an earlier run has finished, and returns the others.
    private func pending(_ units: [BatchUnit], _ records: BatchRecords) -> [BatchUnit] {
        guard !records.known.isEmpty else { return units }
        return units.filter { unit in
            guard !stop.isStopped, isFinished(unit, records.known) else { return true }
            shared.withLock { $0.progress.skipped += 1 }
            // A process that was killed after it recorded the join has left the parts.
            if unit.piece == .join { state.removeParts(of: unit.job) }
            let line = BatchLine(
                skipped: unit, recorded: records.lines[unit.key], try? JobHead.read(plan.bytes(of: unit.job)))
            attempt { () throws(ToolFailure) in try print(line.text) }
            return false
        }
    }

    /// Returns whether a unit needs no further run.
    ///
    /// The record must say that the unit is finished, the source and the files of its options must be unchanged, and
    /// the output must exist with the recorded size. A part is also finished if the join of its job is finished.
    func isFinished(_ unit: BatchUnit, _ known: [String: BatchState.Known]) -> Bool {
        guard let head = try? JobHead.read(plan.bytes(of: unit.job)) else { return false }
        let join = BatchUnit(job: unit.job, piece: .join)
        if case .part(let number) = unit.piece {
            if isFinished(join, known) { return true }
            let target = head.output.flatMap { FilePath(MediaLocation.path($0)) }
            let part = try? state.part(number, of: unit.job, pathExtension: target?.pathExtension ?? "")
            return matches(known[unit.key]?.finished, unit.job, head, part)
        }
        return matches(
            known[unit.key]?.finished, unit.job, head, head.output.flatMap { FilePath(MediaLocation.path($0)) })
    }

    private func matches(
        _ record: BatchState.Finished?, _ job: BatchPlan.Job, _ head: JobHead, _ output: FilePath?
    ) -> Bool {
        guard let record, record.source == BatchRun.source(head.input) else { return false }
        // Decoding the options takes time, so it is left out for jobs that had no such files.
        if let files = record.files, files != self.files(of: job) { return false }
        return output == nil || record.bytes != nil && record.bytes == BatchRun.size(output)
    }

    private static func size(_ path: FilePath?) -> Int64? { path?.status.map { Int64($0.st_size) } }

    /// Returns a text that changes when the file changes: its size and modification time. Nil if there is no file.
    private static func identity(_ path: FilePath?) -> String? {
        path?.status.map { "\($0.st_size)-\($0.st_mtim.tv_sec).\($0.st_mtim.tv_nsec)" }
    }

    /// Returns a text that changes when the source file changes.
    private static func source(_ input: String) -> String {
        identity(FilePath(MediaLocation.url(input))) ?? "unknown"
    }

    /// Returns a text that changes when a file changes that the options of a job name, such as its subtitles. Nil if
    /// the options name no files.
    private func files(of job: BatchPlan.Job) -> String? {
        let names = (try? JobOptions.read(plan.bytes(of: job)))?.fileNames ?? []
        let texts = names.compactMap { BatchRun.identity(FilePath(MediaLocation.url($0))) }
        return texts.isEmpty ? nil : texts.joined(separator: ",")
    }

    // MARK: running units

    private func start(_ units: [BatchUnit], _ known: [String: BatchState.Known], _ count: Int) -> [WorkerThread] {
        shared.withLock { $0.units = units[...] }
        let counter = WorkerCount(max(1, count))
        return (0..<max(1, count)).map { _ in
            let worker = WorkerThread(name: "zt-batch") { [self] in
                while !stop.isStopped, let unit = shared.withLock({ $0.units.popFirst() }) {
                    run(unit, killCount: killCount(unit, known))
                }
                if counter.leave() { main.finish() }
            }
            if !worker.isStarted {
                attempt { () throws(ToolFailure) in
                    throw ToolFailure(.failed, "The system can't create more threads. Use a lower number of --jobs.")
                }
                if counter.leave() { main.finish() }
            }
            return worker
        }
    }

    private func run(_ unit: BatchUnit, killCount: Int) {
        let head = try? JobHead.read(plan.bytes(of: unit.job))
        guard killCount < shared.withLock({ $0.maximumKills }) else {
            return end(
                unit, head,
                .failure(
                    ToolFailure(
                        .failed,
                        "the process was killed \(killCount) times during this job; it may need more memory")))
        }
        attempt { () throws(ToolFailure) in try state.append(BatchLine("started", unit, head).text) }
        let source = head.map { BatchRun.source($0.input) }
        let files = files(of: unit.job)
        let began = HostClock.now()
        let result: Result<BatchWork.Outcome, any Error>
        do { result = .success(try work.run(unit, wasKilled: killCount > 0)) } catch { result = .failure(error) }
        if stop.isStopped, case .failure = result {
            return attempt { () throws(ToolFailure) in try state.append(BatchLine("stopped", unit, head).text) }
        }
        end(unit, head, result, (source, files), Double(HostClock.now() - began) / 1e9)
    }

    private func end(
        _ unit: BatchUnit, _ head: JobHead?, _ result: Result<BatchWork.Outcome, any Error>,
        _ inputs: (source: String?, files: String?) = (nil, nil), _ seconds: Double = 0
    ) {
        var line: BatchLine
        switch result {
        case .success(let outcome):
            line = BatchLine("finished", unit, head)
            line.bytes = BatchRun.size(outcome.output)
            (line.source, line.files) = inputs
            line.result = outcome.result.flatMap { RawJSON($0) }
            shared.withLock { $0.progress.finished += 1 }
        case .failure(let error):
            line = BatchLine("failed", unit, head)
            let message = (error as? JobProblem)?.reason ?? ToolFailure(error).message
            line.error = message
            fail("Line \(unit.job.line): \(message)")
        }
        line.seconds = seconds.inThousandths
        line.memoryMB = ProcessFacts.peakMemoryMB.rounded(.up)
        attempt { () throws(ToolFailure) in
            let text = try line.text
            try state.append(text)
            // If the process were killed between the removal and the record, all parts would be rendered again.
            if unit.piece == .join, line.event == "finished" { state.removeParts(of: unit.job) }
            try print(text)
        }
    }

    private func report(_ problem: BatchPlan.Problem) {
        fail("Line \(problem.line): \(problem.reason)")
        attempt { () throws(ToolFailure) in try print(BatchLine(problem).text) }
    }

    private func print(_ line: String) throws(ToolFailure) {
        if shared.withLock({ $0.prints }) { try Console.out(line) }
    }

    private func fail(_ message: String) {
        shared.withLock { shared in
            shared.progress.failed += 1
            if shared.failures.count < BatchRun.maximumShown { shared.failures.append(message) }
        }
    }

    /// Runs `body`, and stops the run if `body` can't write a line. Without a record, the next run would repeat the
    /// work.
    private func attempt(_ body: () throws(ToolFailure) -> Void) {
        do throws(ToolFailure) { try body() } catch {
            shared.withLock { $0.recordingError = $0.recordingError ?? error }
            stop.stop()
        }
    }
}

/// A counter of the workers that are still running.
private final class WorkerCount: Sendable {
    private let count: Mutex<Int>
    init(_ count: Int) { self.count = Mutex(count) }
    /// - Returns: Whether this worker was the last.
    func leave() -> Bool {
        count.withLock { count in
            count -= 1
            return count == 0
        }
    }
}
