import Foundation
import MediaCore

/// A subtitle file beside a video, with the video's name.
package struct SubtitleSidecar: Sendable, Equatable {
    package let url: URL
    /// The language in its name (`film.en.srt`, `film.pt-BR.ass`), as a BCP 47 tag; nil if there is none.
    package let language: String?
    /// The other notes in its name, such as `forced` or `sdh`; empty if there are none.
    package let note: String

    /// The title for a menu.
    package var title: String {
        let name = FilePath(url)?.name.description ?? url.lastPathComponent
        guard let language else { return name }
        let spoken = Locale.current.localizedString(forIdentifier: language) ?? language
        return "\(spoken)\(note.isEmpty ? "" : " (\(note))") – \(name)"
    }

    /// The extensions of subtitle formats.
    private static let endings: Set<String> = ["srt", "vtt", "ass", "ssa", "sub", "smi", "sami", "mpl", "mpl2"]
    /// The names of folders beside the video that are searched, ignoring the case.
    private static let folders: Set<String> = ["subs", "sub", "subtitles", "untertitel"]
    /// The maximum number of files for one video.
    static let maximumCount = 100

    /// Returns the subtitle files of a video, sorted by name.
    ///
    /// A subtitle file is beside the video, or in a folder such as `Subs` beside it. Its name is that of the video, or
    /// begins with that name and a dot. If the video is the only one in its folder, all files in `Subs` belong to it.
    /// The method reads folders and blocks the thread meanwhile. A URL that is not a local file has no subtitle files.
    package static func of(_ film: URL) -> [SubtitleSidecar] {
        guard let path = FilePath(film) else { return [] }
        let stem = Self.stem(path.name.bytes)
        guard let names = try? MediaFolder.names(in: path.folder) else { return [] }
        var found = names.compactMap { name in sidecar(path.folder.appending(name.bytes), of: stem, isAlone: false) }
        let inner = names.filter { folders.contains($0.description.lowercased()) }
        if !inner.isEmpty {
            let isAlone = names.filter { MediaFolder.isMedia($0) }.count == 1
            for name in inner {
                let folder = path.folder.appending(name.bytes)
                let names = (try? MediaFolder.names(in: folder)) ?? []
                found += names.compactMap { sidecar(folder.appending($0.bytes), of: stem, isAlone: isAlone) }
            }
        }
        found.sort { a, b in
            guard let (left, right) = FilePath(a.url).flatMap({ a in FilePath(b.url).map { (a, $0) } }) else {
                return false
            }
            return NaturalOrder.precedes(left.bytes, right.bytes)
        }
        return Array(found.prefix(maximumCount))
    }

    private static func stem(_ name: [UInt8]) -> [UInt8] {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
        return Array(name[..<dot])
    }

    private static func sidecar(_ path: FilePath, of film: [UInt8], isAlone: Bool) -> SubtitleSidecar? {
        let name = path.name
        guard endings.contains(name.pathExtension.lowercased()) else { return nil }
        let own = stem(name.bytes)
        func same(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
            a.count == b.count && zip(a, b).allSatisfy { lower($0) == lower($1) }
        }
        var rest: [UInt8]
        if same(own, film) {
            rest = []
        } else if own.count > film.count + 1, own[film.count] == UInt8(ascii: "."), same(own.prefix(film.count), film) {
            rest = Array(own[(film.count + 1)...])
        } else if isAlone {
            // Some files have names such as `2_English.srt`.
            rest = Array(own.drop { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") })
        } else {
            return nil
        }
        // Bytes that are not UTF-8 name no language.
        let parts = String(decoding: rest, as: UTF8.self).split(separator: ".").map(String.init)
        let language = parts.lazy.compactMap(Self.language).first
        let notes = parts.filter { ["forced", "sdh", "cc", "hi", "full"].contains($0.lowercased()) }
        return SubtitleSidecar(
            url: path.url, language: language, note: notes.joined(separator: ", ").lowercased())
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }

    /// Returns the BCP 47 tag of `en`, `pt-BR`, `pt_BR`, `eng` or `English`; nil for other words.
    private static func language(_ part: String) -> String? {
        let tag = part.replacingOccurrences(of: "_", with: "-")
        let first = tag.prefix { $0 != "-" }.lowercased()
        if ["forced", "sdh", "cc", "hi", "full"].contains(first) { return nil }
        guard (2...3).contains(first.count), first.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            return languageNames[part.lowercased()]
        }
        guard let known = LanguageTag(tag), Locale.LanguageCode(known.language).isISOLanguage else { return nil }
        return known.description
    }

    private static let languageNames = [
        "english": "en", "german": "de", "deutsch": "de", "french": "fr", "français": "fr", "spanish": "es",
        "español": "es", "italian": "it", "italiano": "it", "portuguese": "pt", "português": "pt", "dutch": "nl",
        "polish": "pl", "russian": "ru", "japanese": "ja", "chinese": "zh", "korean": "ko", "arabic": "ar",
        "swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi", "turkish": "tr", "greek": "el",
        "czech": "cs", "hungarian": "hu", "romanian": "ro", "hebrew": "he",
    ]

    /// Returns the subtitle file that is shown without a request; nil if there is none.
    ///
    /// A file in the most preferred language that exists has priority, then a file without a language. A `forced` file
    /// comes after others.
    /// - Parameters:
    ///   - all: The subtitle files.
    ///   - languages: BCP 47 tags, the most preferred one first; empty for English.
    package static func best(of all: [SubtitleSidecar], for languages: [String]) -> SubtitleSidecar? {
        func rank(_ sidecar: SubtitleSidecar) -> Int {
            sidecar.note.isEmpty ? 0 : sidecar.note.contains("forced") ? 2 : 1
        }
        for wanted in (languages.isEmpty ? ["en"] : languages).compactMap({ LanguageTag($0) }) {
            let scored = all.compactMap { sidecar -> (SubtitleSidecar, Int)? in
                let score = sidecar.language.flatMap { LanguageTag($0) }.map { wanted.score(of: $0) } ?? 0
                return score > 0 ? (sidecar, score) : nil
            }
            if let best = scored.min(by: { ($1.1, rank($0.0)) < ($0.1, rank($1.0)) }) { return best.0 }
        }
        return all.filter { $0.language == nil }.min { rank($0) < rank($1) }
    }
}
