import Foundation
import MPlayerKit
import TestSupport
import Testing
import Zoetrope

/// Tests of the texts that an app shows for an error: `localizedDescription`, and the reason and suggestion of its
/// `NSError`.
@Suite("Public errors")
struct PublicErrorTests {
    private static let url = URL(fileURLWithPath: "/films/a.mkv")
    private static let cause = AVError(
        .fileEmpty, at: "/films/a.mkv", reason: "the file is empty", suggestion: "Copy the file again")

    /// Every case of each public error type. Errors with a code appear with each code, for a file, a URL and neither.
    private static let all: [any Error] =
        coded + [
            NSItemProvider.LoadError.unavailableType,
            AsyncImageError.unsupportedScheme(url), AsyncImageError.status(404, url),
            AsyncImageError.notAPicture(url, "why"),
            VPErrors.remoteVideoError(nil), VPErrors.remoteVideoError(cause), VPErrors.failedToLoad(nil),
            VPErrors.failedToLoad(cause), VPErrors.sourceNotFound("film"), VPErrors.settingsNotUnique,
            VPErrors.notSupportedPiP, VPErrors.filterError(cause), VPErrors.subtitlesError(cause),
            PlayerError.notAvailable, PlayerError.invalidImageFormat, AVPlayerItemError.missingVideoTrack,
            ArtworkError.unsupportedScheme(url), ArtworkError.status(500, url), ArtworkError.tooLarge(url),
        ]
    private static let coded: [any Error] = ["/films/a.mkv", "https://joe:pw@host/a.ts", ""].flatMap { location in
        AVError.Code.allCases.map {
            AVError($0, at: location, reason: "the server returned 404", suggestion: "Check the URL") as any Error
        }
            + DownloadError.Code.allCases.map {
                DownloadError($0, at: location, reason: "the server returned 404", suggestion: "Check the URL")
            }
    }

    @Test("Each error describes what failed, why, and what to do")
    func sentences() {
        for error in Self.all {
            let bridged = error as NSError
            let texts = [
                error.localizedDescription, bridged.localizedDescription, bridged.localizedFailureReason ?? "",
                bridged.localizedRecoverySuggestion ?? "", (error as? any LocalizedError)?.errorDescription ?? "",
                (error as? any LocalizedError)?.failureReason ?? "",
                (error as? any LocalizedError)?.recoverySuggestion ?? "",
            ]
            #expect(bridged.localizedRecoverySuggestion != error.localizedDescription, "\(texts)")
            for text in texts {
                #expect(text.count > 8 && text.last == "." && !text.contains(".."), "\(error): \(texts)")
                #expect(!text.contains("  ") && !text.contains("“”"), "\(texts)")
                #expect(!text.contains("could not be completed"), "\(error): \(texts)")
                #expect(!text.contains("joe") && !text.contains("pw@"), "\(texts)")
                #expect(text.first?.isLowercase == false, "\(text)")
            }
        }
    }

    @Test("A description names what failed; without a location only the reason")
    func composition() {
        #expect(Self.cause.localizedDescription == "Can't open “/films/a.mkv”: the file is empty.")
        #expect("\(Self.cause)" == "Can't open “/films/a.mkv”: the file is empty. Copy the file again.")
        #expect(
            Self.cause.failureReason == "The file is empty." && Self.cause.recoverySuggestion == "Copy the file again.")
        #expect(
            VPErrors.filterError(Self.cause).errorDescription
                == "Can't apply the filter “/films/a.mkv”: the file is empty.")
        #expect(VPErrors.failedToLoad(nil).errorDescription == "Can't play the video: the reason is unknown.")
        let bare = AVError(.cancelled, at: "", reason: "the operation was cancelled")
        #expect("\(bare)" == "The operation was cancelled.")
        #expect(bare.recoverySuggestion == nil && (bare as NSError).localizedRecoverySuggestion == nil)
    }

    /// Checks the form of every reason and suggestion in the sources, and searches them for phrases in the "before"
    /// column of STYLE.md.
    @Test("Every reason is a clause, every suggestion an instruction, in plain English")
    func everyMessage() throws {
        let folders = [
            "MediaCore", "MediaEngine", "Streaming", "Downloads", "Filters", "Overlays", "Export", "GTK", "GLibLoop",
            "DesktopServices", "ViewGraph", "DeclarativeUI", "PlayerViews", "Zoetrope", "MPlayerKit",
            "VideoPlayerContainer",
        ]
        let message = #/\b(reason|suggestion): *(?:[^"\n]*\? *)?"((?:[^"\\]|\\.)*)"/#
        let banned =
            #/\b(pictures?|sound|films?(?!\.mkv)|anew|nobody|rung|stamp|seam|mend|(has|have) gone|no room|make room|was given up|told|asked)\b/#
        let verbs: Set<String> = [
            "asks", "cannot", "carries", "could", "does", "ended", "ends", "exists", "gave", "gives", "grew", "had",
            "has", "holds", "is", "lasts", "lies", "looks", "may", "must", "names", "needs", "reads", "was", "were",
        ]
        var found = 0
        for folder in folders {
            let root = Repository.root.appendingPathComponent("Sources/\(folder)")
            let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                for match in try String(contentsOf: file, encoding: .utf8).matches(of: message) {
                    let text = match.output.2
                    found += 1
                    let place = "\(file.lastPathComponent): \(text)"
                    #expect(text.firstMatch(of: banned) == nil, "\(place)")
                    #expect(!text.contains("  ") && text.last != ".", "\(place)")
                    if match.output.1 == "reason" {
                        #expect(!verbs.contains(String(text.prefix { $0 != " " })), "\(place) has no subject")
                    } else {
                        #expect(text.isEmpty || text.first?.isLowercase == false, "\(place)")
                    }
                }
            }
        }
        #expect(found > 400)
    }

    @Test("Every public error type is a LocalizedError and is tested here")
    func everyType() throws {
        let sources = Repository.root.appendingPathComponent("Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var texts: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            texts.append(try String(contentsOf: file, encoding: .utf8))
        }
        let declared = try Regex(
            #"(?:public|open) (?:final )?(?:struct|enum|class|actor) (\w+)[^{]*[:,]\s*(?:\w+\.)?(?:Error|LocalizedError|CustomNSError)\b"#
        )
        let localized = texts.filter { $0.contains("LocalizedError") }
        var names: Set<String> = []
        for line in texts.flatMap({ $0.split(separator: "\n") }) where line.contains("Error") {
            guard line.contains("public ") || line.contains("open "),
                let name = line.firstMatch(of: declared)?.output[1].substring.map(String.init)
            else { continue }
            names.insert(name)
            let conforms = try Regex("\\b\(name)\\b[^{\\n]*\\bLocalizedError\\b")
            let owners = localized.filter { $0.firstMatch(of: conforms) != nil }
            #expect(!owners.isEmpty, "\(name) is not a LocalizedError")
            for property in ["errorDescription", "failureReason", "recoverySuggestion"] {
                #expect(owners.contains { $0.contains("var \(property): String?") }, "\(name) has no \(property)")
            }
        }
        // The tests of Streaming cover `WebVTTDocument.ParseError`.
        let tested = Set(Self.all.map { String(describing: type(of: $0)) } + ["ParseError"])
        #expect(names == tested && names.count > 8, "\(names.symmetricDifference(tested))")
    }
}
