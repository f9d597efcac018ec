import Foundation

/// Queries about Slurm's jobs.
struct SlurmQueue {
    let programs: SlurmProgram

    enum Answer: Equatable {
        /// The numbers of tasks that are running and waiting.
        case tasks(running: Int, waiting: Int)
        /// All tasks have ended.
        case over
        /// Slurm did not answer. The value is its error message.
        case silent(String)
    }

    /// Returns the option that names a cluster, for all programs of Slurm.
    static func option(_ cluster: String?) -> [String] { cluster.map { ["-M", $0] } ?? [] }

    func query(_ array: SlurmArray) -> Answer {
        let jobs = array.ids.joined(separator: ",")
        let answer = programs.run(
            "squeue",
            SlurmQueue.option(array.cluster) + ["--noheader", "--array", "--jobs=\(jobs)", "--format=%T"])
        // If a cluster is named, some versions print a line with its name even without a header.
        let states = answer.text.split(separator: "\n").filter { !$0.hasPrefix("CLUSTER:") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if answer.code == 0 {
            guard !states.isEmpty else { return .over }
            let running = states.count { $0 == "RUNNING" || $0 == "COMPLETING" }
            return .tasks(running: running, waiting: states.count - running)
        }
        // Slurm removes jobs from its queue some minutes after they end.
        if answer.error.contains("Invalid job id") { return .over }
        return .silent(answer.error.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Returns the states of tasks that did not complete, such as `OUT_OF_MEMORY`. The states come from Slurm's
    /// accounting if it is available, otherwise from the controller.
    func endings(_ array: SlurmArray) -> [String] {
        guard let id = array.array else { return [] }
        let cluster = SlurmQueue.option(array.cluster)
        let accounting = programs.run("sacct", cluster + ["-n", "-X", "-P", "-j", id, "-o", "State"])
        var states = accounting.text.split(separator: "\n").map { String($0.split(separator: " ").first ?? "") }
        if accounting.code != 0 || states.isEmpty {
            let controller = programs.run("scontrol", cluster + ["--oneliner", "show", "job", id])
            states = controller.text.split(whereSeparator: { $0 == " " || $0 == "\n" }).compactMap {
                $0.hasPrefix("JobState=") ? String($0.dropFirst("JobState=".count)) : nil
            }
        }
        return Array(Set(states).subtracting(["COMPLETED", "PENDING", "RUNNING", ""])).sorted()
    }

    /// Returns the largest number that a task of an array can have; 1000 if Slurm does not report a limit.
    func largestTask() -> Int {
        let answer = programs.run("scontrol", ["show", "config"])
        let line = answer.text.split(separator: "\n").first { $0.hasPrefix("MaxArraySize") }
        let size = line?.split(separator: "=").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        return max(1, (size ?? 1001) - 1)
    }

    func cancel(_ array: SlurmArray) { if !array.ids.isEmpty { _ = programs.run("scancel", array.cancellation) } }
}
