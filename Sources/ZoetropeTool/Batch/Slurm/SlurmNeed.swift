import MediaCore

/// The memory, cores and time that a task needs, as far as they were measured.
struct SlurmNeed: Equatable {
    /// The memory of a task, in MiB.
    var memory: Int
    var cores: Int
    /// The seconds that a unit takes; nil if nothing was measured.
    var unitSeconds: Double?

    /// The request when nothing was measured.
    static let unmeasured = SlurmNeed(memory: 2048, cores: 2, unitSeconds: nil)

    /// Creates a request from the resources that one process has used: 1.5 times its memory, and as many cores as it
    /// kept busy.
    init(peakMemoryMB: Double, cpuSeconds: Double, wallSeconds: Double, units: Int) {
        memory = max(256, Int(saturating: (peakMemoryMB * 1.5 / 64).rounded(.up)) * 64)
        cores = max(1, Int(saturating: (wallSeconds > 0 ? cpuSeconds / wallSeconds : 1).rounded()))
        unitSeconds = units > 0 ? wallSeconds / Double(units) : nil
    }

    private init(memory: Int, cores: Int, unitSeconds: Double?) {
        (self.memory, self.cores, self.unitSeconds) = (memory, cores, unitSeconds)
    }

    /// Returns the number of tasks into which an array is divided, at most `most`. A task takes about a minute, so that
    /// the start of its process costs little in comparison.
    /// - Parameters:
    ///   - units: The number of units in the list.
    ///   - most: The largest number of tasks that the cluster allows.
    func slices(of units: Int, most: Int) -> Int {
        let seconds = Double(units) * (unitSeconds ?? 60)
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
