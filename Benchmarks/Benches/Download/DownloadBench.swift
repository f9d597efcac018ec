import Downloads
import Foundation

/// A measurement of a library with many downloads, and of a playlist with very many segments. Each runs in a separate
/// process and prints one line of JSON.
///
///     Benches Download fill FOLDER COUNT   adds COUNT paused downloads
///     Benches Download open FOLDER         milliseconds until the library is open, and until all downloads are listed
///     Benches Download plan FOLDER URL     seconds until the first segment is requested, and the peak memory
struct DownloadBench {
    @MainActor static func main() async {
        let arguments = Array(Benches.arguments.dropFirst())
        guard arguments.count > 1 else {
            return fail("usage: Benches Download fill FOLDER COUNT | open FOLDER | plan FOLDER URL")
        }
        let folder = URL(fileURLWithPath: arguments[1])
        do {
            switch (arguments[0], arguments.dropFirst(2).first) {
            case ("fill", let count?): try await fill(folder, Int(count) ?? 1000)
            case ("open", nil): try await open(folder)
            case ("plan", let text?):
                guard let url = URL(string: text) else { return fail("\(text) is no URL") }
                try await plan(folder, url)
            default: fail("DownloadBench does not know \(arguments.joined(separator: " "))")
            }
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ text: String) {
        FileHandle.standardError.write(Data("DownloadBench: \(text)\n".utf8))
        exit(1)
    }

    @MainActor private static func fill(_ folder: URL, _ count: Int) async throws {
        let library = try DownloadLibrary(at: folder, startsDownloads: false)
        for number in 0..<count {
            var options = DownloadOptions()
            options.title = "Film number \(number)"
            options.audioLanguages = number % 3 == 0 ? ["en", "de"] : []
            guard let url = URL(string: "https://media.example/films/\(number)/master.m3u8") else { continue }
            try await library.add(url, options: options, paused: true)
        }
        print("{\"added\":\(library.downloads.count)}")
    }

    @MainActor private static func open(_ folder: URL) async throws {
        let began = ContinuousClock.now
        let library = try DownloadLibrary(at: folder)
        let opened = ContinuousClock.now
        var bytes: Int64 = 0
        var letters = 0
        let all = library.downloads
        for download in all {
            bytes += download.progress.bytes
            letters += download.title.count + (download.state.isSettled ? 1 : 0) + (download.playableURL == nil ? 0 : 1)
        }
        let listed = ContinuousClock.now
        print(
            "{\"count\":\(all.count),\"openMs\":\((opened - began) / .milliseconds(1)),\"listMs\":\((listed - opened) / .milliseconds(1)),\"bytes\":\(bytes),\"letters\":\(letters)}"
        )
    }

    @MainActor private static func plan(_ folder: URL, _ url: URL) async throws {
        let library = try DownloadLibrary(at: folder)
        // The memory before the download includes the loaded HTTP library, which every download needs.
        let before = peakMemory()
        let began = ContinuousClock.now
        let download = try await library.add(url)
        for await state in download.states {
            if case .downloading = state { break }
            if state.isSettled { return fail("it became \(state) before it was planned") }
        }
        let planned = ContinuousClock.now
        print(
            "{\"planSeconds\":\((planned - began) / .seconds(1)),\"peakMB\":\(peakMemory()),\"beforeMB\":\(before),\"expectedSeconds\":\(download.progress.expectedSeconds)}"
        )
        await library.close()
    }

    /// Returns the peak memory in MiB.
    private static func peakMemory() -> Double {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
        return (line.split(separator: " ").compactMap { Double($0) }.first ?? 0) / 1024
    }
}
