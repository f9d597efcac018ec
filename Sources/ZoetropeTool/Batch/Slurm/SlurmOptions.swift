import ArgumentParser

/// Options of `zoetrope batch` for Slurm.
struct SlurmOptions: ParsableArguments {
    @Flag(help: "Submit the jobs to Slurm, and watch them.")
    var slurm = false
    @Option(
        help: ArgumentHelp(
            "Divide the list into this many tasks of the array. Default: about a minute of work each.", valueName: "n"))
    var slices: Int?
    @Option(
        help: ArgumentHelp("Request this much memory for each task, in MiB. Default: measured.", valueName: "MiB"))
    var memory: Int?
    @Option(help: ArgumentHelp("Request this many cores for each task. Default: measured.", valueName: "n"))
    var cores: Int?
    @Option(
        help: ArgumentHelp(
            "Submit tasks that were killed again, at most this many times, with twice the memory.", valueName: "n"))
    var retries = 3
    @Option(
        name: .customLong("sbatch"),
        help: ArgumentHelp(
            "Pass this option to sbatch, such as --sbatch=--partition=short. Repeat to pass more.",
            valueName: "option"))
    var passed: [String] = []
    @Option(
        help: ArgumentHelp(
            "Run this program on the nodes. Default: the path of this program.", valueName: "path"))
    var program: FileArgument?
    @Option(
        help: ArgumentHelp("Check Slurm's queue at this interval, in seconds.", valueName: "seconds"))
    var interval = 5.0

    func validate() throws {
        for (name, value, range) in [
            ("--slices", slices, 1...10_000_000), ("--memory", memory, 1...100_000_000), ("--cores", cores, 1...10_000),
            ("--retries", retries, 0...100),
        ] {
            if let value, !range.contains(value) {
                throw ValidationError(
                    invalid: name, "\(value)", use: "a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
        }
        guard interval >= 0.1, interval <= 3600 else {
            throw ValidationError(invalid: "--interval", "\(interval)", use: "a number of seconds from 0.1 to 3600")
        }
    }
}
