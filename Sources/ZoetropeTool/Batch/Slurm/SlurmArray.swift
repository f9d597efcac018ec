import Export
import Foundation
import MediaCore

/// The Slurm jobs of a batch: an array, and a job that joins the parts after the array has ended.
struct SlurmArray: Codable, Sendable {
    /// Slurm's ID of the array; nil if only joins were submitted.
    var array: String?
    var join: String?
    /// The name of the cluster; nil if Slurm has only one.
    var cluster: String?
    var slices: Int
    var memory: Int
    var cores: Int

    var ids: [String] { [array, join].compactMap { $0 } }
    /// The arguments of `scancel` that cancel the jobs.
    var cancellation: [String] { SlurmQueue.option(cluster) + ids }

    // MARK: storage in the state folder, so that a later run can watch the array

    private static func file(_ state: BatchState) -> FilePath { state.folder.appending(Array("slurm.json".utf8)) }

    static func saved(_ state: BatchState) -> SlurmArray? {
        guard let bytes = try? file(state).contents(limit: 1 << 20, kind: "settings") else { return nil }
        return try? JSONDecoder().decode(SlurmArray.self, from: Data(bytes))
    }

    func save(_ state: BatchState) throws {
        try AtomicFile.write(Array(ReportJSON.line(self).utf8), to: SlurmArray.file(state).url)
    }
}

/// The submission of a batch to Slurm.
struct SlurmSubmission {
    let programs: SlurmProgram
    let state: BatchState
    /// The arguments of `zoetrope batch JOBS --state FOLDER`, beginning with the program, in the form of
    /// `CommandArguments.text`.
    let command: [String]
    let passed: [String]

    /// Submits the array, and the job that joins parts.
    /// - Parameters:
    ///   - tasks: The numbers of the slices to run, from 1. If empty, no array is submitted.
    ///   - slices: The number of slices into which the list is divided.
    ///   - need: The memory and cores to request.
    ///   - joins: Whether to join parts when the array has ended.
    func submit(_ tasks: [Int], of slices: Int, need: SlurmNeed, joins: Bool) throws -> SlurmArray {
        var result = SlurmArray(slices: slices, memory: need.memory, cores: need.cores)
        if !tasks.isEmpty {
            let arguments = command + ["--jobs", "\(need.workers)", "--quiet"]
            let line = arguments.map(shellWord).joined(separator: " ") + " --slice \"$SLURM_ARRAY_TASK_ID/\(slices)\""
            let job = try submit("array", line, need, ["--array=\(arrayText(tasks))", "--output=\(logs("%A_%a"))"])
            (result.array, result.cluster) = (job.id, job.cluster)
        }
        if joins {
            let arguments = command + ["--jobs", "\(need.workers)", "--quiet", "--joins-only"]
            // `afterany` starts the joins even if a task failed, so that jobs whose parts are all complete are joined.
            let after = result.array.map { ["--dependency=afterany:\($0)"] } ?? []
            let options = after + ["--output=\(logs("%j"))"]
            do {
                let line = arguments.map(shellWord).joined(separator: " ")
                let job = try submit("join", line, need, options, cluster: result.cluster)
                (result.join, result.cluster) = (job.id, job.cluster ?? result.cluster)
            } catch {
                // Nobody would watch the array.
                SlurmQueue(programs: programs).cancel(result)
                throw error
            }
        }
        return result
    }

    /// Returns the name of a log file. Slurm reads `%` in the path of the folder as a placeholder, unless it is
    /// doubled.
    private func logs(_ name: String) -> String {
        CommandArguments.text(state.folder.bytes).replacingOccurrences(of: "%", with: "%%") + "/slurm-\(name).log"
    }

    /// - Parameter cluster: The cluster of the jobs on which this one depends; nil if Slurm chooses the cluster.
    private func submit(
        _ name: String, _ line: String, _ need: SlurmNeed, _ options: [String], cluster: String? = nil
    ) throws -> (id: String, cluster: String?) {
        let script = state.folder.appending(Array("\(name).sh".utf8))
        let folder = CommandArguments.text(FilePath(bytes: Array(".".utf8))?.resolved?.bytes ?? Array(".".utf8))
        // The script discards its output, because the records already contain the lines of JSON.
        let text = "#!/bin/sh\ncd \(shellWord(folder)) || exit 1\nexec \(line) > /dev/null\n"
        try AtomicFile.write(CommandArguments.bytes(text), to: script.url)
        let answer = programs.run(
            "sbatch",
            [
                "--parsable", "--requeue", "--open-mode=append", "--job-name=zoetrope", "--ntasks=1",
                "--cpus-per-task=\(need.cores)", "--mem=\(need.memory)M", "--export=ALL",
            ] + options + passed + SlurmQueue.option(cluster) + [CommandArguments.text(script.bytes)])
        // With several clusters, sbatch prints NUMBER;CLUSTER.
        let first = answer.text.split(whereSeparator: \.isWhitespace).first ?? ""
        let words = first.split(separator: ";").map(String.init)
        guard answer.code == 0, let id = words.first, Int(id) != nil else {
            throw ToolFailure(
                .failed,
                "Slurm refused the jobs: \(answer.error.trimmingCharacters(in: .whitespacesAndNewlines)). Check the options in \(script.description), or pass others with --sbatch."
            )
        }
        return (id, words.count > 1 ? words[1] : nil)
    }
}
