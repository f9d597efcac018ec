import Foundation
import TestSupport
import Testing

/// Tests with Debian's Slurm and two nodes on this machine (Tests/Fixtures/private-slurm).
@Suite("zoetrope batch --slurm", .serialized)
struct SlurmToolTests {
    /// A cluster that ends with the test.
    private final class Cluster: @unchecked Sendable {
        // The properties are constant after `init`.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-slurm-\(UUID().uuidString.prefix(8))"
        ).path

        init() throws { try script("start") }
        deinit {
            _ = try? script("stop")
            try? FileManager.default.removeItem(atPath: folder)
        }

        var environment: [String: String] { ["SLURM_CONF": folder + "/slurm.conf"] }

        /// Runs the fixture, and records an issue if it fails.
        func script(_ word: String, _ words: String...) throws {
            let file = folder + ".err"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let code = try ChildProcess(Repository.fixture("private-slurm"), [word, folder] + words, error: file).wait()
            let said = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            #expect(code == 0, "private-slurm \(word): \(said)")
        }
    }

    /// Replaces the tool on the nodes. The first three tasks fail in the middle of their jobs, once each: their node
    /// dies, they are killed, or they need too much memory.
    private static let trouble = """
        #!/bin/bash
        task="${SLURM_ARRAY_TASK_ID:-}"
        if [[ "$task" =~ ^[123]$ ]] && mkdir "$FOLDER/once-$task" 2>/dev/null; then
            "$Z" "$@" &
            tool=$! state=""
            records="$FOLDER/jobs.jsonl.state/run-*-$task-of-8-*"
            until compgen -G "$records" > /dev/null; do sleep 0.02; done
            kill -STOP $tool
            until [[ "$state" == T ]]; do
                state="$(awk '/^State/ { print $2 }' "/proc/$tool/status" 2>/dev/null)"
                # If the tool has already ended, its jobs count as unfinished without its records.
                if [[ "${state:-Z}" == Z ]]; then rm -f $records; break; fi
            done
            case "$task" in
            1) echo "$SLURMD_NODENAME" > "$FOLDER/waits.new"; mv "$FOLDER/waits.new" "$FOLDER/waits"; exec sleep 1000 ;;
            2) kill -9 $tool $$ ;;
            3) exec python3 -c 'import time; memory = bytearray(600 << 20); time.sleep(1000)' ;;
            esac
        fi
        exec "$Z" "$@"
        """

    @Test("each output exists once, although a node and tasks fail")
    func trouble() async throws {
        let cluster = try await offPool { try Cluster() }
        let shell = try ToolShell()
        let film = try TestMedia.url("counter-23976.mp4").path
        var lines = (1...39).map {
            "{\"job\":\"snapshot\",\"input\":\"\(film)\",\"output\":\"\($0).png\",\"at\":\(Double($0) / 5)}"
        }
        lines.append("{\"job\":\"render\",\"input\":\"\(film)\",\"output\":\"film.mp4\",\"to\":1,\"parts\":2}")
        try (lines.joined(separator: "\n") + "\n").write(
            toFile: shell.file("jobs.jsonl"), atomically: true, encoding: .utf8)
        try SlurmToolTests.trouble.write(toFile: shell.file("node"), atomically: true, encoding: .utf8)
        chmod(shell.file("node"), 0o755)
        let child = try shell.start(
            """
            export SLURM_CONF='\(cluster.folder)/slurm.conf' FOLDER='\(shell.folder)'
            exec $Z batch jobs.jsonl --slurm --slices 8 --memory 400 --cores 1 --interval 0.3 --program ./node
            """)
        try await shell.waits { $0.contains("waits") || child.exitCode != nil }
        let node = try String(contentsOfFile: shell.file("waits"), encoding: .utf8).trimmingCharacters(in: .newlines)
        try await offPool { try cluster.script("kill", node) }
        let run = await shell.finish(child)
        #expect(run.code == 0, "\(run.error)")
        // The tool resubmits a killed task. Slurm itself handles a dead node.
        #expect(run.error.contains("are submitted again, with 800 MiB of memory"))
        // All outputs exist and are correct.
        for number in 1...39 {
            let image = try Data(contentsOf: URL(fileURLWithPath: shell.file("\(number).png")))
            #expect(image.starts(with: [0x89, 0x50, 0x4E, 0x47]), "\(number)")
        }
        let direct = try await shell.run("exec $Z snapshot '\(film)' --at 4 -o direct.png")
        #expect(direct.code == 0)
        #expect(FileManager.default.contentsEqual(atPath: shell.file("direct.png"), andPath: shell.file("20.png")))
        let probe = try await ToolProcess.run(["probe", "--json", shell.file("film.mp4")])
        let facts = try JSONSerialization.jsonObject(with: Data(probe.output.utf8)) as? [String: Any]
        #expect(probe.code == 0 && facts?["duration"] as? Double == 1, "\(probe.output)")
        #expect(!shell.contents.contains { $0.hasPrefix(".") })
        // Each job ran once.
        let state = shell.file("jobs.jsonl.state")
        let records = try FileManager.default.contentsOfDirectory(atPath: state).filter { $0.hasPrefix("run-") }
        let ends = try records.flatMap { name in
            try String(contentsOfFile: state + "/" + name, encoding: .utf8).split(separator: "\n").filter {
                $0.contains("\"event\":\"finished\"")
            }
        }
        #expect(ends.count == 42 && run.output.split(separator: "\n").count == 42)
        let again = try await shell.run(
            "export SLURM_CONF='\(cluster.folder)/slurm.conf'; exec $Z batch jobs.jsonl --slurm --interval 0.3")
        #expect(again.code == 0 && !again.error.contains("One job"), "\(again.error)")
        // A list whose needs are measured, in a folder with characters that Slurm replaces in names of logs.
        let measured = try await shell.run(
            """
            export SLURM_CONF='\(cluster.folder)/slurm.conf'; mkdir 'a %A'
            for n in 1 2 3; do
                echo "{\\"job\\":\\"snapshot\\",\\"input\\":\\"\(film)\\",\\"output\\":\\"a %A/$n.png\\",\\"at\\":$n}"
            done > 'a %A/jobs'
            $Z batch 'a %A/jobs' --slurm --interval 0.3 > /dev/null || exit
            state='a %A/jobs.state'; id=$(grep -o '"array":"[0-9]*' "$state/slurm.json" | grep -o '[0-9]*')
            memory=$(grep -o '"memory":[0-9]*' "$state/slurm.json" | grep -o '[0-9]*')
            scontrol --oneliner show job "$id" | grep -o " MinMemoryNode=${memory}M " | head -n 1
            ls "$state" | grep -q "^slurm-${id}_[0-9]*[.]log$" && ls 'a %A' | grep -c '[.]png$'
            """)
        #expect(measured.code == 0 && measured.error.contains("One job of each kind"), "\(measured.error)")
        #expect(measured.output.hasSuffix("M \n3\n"), "\(measured.output)")
    }

    @Test("Ctrl-C asks whether to cancel the array", arguments: [("n", false), ("y", true)])
    func interrupted(answer: String, isCancelled: Bool) async throws {
        let cluster = try await offPool { try Cluster() }
        let shell = try ToolShell()
        let film = try TestMedia.url("counter-23976.mp4").path
        try "{\"job\":\"probe\",\"input\":\"\(film)\"}\n".write(
            toFile: shell.file("jobs.jsonl"), atomically: true, encoding: .utf8)
        // Records of jobs that are no longer in the job file.
        try FileManager.default.createDirectory(
            atPath: shell.file("jobs.jsonl.state"), withIntermediateDirectories: true)
        try (1...3).map { "{\"event\":\"finished\",\"unit\":\"removed\($0)\"}\n" }.joined().write(
            toFile: shell.file("jobs.jsonl.state") + "/run-0.jsonl", atomically: true, encoding: .utf8)
        try "#!/bin/sh\necho > \"$FOLDER/waits\"\nexec sleep 1000\n".write(
            toFile: shell.file("node"), atomically: true, encoding: .utf8)
        chmod(shell.file("node"), 0o755)
        try SlurmToolTests.terminal.write(toFile: shell.file("terminal.py"), atomically: true, encoding: .utf8)
        let run = try await shell.run(
            """
            export SLURM_CONF='\(cluster.folder)/slurm.conf' FOLDER='\(shell.folder)'
            python3 terminal.py \(answer) $Z batch jobs.jsonl --slurm --memory 400 --cores 1 --interval 0.3 --program ./node
            echo "code $?"; squeue -h -t pending,running -o %T
            """)
        #expect(run.output.contains("Cancel the array"), "\(run.output) \(run.error)")
        #expect(run.output.contains("code 130") && run.output.contains("0 of 1 jobs are finished"), "\(run.output)")
        #expect(
            run.output.contains("keeps running") == !isCancelled && run.output.contains("was cancelled") == isCancelled)
        #expect(run.output.hasSuffix("RUNNING\n") == !isCancelled)
    }

    /// Runs a command in a terminal, sends Ctrl-C when the node waits and the array is stored, and answers the
    /// question. Before that, `sbatch` may still run, and Ctrl-C would end it too.
    private static let terminal = """
        import os, pty, signal, sys, time
        pid, fd = pty.fork()
        if pid == 0:
            os.execvp(sys.argv[2], sys.argv[2:])
        while not (os.path.exists("waits") and os.path.exists("jobs.jsonl.state/slurm.json")):
            time.sleep(0.05)
        os.write(fd, b"\\x03")
        seen = b""
        answered = False
        while True:
            try:
                data = os.read(fd, 4096)
            except OSError:
                break
            if not data:
                break
            seen += data
            if b"[y/N]" in seen and not answered:
                answered = True
                os.write(fd, sys.argv[1].encode() + b"\\n")
        _, status = os.waitpid(pid, 0)
        print(seen.decode(errors="replace"))
        code = os.waitstatus_to_exitcode(status)
        sys.exit(128 - code if code < 0 else code)
        """

    // MARK: a Slurm that runs tasks at once

    /// Replaces Slurm. `sbatch` stores its arguments and runs all tasks; `squeue` says that all tasks have ended.
    private func replaceSlurm(
        _ shell: ToolShell, sbatch: String = "", squeue: String = "cat \"$FOLDER/queue\" 2>/dev/null || true"
    ) throws {
        try FileManager.default.createDirectory(atPath: shell.file("bin"), withIntermediateDirectories: true)
        let run = """
            for argument; do
                case "$argument" in --array=*) tasks="${argument#--array=}" ;; esac
            done
            for range in ${tasks//,/ }; do
                for task in $(seq "${range%-*}" "${range#*-}"); do SLURM_ARRAY_TASK_ID=$task sh "${@: -1}"; done
            done
            echo 7
            """
        for (name, text) in [
            ("sbatch", "printf '%s\\n' \"$@\" >> \"$FOLDER/arguments\"\n" + (sbatch.isEmpty ? run : sbatch)),
            ("squeue", squeue), ("scancel", "echo \"$@\" > \"$FOLDER/canceled\""),
        ] {
            let path = shell.file("bin/\(name)")
            try ("#!/bin/bash\n" + text + "\n").write(toFile: path, atomically: true, encoding: .utf8)
            chmod(path, 0o755)
        }
    }

    private static let useReplacement = "export PATH=\"$PWD/bin:$PATH\" FOLDER=\"$PWD\"\n"

    private func write(_ count: Int, to shell: ToolShell) throws {
        let film = try TestMedia.url("counter-23976.mp4").path
        try (1...count).map {
            "{\"job\":\"snapshot\",\"input\":\"\(film)\",\"output\":\"\($0).png\",\"at\":\($0)}\n"
        }.joined().write(toFile: shell.file("jobs.jsonl"), atomically: true, encoding: .utf8)
    }

    @Test("the memory of a task is enough for its jobs", arguments: [nil, 4])
    func memory(cores: Int?) async throws {
        let shell = try ToolShell()
        try replaceSlurm(shell)
        try write(3, to: shell)
        let option = cores.map { "--cores \($0)" } ?? ""
        let run = try await shell.run(
            SlurmToolTests.useReplacement + """
                $Z batch jobs.jsonl --slurm --interval 0.1 \(option) > /dev/null || exit
                grep -o -e '^--mem=[0-9]*' -e '^--cpus-per-task=[0-9]*' arguments | grep -o '[0-9]*'
                grep -o "'--jobs' '[0-9]*'" jobs.jsonl.state/array.sh | grep -o '[0-9]*'
                """)
        #expect(run.code == 0 && shell.contents.count { $0.hasSuffix(".png") } == 3, "\(run.error)")
        let numbers = run.output.split(separator: "\n").compactMap { Int($0) }
        try #require(numbers.count == 3, "\(run.output)")
        let (requested, memory, workers) = (numbers[0], numbers[1], numbers[2])
        // Without options, a task runs one job at a time.
        #expect(workers >= 1 && memory >= 256 * workers)
        if let cores { #expect(requested == cores) } else { #expect(workers == 1) }
    }

    @Test("another job is measured if the first one fails")
    func failedSample() async throws {
        let shell = try ToolShell()
        try replaceSlurm(shell)
        try write(3, to: shell)
        let run = try await shell.run(
            SlurmToolTests.useReplacement + """
                sed -i '1s/counter/none/' jobs.jsonl
                $Z batch jobs.jsonl --slurm --interval 0.1 > results; echo "code $?"
                grep -c '"started"' jobs.jsonl.state/run-*-all-*
                """)
        // Both are run here, before the array.
        #expect(run.output == "code 1\n2\n" && run.error.contains("Line 1:"), "\(run.output) \(run.error)")
        #expect(shell.contents.count { $0.hasSuffix(".png") } == 2)
    }

    @Test("a list with any name and folder runs on the nodes", arguments: [#"$'a %A\xe9\n'"#, "b"])
    func names(folder: String) async throws {
        let shell = try ToolShell()
        try replaceSlurm(shell)
        try write(3, to: shell)
        let run = try await shell.run(
            SlurmToolTests.useReplacement + """
                folder=\(folder); mkdir "$folder"; mv jobs.jsonl "$folder/-jobs"; cd "$folder"
                $Z batch --slurm --memory 400 --cores 1 --slices 2 --interval 0.1 -- -jobs > /dev/null || exit
                ls *.png | wc -l
                """)
        #expect(run.code == 0 && run.output == "3\n", "\(run.error)")
        let arguments = try String(
            decoding: Data(contentsOf: URL(fileURLWithPath: shell.file("arguments"))), as: UTF8.self)
        #expect(arguments.contains("%%A") == folder.contains("%A") && arguments.contains("/slurm-%A_%a.log"))
    }

    @Test(
        "nothing is submitted while another run works on or submits the list",
        arguments: [("lock", "is working on this list"), ("submission-lock", "has submitted this list")])
    func lockedList(lock: String, message: String) async throws {
        let shell = try ToolShell()
        try replaceSlurm(shell)
        try write(1, to: shell)
        let run = try await shell.run(
            SlurmToolTests.useReplacement + """
                mkdir jobs.jsonl.state
                flock jobs.jsonl.state/\(lock) $Z batch jobs.jsonl --slurm --memory 400 --cores 1 --interval 0.1
                echo "code $?"
                """)
        #expect(run.output == "code 1\n" && run.error.contains(message), "\(run.error)")
        #expect(!shell.contents.contains("arguments"))
    }

    @Test("Ctrl-C while jobs are submitted does not lose the array")
    func interruptedSubmission() async throws {
        let shell = try ToolShell()
        try replaceSlurm(shell, sbatch: "echo PENDING > \"$FOLDER/queue\"; kill -INT $PPID; echo 7")
        try write(2, to: shell)
        let run = try await shell.run(
            SlurmToolTests.useReplacement
                + "exec $Z batch jobs.jsonl --slurm --memory 400 --cores 1 --interval 0.1")
        #expect(run.code == 130 && run.error.contains("scancel 7"), "\(run.code): \(run.error)")
        // The next run watches the array, and does not submit another one.
        let again = try await shell.run(
            SlurmToolTests.useReplacement + """
                $Z batch jobs.jsonl --slurm --memory 400 --cores 1 --interval 0.1 & tool=$!
                until grep -q 'Waiting for Slurm array 7' stderr; do sleep 0.05; done
                kill -TERM $tool; wait $tool; echo "code $?"; grep -c -e --array arguments
                """)
        #expect(again.output == "code 143\n1\n", "\(again.output) \(again.error)")
    }

    @Test("no second array is submitted while Slurm does not answer", arguments: [2, 1000])
    func silentQueue(failures: Int) async throws {
        let shell = try ToolShell()
        try replaceSlurm(
            shell,
            squeue: """
                echo >> "$FOLDER/queries"
                if [[ $(wc -l < "$FOLDER/queries") -le \(failures) ]]; then echo 'no controller' >&2; exit 1; fi
                """)
        try write(1, to: shell)
        let run = try await shell.run(
            SlurmToolTests.useReplacement + """
                mkdir jobs.jsonl.state
                echo '{"array":"7","slices":1,"memory":400,"cores":1}' > jobs.jsonl.state/slurm.json
                exec $Z batch jobs.jsonl --slurm --memory 400 --cores 1 --interval 0.1
                """)
        let answers = failures == 2
        #expect(run.code == (answers ? 0 : 1) && run.error.contains("no controller") == !answers, "\(run.error)")
        #expect(shell.contents.contains("arguments") == answers && shell.contents.contains("1.png") == answers)
    }

    @Test("Slurm's programs get the cluster that sbatch prints")
    func cluster() async throws {
        let shell = try ToolShell()
        try replaceSlurm(
            shell, sbatch: "echo '7;east'", squeue: "echo \"$@\" >> \"$FOLDER/queries\"; echo 'CLUSTER: east'")
        try "{\"job\":\"render\",\"input\":\"none.mp4\",\"output\":\"r.mp4\",\"parts\":2}\n".write(
            toFile: shell.file("jobs.jsonl"), atomically: true, encoding: .utf8)
        let run = try await shell.run(
            SlurmToolTests.useReplacement + """
                $Z batch jobs.jsonl --slurm --memory 400 --cores 1 --interval 0.1 --retries 0 > /dev/null
                grep -c -x -e -M arguments; grep -v -c -e '^-M east ' queries; grep -o '"cluster":"east"' jobs.jsonl.state/slurm.json
                """)
        // The join must be on the cluster of the array for which it waits.
        #expect(run.output == "1\n0\n\"cluster\":\"east\"\n", "\(run.output) \(run.error)")
    }

    @Test("the array is canceled if Slurm refuses the join")
    func refusedJoin() async throws {
        let shell = try ToolShell()
        try replaceSlurm(
            shell,
            sbatch: """
                if [[ "$*" != *--array* ]]; then echo 'no dependencies here' >&2; exit 1; fi
                echo 7
                """)
        let film = try TestMedia.url("counter-23976.mp4").path
        try "{\"job\":\"render\",\"input\":\"\(film)\",\"output\":\"r.mp4\",\"parts\":2}\n".write(
            toFile: shell.file("jobs.jsonl"), atomically: true, encoding: .utf8)
        let run = try await shell.run(
            SlurmToolTests.useReplacement
                + "$Z batch jobs.jsonl --slurm --memory 400 --cores 1 --interval 0.1; echo \"code $?\"; cat canceled")
        #expect(run.output == "code 1\n7\n" && run.error.contains("no dependencies here"), "\(run.error)")
    }

    @Test("results are printed if Slurm refuses another attempt")
    func refusedRetry() async throws {
        let shell = try ToolShell()
        try replaceSlurm(
            shell,
            sbatch: """
                if [[ -e "$FOLDER/once" ]]; then echo 'no node has this memory' >&2; exit 1; fi
                touch "$FOLDER/once"; SLURM_ARRAY_TASK_ID=1 sh "${@: -1}"; echo 7
                """)
        try write(4, to: shell)
        let run = try await shell.run(
            SlurmToolTests.useReplacement
                + "exec $Z batch jobs.jsonl --slurm --memory 400 --cores 1 --slices 2 --interval 0.1")
        #expect(run.code == 1 && run.error.contains("no node has this memory"), "\(run.error)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count { $0.contains("\"finished\"") } == 2 && lines.count { $0.contains("\"failed\"") } == 2)
    }

    @Test("each requested attempt runs a job that was killed", arguments: [1, 4])
    func attempts(retries: Int) async throws {
        let shell = try ToolShell()
        // Only the last attempt is not killed. Each attempt leaves the record of a job that has started.
        try replaceSlurm(
            shell,
            sbatch: """
                echo >> "$FOLDER/attempts"
                if [[ $(wc -l < "$FOLDER/attempts") == \(retries + 1) ]]; then
                    SLURM_ARRAY_TASK_ID=1 sh "${@: -1}"
                else
                    cat "$FOLDER/started" > "$FOLDER/jobs.jsonl.state/run-0-$(wc -l < "$FOLDER/attempts").jsonl"
                fi
                echo 7
                """)
        try write(1, to: shell)
        let run = try await shell.run(
            SlurmToolTests.useReplacement + """
                $Z batch jobs.jsonl > /dev/null; grep -h '"started"' jobs.jsonl.state/run-* > started
                rm -r jobs.jsonl.state 1.png
                exec $Z batch jobs.jsonl --slurm --memory 400 --cores 1 --interval 0.1 --retries \(retries)
                """)
        #expect(run.code == 0 && shell.contents.contains("1.png"), "\(run.error)")
    }

    @Test("an earlier run's error is not that of a killed job", arguments: [true, false])
    func earlierError(starts: Bool) async throws {
        let shell = try ToolShell()
        // Each attempt is killed, before or after it has started the job.
        let start = starts ? "cat \"$FOLDER/started\" >" : "true"
        try replaceSlurm(
            shell,
            sbatch: """
                echo >> "$FOLDER/attempts"
                \(start) "$FOLDER/jobs.jsonl.state/run-0-$(wc -l < "$FOLDER/attempts").jsonl"
                echo 7
                """)
        try write(1, to: shell)
        let run = try await shell.run(
            SlurmToolTests.useReplacement + """
                $Z batch jobs.jsonl > /dev/null; grep -h '"started"' jobs.jsonl.state/run-* > started
                rm -r jobs.jsonl.state 1.png; mkdir jobs.jsonl.state
                sed 's/"started"/"failed","error":"an old reason"/' started > jobs.jsonl.state/run-0-0.jsonl
                $Z batch jobs.jsonl --slurm --memory 400 --cores 1 --interval 0.1 --retries 1; echo "code $?"
                wc -l < attempts
                """)
        #expect(run.output.hasSuffix("code 1\n2\n") && run.output.contains("Slurm killed the task"), "\(run.output)")
        #expect(!run.output.contains("old reason") && !run.error.contains("old reason"), "\(run.error)")
    }

    @Test("without Slurm, the error names the program and the path")
    func missing() async throws {
        let shell = try ToolShell()
        try "{\"job\":\"probe\",\"input\":\"a\"}\n".write(
            toFile: shell.file("jobs.jsonl"), atomically: true, encoding: .utf8)
        let run = try await shell.run("PATH=/nonexistent exec $Z batch jobs.jsonl --slurm")
        #expect(run.code == 1 && run.error.contains("sbatch") && run.error.contains("/nonexistent"), "\(run.error)")
    }
}
