import Foundation
import MediaCore

/// A file of subtitles that lies beside a film and is called as it is.
package struct SubtitleSidecar: Sendable, Equatable {
    package let url: URL
    /// As BCP 47 has it, out of its name (`film.en.srt`, `film.pt-BR.ass`); nil: it names none.
    package let language: String?
    /// What else its name says: `forced`, `sdh` …; empty: nothing.
    package let note: String

    /// For a menu.
    package var title: String {
        let name = FilePath(url)?.name.description ?? url.lastPathComponent
        guard let language else { return name }
        let spoken = Locale.current.localizedString(forIdentifier: language) ?? language
        return "\(spoken)\(note.isEmpty ? "" : " (\(note))") – \(name)"
    }

    /// Endings of what can be laid over a picture.
    private static let endings: Set<String> = ["srt", "vtt", "ass", "ssa", "sub", "smi", "sami", "mpl", "mpl2"]
    /// Folders beside the film that are looked into, in any case of letters.
    private static let folders: Set<String> = ["subs", "sub", "subtitles", "untertitel"]
    /// Kept of one film.
    static let most = 100

    /// Those of a film: beside it, or in a folder `Subs` beside it, where its name is the film's or begins so before a
    /// point. Where the film is the only one in its folder, all in `Subs` are its. In the order of their names. Reads
    /// two folders; blocks meanwhile. None for what is no file here.
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
        return Array(found.prefix(most))
    }

    private static func stem(_ name: [UInt8]) -> [UInt8] {
        guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > 0 else { return name }
        return Array(name[..<point])
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
            // `2_English.srt`, as some put them.
            rest = Array(own.drop { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") })
        } else {
            return nil
        }
        // What is no word of UTF-8 says nothing about a language.
        let words = String(decoding: rest, as: UTF8.self).split(separator: ".").map(String.init)
        let language = words.lazy.compactMap(Self.language).first
        let notes = words.filter { ["forced", "sdh", "cc", "hi", "full"].contains($0.lowercased()) }
        return SubtitleSidecar(
            url: path.url, language: language, note: notes.joined(separator: ", ").lowercased())
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }

    /// `en`, `pt-BR`, `pt_BR`, `eng`, `English`; nil for other words.
    private static func language(_ word: String) -> String? {
        let tag = word.replacingOccurrences(of: "_", with: "-")
        let first = tag.prefix { $0 != "-" }.lowercased()
        if ["forced", "sdh", "cc", "hi", "full"].contains(first) { return nil }
        guard (2...3).contains(first.count), first.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            return languageNames[word.lowercased()]
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

    /// The one that is shown without having been asked for: in the dearest of the languages that there is one in, else
    /// the one that names none; nil: only languages that nobody named. One that is `forced` comes after others.
    /// - Parameter languages: BCP 47, dearest first; empty: English, which programs speak.
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
