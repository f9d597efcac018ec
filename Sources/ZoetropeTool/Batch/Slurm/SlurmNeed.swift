import MediaCore

/// The memory, cores and time that a task needs, as far as they were measured.
struct SlurmNeed: Equatable {
    /// The memory of a task, in MiB.
    var memory: Int
    /// The number of cores of a task.
    private(set) var cores: Int
    /// The number of jobs that a task runs at a time.
    private(set) var workers: Int
    /// The seconds that all jobs take one after the other; nil if nothing was measured.
    private(set) var seconds: Double?

    /// The request when nothing was measured.
    static let unmeasured = SlurmNeed(memory: 2048, cores: 2, workers: 2, seconds: nil)

    /// The resources that one job of a kind has used.
    struct Sample {
        /// The number of jobs of this kind in the list.
        var jobs: Int
        var cpuSeconds: Double
        var wallSeconds: Double
    }

    /// Creates a request for tasks that run one job at a time: 1.5 times the memory of the process that ran the
    /// samples, and as many cores as the busiest sample used.
    init(_ samples: [Sample], peakMemoryMB: Double) {
        memory = max(256, Int(saturating: (peakMemoryMB * 1.5 / 64).rounded(.up)) * 64)
        cores =
            samples.map {
                max(1, Int(saturating: ($0.wallSeconds > 0 ? $0.cpuSeconds / $0.wallSeconds : 1).rounded()))
            }.max() ?? 1
        workers = 1
        seconds = samples.map { Double($0.jobs) * $0.wallSeconds }.reduce(0, +)
    }

    private init(memory: Int, cores: Int, workers: Int, seconds: Double?) {
        (self.memory, self.cores, self.workers, self.seconds) = (memory, cores, workers, seconds)
    }

    /// Replaces values with those of the user. With more cores than one job keeps busy, a task runs several jobs at a
    /// time, and needs the memory of all of them.
    mutating func apply(memory: Int?, cores: Int?) {
        if let cores {
            let jobs = max(1, seconds == nil ? cores : cores / self.cores)
            self.memory = self.memory / workers * jobs
            (self.cores, workers) = (cores, jobs)
        }
        if let memory { self.memory = memory }
    }

    /// Returns the number of tasks into which an array is divided, at most `most`. A task takes about a minute, so that
    /// the start of its process costs little in comparison.
    /// - Parameters:
    ///   - units: The number of units in the list.
    ///   - most: The largest number of tasks that the cluster allows.
    func slices(of units: Int, most: Int) -> Int {
        let seconds = (seconds ?? Double(units) * 60) / Double(workers)
        return max(1, min(units, most, Int(saturating: (seconds / 60).rounded(.up))))
    }
}

/// Returns the task numbers of an array in the form that sbatch reads: `1-3,7`.
func arrayText(_ numbers: [Int]) -> String {
    var parts: [String] = []
    var rest = numbers.sorted()[...]
    while let first = rest.popFirst() {
        var last = first
        while rest.first == last + 1 { last = rest.removeFirst() }
        parts.append(first == last ? "\(first)" : "\(first)-\(last)")
    }
    return parts.joined(separator: ",")
}
