import Foundation
import MediaCore

/// A batch on a Slurm cluster. It measures what a task needs, submits and watches the tasks, and submits killed tasks
/// again.
final class SlurmBatch {
    private let plan: BatchPlan
    private let state: BatchState
    private let command: Batch
    private let programs: SlurmProgram
    private let queue: SlurmQueue
    private let receivedSignal = ReceivedSignal()
    private let records: BatchRecords
    private var progress = BatchProgress()
    /// The keys of the units that were not finished when this run began. Only these units count as finished or failed
    /// in `progress`.
    private var pending: Set<String> = []

    init(_ plan: BatchPlan, _ state: BatchState, command: Batch) throws(ToolFailure) {
        self.plan = plan
        self.state = state
        self.command = command
        programs = try SlurmProgram()
        queue = SlurmQueue(programs: programs)
        records = BatchRecords(state.folder, keepsLines: true)
    }

    /// Runs the batch and waits until it ends.
    /// - Returns: The messages of failed jobs.
    /// - Throws: The signal that interrupted the run, or the reason why nothing could be submitted.
    func run() throws -> [String] {
        defer { ExitSignals.setHandler(nil) }
        expect(unfinished(plan.units(in: nil)) + unfinished(plan.joins))
        if let array = SlurmArray.saved(state), try isQueued(array) {
            Console.note(
                "Waiting for Slurm array \(array.ids.joined(separator: ", ")), which an earlier run submitted.")
            try watch(array)
        }
        let open = unfinished(plan.units(in: nil))
        let need = open.isEmpty ? SlurmNeed.unmeasured : try measured(open)
        let rest = unfinished(open)
        try rounds(rest, need)
        return try result()
    }

    private func rounds(_ units: [BatchUnit], _ measured: SlurmNeed) throws {
        var need = measured
        need.apply(memory: command.slurm.memory, cores: command.slurm.cores)
        let slices = min(
            command.slurm.slices ?? need.slices(of: plan.unitCount, most: queue.largestTask()), max(1, plan.unitCount))
        var indices: [String: Int] = [:]
        for (index, unit) in plan.units(in: nil).enumerated() { indices[unit.key] = index }
        let submission = SlurmSubmission(
            programs: programs, state: state, command: nodeCommand, passed: command.slurm.passed)
        var open = units
        var joins = unfinished(plan.joins)
        // The keys of units that failed in this run. They are not tried again.
        var ended: Set<String> = []
        for round in 0...command.slurm.retries {
            guard !open.isEmpty || !joins.isEmpty else { return }
            let tasks = Set(open.compactMap { unit in indices[unit.key].map { $0 % slices + 1 } })
            // A signal during the submission must not end the tool before the array is stored. `watch` handles it.
            catchSignals()
            if let signal = receivedSignal.number {
                throw ToolFailure(.signal(signal), "Interrupted. To resume, run the same command again.")
            }
            let array: SlurmArray
            do {
                array = try submission.submit(tasks.sorted(), of: slices, need: need, joins: !joins.isEmpty)
            } catch let failure as ToolFailure where round > 0 {
                // No node may have the memory. The results of the earlier attempts remain.
                return Console.note(failure.message)
            }
            try array.save(state)
            try watch(array)
            ended.formUnion(records.ends.keys.filter { failure($0) != nil })
            open = unfinished(open).filter { !ended.contains($0.key) }
            joins = unfinished(joins).filter { join in
                // A join whose parts were missing must run again when its parts are submitted again.
                !ended.contains(join.key) || open.contains { $0.job.id == join.job.id }
            }
            guard !open.isEmpty || !joins.isEmpty, round < command.slurm.retries else { return }
            need.memory = min(need.memory * 2, 100_000_000)
            let endings = queue.endings(array)
            let why = endings.isEmpty ? "" : " (\(endings.joined(separator: ", ")))"
            let count = open.count + joins.count
            let jobs = count == 1 ? "1 job is" : "\(count) jobs are"
            Console.note(
                "\(jobs) unfinished, because Slurm stopped the tasks\(why). Unfinished jobs are submitted again, with \(need.memory) MiB of memory."
            )
        }
    }

