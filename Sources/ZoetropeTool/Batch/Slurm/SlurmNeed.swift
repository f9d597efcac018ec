import Foundation
import MediaCore

/// What a task needs, as far as it was measured.
struct SlurmNeed: Equatable {
    /// MiB.
    var memory: Int
    var cores: Int
    /// Seconds of a unit; nil if nothing was measured.
    var unitSeconds: Double?

    /// What is requested when nothing was measured.
    static let unmeasured = SlurmNeed(memory: 2048, cores: 2, unitSeconds: nil)

    /// From what one process has used: half as much memory again, and as many cores as were busy.
    init(peakMemoryMB: Double, cpuSeconds: Double, wallSeconds: Double, units: Int) {
        memory = max(256, Int(saturating: (peakMemoryMB * 1.5 / 64).rounded(.up)) * 64)
        cores = max(1, Int(saturating: (wallSeconds > 0 ? cpuSeconds / wallSeconds : 1).rounded()))
        unitSeconds = units > 0 ? wallSeconds / Double(units) : nil
    }

    private init(memory: Int, cores: Int, unitSeconds: Double?) {
        (self.memory, self.cores, self.unitSeconds) = (memory, cores, unitSeconds)
    }

    /// How many tasks an array has: about a minute of work each, so that starting a process costs little, and no more
    /// than the cluster allows.
    func slices(of units: Int, most: Int) -> Int {
        let seconds = Double(units) * (unitSeconds ?? 60)
        return max(1, min(units, most, Int(saturating: (seconds / 60).rounded(.up))))
    }
}

/// `1-3,7`: the tasks of an array, as sbatch reads them.
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
