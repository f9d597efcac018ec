import ArgumentParser
import Foundation

/// The command `zoetrope batch`, which runs the jobs of a list.
struct Batch: ToolCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a list of jobs on this computer or on a Slurm cluster.",
        usage: "zoetrope batch [options] <jobs>",
        discussion: """
            EXAMPLES
              # Measure the loudness of each video
              for f in *.mkv; do
                echo "{\\"job\\":\\"loudness\\",\\"input\\":\\"$f\\"}"
              done > jobs.jsonl
              zoetrope batch jobs.jsonl > results.jsonl
              # Use all computers of a Slurm cluster
              zoetrope batch jobs.jsonl --slurm
              # Divide the list among eight processes with GNU parallel
              seq 8 | parallel zoetrope batch jobs.jsonl --slice {}/8

            DESCRIPTION
              <jobs> is a text file with one JSON object per line. “job” is render, snapshot, contact-sheet, probe or
              loudness. “input” names a file or a URL, and “output” the file to write, which is replaced. All other keys
              are options of the command: "max-width": 320 is --max-width 320, true is a flag, and a list repeats an
              option. A render with "parts": 16 is divided into 16 parts, which are joined at the end.

              Each job that ends is a line of JSON on standard output. Jobs that fail don't stop the others; they are
              listed at the end.

              Run the same command again to resume. A finished job is skipped if its line, its source and the files of
              its options have not changed, and its output still exists with the same size. Finished jobs are recorded
              in the folder <jobs>.state. Several computers can use this folder at the same time, each with its own
              --slice. A second run of the whole list fails.

              With --slurm, the jobs are submitted as an array and watched. Memory and cores are measured with one job of
              each kind on this computer. Tasks that were killed are submitted again, with twice the memory. The folder
              of the job list and all files must be on storage that all nodes share.

            EXIT CODES
              0    All jobs are finished.
              1    Some jobs failed, and are listed on standard error. Or another run is working on the list.
              64   Invalid arguments.
              130  Interrupted by Ctrl-C.
            """)

    @Argument(help: ArgumentHelp("File with one job per line.", valueName: "jobs"))
    var jobs: FileArgument

    @OptionGroup(title: "Run") var options: BatchOptions
    @OptionGroup(title: "Slurm") var slurm: SlurmOptions

    func report(of failure: ToolFailure) -> String? { nil }

    func validate() throws {
        if slurm.slurm, options.slice != nil || options.joinsOnly {
            throw ValidationError("--slurm divides the list by itself. Leave out --slice.")
        }
    }

    func perform() throws {
        let plan = try BatchPlan(jobs)
        if options.dryRun { return try Console.out(summary(plan)) }
        let state = try BatchState(stateFolder, slice: options.slice)
        // The tasks of Slurm share the lock with the process that watches them.
        try state.lock(isShared: slurm.slurm || options.slice != nil || options.joinsOnly)
        if slurm.slurm { try state.lockSubmission() }
        let failures =
            slurm.slurm
            ? try SlurmBatch(plan, state, command: self).run()
            : try BatchRun(plan, state).run(
                options.joinsOnly ? [] : plan.units(in: options.slice),
                joins: options.joinsOnly || options.slice == nil ? plan.joins : [],
                BatchRun.Options(
                    workers: options.workers, maximumKills: options.maximumKills, showsProgress: options.showsProgress,
                    reportsProblems: !options.joinsOnly && (options.slice?.number ?? 1) == 1))
        guard !failures.isEmpty else { return }
        for failure in failures { Console.note(failure) }
        throw ToolFailure(.failed, "Some jobs of “\(jobs.name)” failed. The others are finished.")
    }

    var stateFolder: URL { options.state?.path ?? MediaLocation.path(jobs.plain + ".state") }

    private func summary(_ plan: BatchPlan) -> String {
        for problem in plan.problems { Console.note("Line \(problem.line): \(problem.reason)") }
        return "\(plan.jobs.count) jobs, \(plan.unitCount) tasks, \(plan.joins.count) joins, "
            + "\(plan.problems.count) invalid lines"
    }
}

/// Options for a run of `zoetrope batch`.
struct BatchOptions: ParsableArguments {
    @Option(
        name: .customLong("jobs"),
        help: ArgumentHelp("Run this many jobs at a time. Default: the number of cores.", valueName: "n"))
    var count: Int?
    @Option(
        help: ArgumentHelp(
            "Run only slice N of M, from 1: every M-th task. Parts are not joined; run the command without --slice at the end to join them.",
            valueName: "n/m"))
    var slice: SliceArgument?
    @Option(help: ArgumentHelp("Record finished jobs in this folder. Default: <jobs>.state.", valueName: "folder"))
    var state: FileArgument?
    @Flag(help: "Check the list, and print how many jobs it has.")
    var dryRun = false
    @Flag(help: "Hide the progress bar.")
    var quiet = false
    @Option(
        name: .customLong("kill-limit"),
        help: ArgumentHelp("Give up a job that was killed this many times.", valueName: "n", visibility: .hidden))
    var maximumKills = BatchRun.maximumKills
    @Flag(name: .customLong("joins-only"), help: ArgumentHelp("Only join parts.", visibility: .hidden))
    var joinsOnly = false

    var workers: Int { count ?? ProcessInfo.processInfo.activeProcessorCount }
    var showsProgress: Bool { !quiet && isatty(STDERR_FILENO) == 1 }

    func validate() throws {
        if let count, !(1...1024).contains(count) {
            throw ValidationError(invalid: "--jobs", "\(count)", use: "a whole number from 1 to 1024")
        }
    }
}

/// A slice of the list of tasks, as given on the command line: `17/400`.
struct SliceArgument: ExpressibleByArgument, Sendable {
    /// The number of the slice, from 1 to `count`.
    let number: Int
    let count: Int

    init?(argument: String) {
        let sides = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let number = sides[0], let count = sides[1], (1...10_000_000).contains(count),
            (1...count).contains(number)
        else { return nil }
        (self.number, self.count) = (number, count)
    }
}
