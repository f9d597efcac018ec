import ArgumentParser
import Dispatch
import Export
import Foundation
import MediaCore
import MediaEngine
import Synchronization

/// A switch that interrupts the work of a batch. Thread-safe.
final class JobStop: Sendable {
    let token = InterruptToken()
    private let cancels = Mutex<[UUID: @Sendable () -> Void]>([:])

    var isStopped: Bool { token.isInterrupted }

    func stop() {
        token.interrupt()
        for cancel in cancels.withLock({ Array($0.values) }) { cancel() }
    }

    /// Runs `body`. Calls `cancel` when the work is stopped during `body`, or immediately if it is already stopped.
    func during<T>(_ body: () throws -> T, cancel: @escaping @Sendable () -> Void) rethrows -> T {
        let id = UUID()
        cancels.withLock { $0[id] = cancel }
        defer { cancels.withLock { _ = $0.removeValue(forKey: id) } }
        if isStopped { cancel() }
        return try body()
    }
}

/// The work of the units. Each unit has the same result as the corresponding command of the tool.
struct BatchWork: Sendable {
    let plan: BatchPlan
    let state: BatchState
    let stop: JobStop
    let main: MainThreadWork

    /// The result of a unit.
    struct Outcome: Sendable {
        var output: FilePath?
        /// The report of the command, as JSON.
        var result: String?
    }

    /// Carries out a unit, and waits until it ends.
    /// - Parameter wasKilled: Whether a process was killed while it carried out this unit. If so, files that it left
    ///   are removed.
    /// - Throws: The reason why the unit failed; `JobProblem` for an invalid line.
    func run(_ unit: BatchUnit, wasKilled: Bool) throws -> Outcome {
        let bytes = plan.bytes(of: unit.job)
        let head = try JobHead.read(bytes)
        let output = path(head.output)
        // The plan has compared the paths. It does not check whether the source itself is a symbolic link.
        if let target = output?.resolved, head.inputPath.flatMap({ FilePath(bytes: $0)?.resolved }) == target {
            throw JobProblem.writesOverSource
        }
        if wasKilled, let output { PartialFile.removeAbandoned(output) }
        if unit.piece == .join { return try join(unit.job, head) }
        let options = try JobOptions.read(bytes)
        switch head.kind {
        case .render: return try render(unit, head, options, wasKilled)
        case .snapshot:
            let command: Snapshot = try parse(head, options)
            try limited(command.network, command.file) { try command.write($0) }
        case .contactSheet:
            let command: VideoContactSheet = try parse(head, options)
            try limited(command.network, command.file) { try command.write($0) }
        case .probe:
            let command: Probe = try parse(head, options)
            switch try limited(command.network, command.file, { try command.read($0) }) {
            case .media(let report, let unplayable):
                if let unplayable { throw unplayable }
                return try reported(report, head)
            case .subtitles(let report): return try reported(report, head)
            }
        case .loudness:
            let command: Loudness = try parse(head, options)
            return try reported(try command.measured(stop.token), head)
        }
        return Outcome(output: output)
    }

    // MARK: steps

    private func parse<Command: ToolCommand>(_ head: JobHead, _ options: JobOptions, output: String? = nil) throws
        -> Command
    {
        var arguments = options.arguments
        if head.kind.needsOutput, let output = output ?? head.output { arguments.append("--output=\(output)") }
        do {
            return try BatchWork.parsing.withLock { _ in try Command.parse(arguments + ["--", head.input]) }
        } catch {
            throw JobProblem(Command.message(for: error))
        }
    }

    /// The lock around the argument parser, which does not document whether threads can share it.
    private static let parsing = Mutex(())

    /// Runs `body`, and interrupts it when the batch is stopped or `file` takes longer than the options allow.
    private func limited<T>(
        _ options: ReadingOptions, _ file: FileArgument, _ body: (InterruptToken) throws -> T
    ) rethrows -> T {
        let token = options.interruptToken(for: file)
        return try stop.during {
            try body(token)
        } cancel: {
            token.interrupt()
        }
    }

    private func path(_ name: String?) -> FilePath? { name.flatMap { FilePath(MediaLocation.path($0)) } }

    /// Returns the report as the result of the job, and writes it to the output file if the line names one.
    private func reported(_ report: some Encodable, _ head: JobHead) throws -> Outcome {
        let text = try ReportJSON.line(report)
        if let output = head.output {
            try AtomicFile.write(Array((text + "\n").utf8), to: MediaLocation.path(output))
        }
        return Outcome(output: path(head.output), result: text)
    }

    private func render(_ unit: BatchUnit, _ head: JobHead, _ options: JobOptions, _ wasKilled: Bool) throws -> Outcome
    {
        var options = options.arguments + ["--overwrite"]
        var output = head.output ?? ""
        var written = path(output)
        if case .part(let number) = unit.piece {
            // Only the join would notice a missing folder, after all parts have been rendered.
            if let written, !written.folder.exists { throw PartialFile.error(ENOENT, at: written.description) }
            let part = try state.part(number, of: unit.job, pathExtension: written?.pathExtension ?? "")
            options.append("--part=\(number)/\(unit.job.parts)")
            output = CommandArguments.text(part.bytes)
            written = part
            if wasKilled { PartialFile.removeAbandoned(part) }
        }
        let command: Render = try parse(head, JobOptions(options), output: output)
        let session = try main.run { try command.session() }
        let began = HostClock.now()
        let cpu = ProcessFacts.cpuSeconds
        let isOver = DispatchSemaphore(value: 0)
        stop.during {
            session.exportAsynchronously { isOver.signal() }
            isOver.wait()
        } cancel: {
            session.cancelExport()
        }
        if let failure = command.failure(of: session, nil) { throw failure }
        let outcome = RenderRun.Outcome(
            wallSeconds: Double(HostClock.now() - began) / 1e9, cpuSeconds: ProcessFacts.cpuSeconds - cpu)
        let report = RenderReport(
            session, outcome, file: CommandArguments.readable(head.output ?? ""), error: nil)
        return Outcome(output: written, result: try report.line)
    }

    private func join(_ job: BatchPlan.Job, _ head: JobHead) throws -> Outcome {
        let target = MediaLocation.path(head.output ?? "")
        let pathExtension = FilePath(target)?.pathExtension ?? ""
        let parts = try (1...Int(job.parts)).map { try state.part($0, of: job, pathExtension: pathExtension).url }
        let join = PartJoin(parts, to: target, replaces: true)
        _ = try stop.during {
            try join.run()
        } cancel: {
            join.cancel()
        }
        return Outcome(output: FilePath(target))
    }
}
