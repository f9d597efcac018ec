import Foundation
import MPlayerKit
import TestSupport
import Testing
import Zoetrope

/// What an app shows of an error: `localizedDescription`, and the reason and the suggestion of its `NSError`.
@Suite("Public errors")
struct PublicErrorTests {
    private static let url = URL(fileURLWithPath: "/films/a.mkv")
    private static let cause = AVError(
        .fileEmpty, at: "/films/a.mkv", reason: "has no bytes", suggestion: "Copy it again")

    /// At least one of each public type.
    private static let all: [any Error] = [
        cause,
        AVError(.decodeFailed, at: "https://joe:pw@host/a.ts", reason: "the decoder gave up", suggestion: "Try again."),
        DownloadError(.gone, at: "https://host/a.m3u8", reason: "the server answers 404", suggestion: "Check the URL"),
        NSItemProvider.LoadError.unavailableType,
        AsyncImageError.unsupportedScheme(url), AsyncImageError.status(404, url),
        AsyncImageError.notAPicture(url, "why"),
        VPErrors.remoteVideoError(nil), VPErrors.remoteVideoError(cause), VPErrors.failedToLoad(nil),
        VPErrors.failedToLoad(cause), VPErrors.sourceNotFound("film"), VPErrors.settingsNotUnique,
        VPErrors.notSupportedPiP, VPErrors.filterError(cause), VPErrors.subtitlesError(cause),
        PlayerError.notAvailable, PlayerError.invalidImageFormat, AVPlayerItemError.missingVideoTrack,
        ArtworkError.unsupportedScheme(url), ArtworkError.status(500, url), ArtworkError.tooLarge(url),
    ]

    @Test("An app gets sentences: what failed, why, and what to do")
    func sentences() {
        for error in Self.all {
            let bridged = error as NSError
            let texts = [
                error.localizedDescription, bridged.localizedDescription, bridged.localizedFailureReason ?? "",
                bridged.localizedRecoverySuggestion ?? "", (error as? any LocalizedError)?.errorDescription ?? "",
                (error as? any LocalizedError)?.failureReason ?? "",
                (error as? any LocalizedError)?.recoverySuggestion ?? "",
            ]
            for text in texts {
                #expect(text.count > 8 && text.last == "." && !text.contains(".."), "\(error): \(texts)")
                #expect(!text.contains("could not be completed"), "\(error): \(texts)")
                #expect(!text.contains("joe") && !text.contains("pw@"), "\(texts)")
                #expect(text.first?.isLowercase == false || text.hasPrefix("https:"), "\(text)")
            }
        }
    }

    @Test("A reason without a subject gets one; what helps nothing suggests nothing")
    func reasons() {
        #expect(Self.cause.localizedDescription == "/films/a.mkv: has no bytes.")
        #expect(
            Self.cause.failureReason == "“a.mkv” has no bytes." && Self.cause.recoverySuggestion == "Copy it again.")
        let bare = AVError(.cancelled, at: "a", reason: "was given up")
        #expect(bare.recoverySuggestion == nil && (bare as NSError).localizedRecoverySuggestion == nil)
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
            #expect(!owners.isEmpty, "\(name) is no LocalizedError")
            for property in ["errorDescription", "failureReason", "recoverySuggestion"] {
                #expect(owners.contains { $0.contains("var \(property): String?") }, "\(name) has no \(property)")
            }
        }
        // `WebVTTDocument.ParseError` is Streaming's, whose tests have it.
        let tested = Set(Self.all.map { String(describing: type(of: $0)) } + ["ParseError"])
        #expect(names == tested && names.count > 8, "\(names.symmetricDifference(tested))")
    }
}