    /// The command that a node runs, as arguments in the form of `CommandArguments.text`.
    private var nodeCommand: [String] {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "zoetrope"
        let jobs = command.jobs.plain
        return [
            command.slurm.program?.plain ?? own, "batch", jobs.hasPrefix("-") ? "./" + jobs : jobs, "--state",
            CommandArguments.text(state.folder.bytes), "--kill-limit",
            "\(max(BatchRun.maximumKills, command.slurm.retries + 1))",
        ]
    }

    private func unfinished(_ units: [BatchUnit]) -> [BatchUnit] {
        records.update()
        let run = BatchRun(plan, state)
        return units.filter { !run.isFinished($0, records.known) }
    }

    // MARK: measuring

    /// Runs one job of each kind on this computer and measures it. If the job fails, another one is measured.
    /// - Returns: The needs of a task; `unmeasured` if the options set both memory and cores, or if none of these jobs
    ///   succeeds.
    private func measured(_ units: [BatchUnit]) throws -> SlurmNeed {
        if command.slurm.memory != nil, command.slurm.cores != nil { return SlurmNeed.unmeasured }
        var kinds: [JobKind: [BatchUnit]] = [:]
        for unit in units {
            guard let head = try? JobHead.read(plan.bytes(of: unit.job)) else { continue }
            kinds[head.kind, default: []].append(unit)
        }
        Console.note("One job of each kind is run here, to measure memory and time.")
        var samples: [SlurmNeed.Sample] = []
        for (_, units) in kinds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for unit in units.prefix(SlurmBatch.maximumSamples) {
                let began = HostClock.now()
                let cpu = ProcessFacts.cpuSeconds
                let failures = try BatchRun(plan, state).run(
                    [unit], joins: [],
                    BatchRun.Options(
                        workers: 1, showsProgress: command.options.showsProgress, reportsProblems: false, prints: false)
                )
                guard failures.isEmpty else { continue }
                samples.append(
                    SlurmNeed.Sample(
                        jobs: units.count, cpuSeconds: ProcessFacts.cpuSeconds - cpu,
                        wallSeconds: Double(HostClock.now() - began) / 1e9))
                break
            }
        }
        return samples.isEmpty ? .unmeasured : SlurmNeed(samples, peakMemoryMB: ProcessFacts.peakMemoryMB)
    }

    /// The maximum number of jobs of one kind that are run to measure one.
    private static let maximumSamples = 3

    // MARK: watching

    private func catchSignals() { ExitSignals.setHandler { [receivedSignal] number in receivedSignal.set(number) } }

    /// Watches the array until all tasks have ended.
    /// - Throws: The signal that interrupted the wait.
    private func watch(_ array: SlurmArray) throws {
        guard !array.ids.isEmpty else { return }
        catchSignals()
        let began = HostClock.now()
        var terminal = TerminalLine()
        defer { terminal.clear() }
        while true {
            let answer = queue.query(array)
            records.update()
            count()
            let note: String
            switch answer {
            case .over: return
            case .tasks(let running, let waiting): note = "\(running) running, \(waiting) waiting"
            case .silent: note = "Slurm does not answer"
            }
            try pause(note, since: began, &terminal, array)
        }
    }

    /// Waits until the next query, and draws the progress.
    /// - Throws: The signal that interrupted the wait.
    private func pause(_ note: String, since began: Int64, _ terminal: inout TerminalLine, _ array: SlurmArray) throws {
        let next = HostClock.now() + Int64(command.slurm.interval * 1e9)
        while HostClock.now() < next {
            if command.options.showsProgress {
                terminal.draw(
                    progress.line(
                        after: Double(HostClock.now() - began) / 1e9, note: note, columns: TerminalLine.columns))
            }
            if let signal = receivedSignal.number {
                terminal.clear()
                throw interrupted(signal, array)
            }
            usleep(100_000)
        }
    }

    /// Returns whether tasks of an array that an earlier run submitted are running or waiting.
    /// - Throws: The signal that interrupted the wait. A failure if Slurm does not answer, because a second array would
    ///   run the same jobs at the same time.
    private func isQueued(_ array: SlurmArray) throws -> Bool {
        guard !array.ids.isEmpty else { return false }
        catchSignals()
        let began = HostClock.now()
        var terminal = TerminalLine()
        defer { terminal.clear() }
        var problem = ""
        for _ in 0..<SlurmBatch.maximumQueries {
            switch queue.query(array) {
            case .tasks: return true
            case .over: return false
            case .silent(let error): problem = error
            }
            try pause("Slurm does not answer", since: began, &terminal, array)
        }
        throw ToolFailure(
            .failed,
            "Nothing was submitted, because squeue can't show whether array \(array.ids.joined(separator: ", ")) of an earlier run has ended: \(problem). Run the same command again when squeue works. If the array no longer exists, delete “\(state.folder.description)/slurm.json” first."
        )
    }

    /// The maximum number of queries about an earlier array while Slurm does not answer.
    private static let maximumQueries = 5

    /// Returns the reason why a unit failed in this run; nil if it did not fail, or has started again since.
    private func failure(_ key: String) -> String? { records.ends[key] == false ? records.known[key]?.error : nil }

    /// Sets `progress` to the start of a run in which these units are pending.
    private func expect(_ units: [BatchUnit]) {
        pending = Set(units.map(\.key))
        records.forgetEnds()
        progress.total = plan.unitCount + plan.joins.count + plan.problems.count
        progress.skipped = plan.unitCount + plan.joins.count - pending.count
        count()
    }

    /// Updates `progress` with the units that have ended on all nodes in this run. The records also contain units of
    /// earlier runs, and of lines that are no longer in the job list.
    private func count() {
        let ends = records.ends.filter { pending.contains($0.key) }.values
        progress.finished = ends.count { $0 }
        progress.failed = plan.problems.count + ends.count - progress.finished
    }

    private func interrupted(_ signal: Int32, _ array: SlurmArray) -> ToolFailure {
        let names = array.ids.joined(separator: " ")
        let done = "\(progress.finished + progress.skipped) of \(progress.total) jobs are finished."
        guard signal == SIGINT, isatty(STDIN_FILENO) == 1 else {
            return ToolFailure(
                .signal(signal),
                "Interrupted. The array keeps running; \(done) To watch it again, run the same command again. To cancel it, run `scancel \(array.cancellation.joined(separator: " "))`."
            )
        }
        Console.progress("\(done) Cancel the array \(names)? [y/N] ")
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
        guard answer == "y" || answer == "yes" else {
            return ToolFailure(
                .signal(signal),
                "Interrupted. The array keeps running. To watch it again, run the same command again. To cancel it, run `scancel \(array.cancellation.joined(separator: " "))`."
            )
        }
        queue.cancel(array)
        return ToolFailure(
            .signal(signal), "Interrupted. The array was cancelled; \(done) To resume, run the same command again.")
    }

    // MARK: results

    /// Prints the results of all units.
    /// - Returns: The messages of failed jobs.
    private func result() throws -> [String] {
        records.update()
        var failures = plan.problems.map { "Line \($0.line): \($0.reason)" }
        for problem in plan.problems { try Console.out(BatchLine(problem).text) }
        let run = BatchRun(plan, state)
        for unit in plan.units(in: nil) + plan.joins {
            if run.isFinished(unit, records.known) {
                guard let line = records.lines[unit.key] else { continue }
                try Console.out(pending.contains(unit.key) ? line : BatchLine(skipped: unit, recorded: line).text)
            } else if let error = failure(unit.key) {
                if let line = records.lines[unit.key] { try Console.out(line) }
                failures.append("Line \(unit.job.line): \(error)")
            } else {
                var line = BatchLine("failed", unit, try? JobHead.read(plan.bytes(of: unit.job)))
                line.error =
                    "Slurm killed the task each time, or did not start it; see \(state.folder.description)/slurm-*.log"
                try Console.out(line.text)
                failures.append("Line \(unit.job.line): \(line.error ?? "")")
            }
        }
        return failures
    }
}
