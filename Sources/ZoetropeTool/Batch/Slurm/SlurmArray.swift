import Export
import Foundation
import MediaCore

/// The array of a batch, and the job that joins parts after it.
struct SlurmArray: Codable, Sendable {
    /// Slurm's number of the array; nil if nothing but joins was submitted.
    var array: String?
    var join: String?
    var slices: Int
    var memory: Int
    var cores: Int

    var ids: [String] { [array, join].compactMap { $0 } }

    // MARK: kept in the state folder, so that a later run can watch it

    private static func file(_ state: BatchState) -> FilePath { state.folder.appending(Array("slurm.json".utf8)) }

    static func saved(_ state: BatchState) -> SlurmArray? {
        guard let bytes = try? file(state).contents(limit: 1 << 20, kind: "settings") else { return nil }
        return try? JSONDecoder().decode(SlurmArray.self, from: Data(bytes))
    }

    func save(_ state: BatchState) throws {
        try WholeFile.write(Array(ReportJSON.line(self).utf8), to: SlurmArray.file(state).url)
    }
}

/// Submits a batch to Slurm.
struct SlurmSubmission {
    let programs: SlurmProgram
    let state: BatchState
    /// The words of `zoetrope batch JOBS --state FOLDER`.
    let command: [String]
    let passed: [String]

    /// - Parameters:
    ///   - tasks: the slices to run.
    ///   - joins: whether parts are joined when the array has ended.
    func submit(_ tasks: [Int], of slices: Int, need: SlurmNeed, joins: Bool) throws -> SlurmArray {
        var result = SlurmArray(slices: slices, memory: need.memory, cores: need.cores)
        if !tasks.isEmpty {
            let words = command + ["--jobs", "\(need.cores)", "--quiet"]
            let line = words.map(shellWord).joined(separator: " ") + " --slice \"$SLURM_ARRAY_TASK_ID/\(slices)\""
            result.array = try submit(
                "array", line, need, ["--array=\(arrayText(tasks))", "--output=\(logs("%A_%a"))"])
        }
        if joins {
            let words = command + ["--jobs", "\(need.cores)", "--quiet", "--joins-only"]
            // Also when a task has failed: what has all its parts is joined.
            let after = result.array.map { ["--dependency=afterany:\($0)"] } ?? []
            result.join = try submit(
                "join", words.map(shellWord).joined(separator: " "), need, after + ["--output=\(logs("%j"))"])
        }
        return result
    }

    private func logs(_ name: String) -> String { state.folder.description + "/slurm-\(name).log" }

    private func submit(_ name: String, _ line: String, _ need: SlurmNeed, _ options: [String]) throws -> String {
        let script = state.folder.appending(Array("\(name).sh".utf8))
        let folder = FileManager.default.currentDirectoryPath
        // The lines of JSON are in the records already.
        let text = "#!/bin/sh\ncd \(shellWord(folder)) || exit 1\nexec \(line) > /dev/null\n"
        try WholeFile.write(Array(text.utf8), to: script.url)
        let answer = programs.run(
            "sbatch",
            [
                "--parsable", "--requeue", "--open-mode=append", "--job-name=zoetrope", "--ntasks=1",
                "--cpus-per-task=\(need.cores)", "--mem=\(need.memory)M", "--export=ALL",
            ] + options + passed + [script.description])
        // With several clusters, the answer is NUMBER;CLUSTER.
        let id = answer.text.split(whereSeparator: { $0 == ";" || $0.isWhitespace }).first.map(String.init)
        guard answer.code == 0, let id, Int(id) != nil else {
            throw ToolFailure(
                .failed,
                "Slurm refused the jobs: \(answer.error.trimmingCharacters(in: .whitespacesAndNewlines)). Check the options in \(script.description), or pass others with --sbatch."
            )
        }
        return id
    }
}
