import Foundation
import MediaCore

/// Asks Slurm how its jobs are.
struct SlurmQueue {
    let programs: SlurmProgram

    enum Answer: Equatable {
        /// How many tasks run and wait.
        case tasks(running: Int, waiting: Int)
        /// All have ended.
        case over
        /// Slurm did not answer.
        case silent(String)
    }

    func ask(_ ids: [String]) -> Answer {
        let answer = programs.run(
            "squeue", ["--noheader", "--array", "--jobs=\(ids.joined(separator: ","))", "--format=%T"])
        let states = answer.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        if answer.code == 0 {
            guard !states.isEmpty else { return .over }
            let running = states.count { $0 == "RUNNING" || $0 == "COMPLETING" }
            return .tasks(running: running, waiting: states.count - running)
        }
        // Slurm forgets jobs some minutes after their end.
        if answer.error.contains("Invalid job id") { return .over }
        return .silent(answer.error.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// The states in which tasks have ended other than well, such as `OUT_OF_MEMORY`. By accounting where there is one,
    /// else by what the controller remembers.
    func endings(_ id: String) -> [String] {
        let accounting = programs.run("sacct", ["-n", "-X", "-P", "-j", id, "-o", "State"])
        var words = accounting.text.split(separator: "\n").map { String($0.split(separator: " ").first ?? "") }
        if accounting.code != 0 || words.isEmpty {
            let memory = programs.run("scontrol", ["--oneliner", "show", "job", id])
            words = memory.text.split(whereSeparator: { $0 == " " || $0 == "\n" }).compactMap {
                $0.hasPrefix("JobState=") ? String($0.dropFirst("JobState=".count)) : nil
            }
        }
        return Array(Set(words).subtracting(["COMPLETED", "PENDING", "RUNNING", ""])).sorted()
    }

    /// The largest number that a task of an array can have; 1000 if Slurm does not say.
    func largestTask() -> Int {
        let answer = programs.run("scontrol", ["show", "config"])
        let line = answer.text.split(separator: "\n").first { $0.hasPrefix("MaxArraySize") }
        let size = line?.split(separator: "=").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        return max(1, (size ?? 1001) - 1)
    }

    func cancel(_ ids: [String]) { _ = programs.run("scancel", ids) }
}
