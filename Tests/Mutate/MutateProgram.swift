import Foundation
import MediaCore

/// `Mutate --media DIR [--first N] [--count N] [--jobs N]`: damages the files in DIR in `count` ways. A seed determines
/// each of them.
///
/// Each damaged file is probed, used for a snapshot, exported, played and looped, in child processes. `--keep FILE`
/// with one seed only writes the damaged file. A signal, more than 512 MB, more than 10 s, or an error without a
/// message is a finding. The exit code is 1 if there is any.
@main
enum Main {
    static func main() async {
        let arguments = Arguments(CommandLine.arguments)
        guard let media = arguments["--media"], let files = films(media), !files.isEmpty else {
            print("Mutate: --media names no folder with films")
            exit(2)
        }
        let first = arguments.number("--first") ?? 1
        let count = arguments.number("--count") ?? 2000
        if let target = arguments["--keep"] {
            let mutation = Mutation(seed: first, files: files)
            print("\(mutation.source.lastPathComponent): \(mutation.description)")
            guard FileManager.default.createFile(atPath: target, contents: Data(mutation.bytes)) else {
                print("Mutate: cannot write \(target)")
                exit(2)
            }
            return
        }
        // Each unchanged file has a seed of its own.
        let isPlain = arguments["--plain"] != nil
        let mutation: @Sendable (UInt64) -> Mutation = {
            isPlain ? Mutation(whole: files[Int($0)]) : Mutation(seed: $0, files: files)
        }
        let seeds = isPlain ? 0..<UInt64(files.count) : first..<first + count
        if arguments["--child"] != nil { return await Child.run(first..<first + count, mutation) }
        let jobs = arguments.number("--jobs").map { Int($0) } ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
        let findings = Driver(program: CommandLine.arguments[0], media: media, jobs: jobs, isPlain: isPlain).run(seeds)
        for finding in findings {
            let broken = mutation(finding.seed)
            print(
                "seed \(finding.seed), \(finding.step): \(finding.what)\n    \(broken.source.lastPathComponent): \(broken.description)"
            )
            if !isPlain {
                print(
                    "    again: scripts/mutate --seed \(finding.seed) --count 1; the file: scripts/mutate --seed \(finding.seed) --keep FILE"
                )
            }
        }
        print(
            isPlain
                ? "\(files.count) films as they are: \(findings.count) findings"
                : "\(count) mutations of \(files.count) films, from seed \(first) on: \(findings.count) findings")
        exit(findings.isEmpty ? 0 : 1)
    }

    private static func films(_ folder: String) -> [(url: URL, bytes: [UInt8])]? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
        return names.compactMap { name in
            let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
            return (try? Data(contentsOf: url)).map { (url, Array($0)) }
        }
    }
}

struct Arguments {
    private let words: [String]
    init(_ words: [String]) { self.words = words }
    subscript(name: String) -> String? {
        guard let index = words.firstIndex(of: name) else { return nil }
        return index + 1 < words.count ? words[index + 1] : ""
    }
    func number(_ name: String) -> UInt64? { self[name].flatMap { UInt64($0) } }
}
