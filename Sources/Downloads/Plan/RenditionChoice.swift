import Foundation
import MediaCore
import Streaming

/// The renditions of a stream that a download loads.
struct RenditionChoice: Sendable {
    /// A rendition to load, with the values that the database stores before its media playlist is known.
    struct Chosen: Sendable {
        var kind: RenditionKind
        /// The name in the package. A rendition has the same name in every download.
        var name: String
        var url: URL
        /// The URLs of redundant streams, to try if `url` fails (RFC 8216 §4.3.4.2).
        var others: [URL] = []
        /// The text of a multivariant playlist that contains only this rendition. Empty if the stream has no
        /// multivariant playlist.
        var tag: String
        /// The bit rate for estimates, in bits per second, or 0 if unknown.
        var bitRate: Double
    }
    var all: [Chosen]

    /// Chooses the renditions of a stream.
    ///
    /// - Throws: `.notMedia` if nothing can be chosen; `.notFound` if the stream does not have a requested language or
    ///   name.
    init(_ presentation: HLSPresentation, _ options: DownloadOptions) throws(DownloadError) {
        all = []
        guard let master = presentation.multivariant else {
            let url = presentation.variants.first?.playlists.first ?? presentation.url
            all = [Chosen(kind: .video, name: "main", url: url, tag: "", bitRate: 0)]
            return
        }
        var chosen: [HLSPresentation.VariantSource] = []
        for quality in [options.quality] + (options.otherQualities ?? []) {
            guard let source = RenditionChoice.source(presentation, quality, options.prefersMultichannel) else {
                continue
            }
            if !chosen.contains(where: { $0.playlists == source.playlists }) { chosen.append(source) }
        }
        for source in chosen { try add(source, presentation, master, options) }
        guard let source = chosen.first, !all.isEmpty else {
            throw DownloadError(
                .notMedia, at: presentation.url.location, reason: "the playlist has no variant that can be downloaded")
        }
        if options.includesIFrames, let iFrames = RenditionChoice.iFrames(presentation.iFrames, of: source),
            let url = iFrames.playlists.first,
            let variant = master.iFrameVariants.first(where: { $0.url == url })
        {
            all.append(
                Chosen(
                    // The name includes the variant, because I-frames may be in the variant's own segments.
                    kind: .iFrames,
                    name: RenditionChoice.name(
                        "pictures",
                        RenditionChoice.identity(iFrames.attributes) + " " + RenditionChoice.identity(source.attributes)
                    ), url: url,
                    tag: RenditionChoice.tag(master) { $0.iFrameVariants = [variant] },
                    bitRate: iFrames.attributes.sustainedBitRate))
        }
    }

    /// Adds a variant with its audio and subtitles, except for those that are already added.
    private mutating func add(
        _ source: HLSPresentation.VariantSource, _ presentation: HLSPresentation, _ master: MultivariantPlaylist,
        _ options: DownloadOptions
    ) throws(DownloadError) {
        guard let copy = source.copies.first,
            let variant = master.variants.first(where: { $0.url == copy.url && $0.groups == copy.groups })
        else { return }
        let (audioGroup, subtitlesGroup) = (copy.groups.audio, copy.groups.subtitles)
        let height = source.attributes.resolution.map { "\($0.height)p" } ?? "sound"
        let bitRate = source.attributes.sustainedBitRate
        append(
            Chosen(
                kind: .video,
                name: RenditionChoice.name("video-\(height)", RenditionChoice.identity(source.attributes)),
                url: copy.url,
                others: Array(source.playlists.dropFirst()),
                tag: RenditionChoice.tag(master) { $0.variants = [variant] }, bitRate: bitRate))
        let audioTracks: [HLSPresentation.Option]
        let subtitles: [HLSPresentation.Option]
        if let picks = options.renditions {
            // Each name is a rendition; nil stands for the default.
            let names = picks.reduce(into: (audioTracks: [String?](), subtitles: [String?]())) { names, pick in
                switch pick {
                case .defaultAudio: names.audioTracks.append(nil)
                case .audio(let name): names.audioTracks.append(name)
                case .defaultSubtitles: names.subtitles.append(nil)
                case .subtitles(let name): names.subtitles.append(name)
                }
            }
            audioTracks = try RenditionChoice.options(
                presentation.audio, names.audioTracks, audioGroup, "audio track", at: presentation.url)
            subtitles = try RenditionChoice.options(
                presentation.subtitles, names.subtitles, subtitlesGroup, "subtitles", at: presentation.url)
        } else {
            audioTracks = try RenditionChoice.options(
                presentation.audio, options.audioLanguages, audioGroup, orDefault: true, "audio track",
                at: presentation.url)
            subtitles = try RenditionChoice.options(
                presentation.subtitles, options.subtitleLanguages, subtitlesGroup, orDefault: false, "subtitles",
                at: presentation.url)
        }
        for option in audioTracks {
            guard let group = audioGroup, let playlistURL = option.playlists[group], let url = playlistURL,
                let rendition = master.renditions(.audio, inGroup: group).first(where: { $0.url == url })
            else { continue }
            append(
                Chosen(
                    kind: .audio,
                    name: RenditionChoice.name("audio-\(option.language ?? "und")", "\(group) \(option.name)"),
                    url: url, others: source.playlists(of: option, in: \.audio).filter { $0 != url },
                    tag: RenditionChoice.tag(master) { $0.renditions = [rendition] }, bitRate: 128_000))
        }
        for option in subtitles {
            guard let group = subtitlesGroup, let playlistURL = option.playlists[group], let url = playlistURL,
                let rendition = master.renditions(.subtitles, inGroup: group).first(where: { $0.url == url })
            else { continue }
            append(
                Chosen(
                    kind: .subtitles,
                    name: RenditionChoice.name(
                        "subtitles-\(option.language ?? "und")", "\(group) \(option.name) \(option.isForced)"),
                    url: url, others: source.playlists(of: option, in: \.subtitles).filter { $0 != url },
                    tag: RenditionChoice.tag(master) { $0.renditions = [rendition] }, bitRate: 1_000))
        }
    }

    private mutating func append(_ chosen: Chosen) {
        if !all.contains(where: { $0.name == chosen.name }) { all.append(chosen) }
    }

    private static func source(
        _ presentation: HLSPresentation, _ quality: DownloadOptions.Quality, _ isMultichannel: Bool?
    ) -> HLSPresentation.VariantSource? {
        guard let source = source(presentation.variants, quality), let isMultichannel else {
            return source(presentation.variants, quality)
        }
        func fits(_ source: HLSPresentation.VariantSource) -> Bool {
            presentation.audio.contains { option in
                source.copies.first?.groups.audio.map { option.playlists[$0] != nil } ?? false
                    && (option.channels ?? 2) > 2
            } == isMultichannel
        }
        if fits(source) { return source }
        let alike = presentation.variants.filter {
            $0.attributes.resolution == source.attributes.resolution && fits($0)
        }
        return alike.min {
            abs($0.attributes.peakBitRate - source.attributes.peakBitRate)
                < abs($1.attributes.peakBitRate - source.attributes.peakBitRate)
        } ?? source
    }

    /// Returns the source for a quality. `sources` must be sorted, with the least demanding one first.
    private static func source(_ sources: [HLSPresentation.VariantSource], _ quality: DownloadOptions.Quality)
        -> HLSPresentation.VariantSource?
    {
        switch quality {
        case .best: sources.last
        case .worst: sources.first
        case .height(let most):
            sources.last { $0.attributes.resolution.map { $0.height <= most } ?? false } ?? sources.first
        case .peakBitRate(let most): sources.last { $0.attributes.peakBitRate <= most } ?? sources.first
        case .minimumBitRate(let least): sources.first { $0.attributes.peakBitRate >= least } ?? sources.last
        case .minimum(let bitRate, let width, let height):
            sources.first { source in
                source.attributes.peakBitRate >= bitRate
                    && source.attributes.resolution.map { $0.width >= width && $0.height >= height }
                        ?? (width <= 0 && height <= 0)
            } ?? sources.last
        case .exactly(let bitRate, let height):
            sources.filter { $0.attributes.resolution?.height == height }.first { $0.attributes.peakBitRate == bitRate }
                ?? sources.min { abs($0.attributes.peakBitRate - bitRate) < abs($1.attributes.peakBitRate - bitRate) }
        }
    }

    /// Returns the renditions of a group by their names. Nil stands for the rendition that plays by default.
    private static func options(
        _ all: [HLSPresentation.Option], _ names: [String?], _ group: String?, _ kind: String, at url: URL
    ) throws(DownloadError) -> [HLSPresentation.Option] {
        guard let group else { return [] }
        let members = all.filter { $0.playlists[group] != nil }
        var chosen: [HLSPresentation.Option] = []
        for name in names {
            let option: HLSPresentation.Option?
            if let name {
                option = members.first { $0.name == name }
                guard option != nil || members.isEmpty else {
                    throw DownloadError(
                        .notFound, at: url.location, reason: "the stream has no \(kind) called “\(name)”",
                        suggestion: "Choose one of: \(members.map(\.name).joined(separator: ", "))")
                }
            } else {
                // The same choice as `AVMediaSelectionGroup.defaultOption`.
                option =
                    members.first { $0.kind == .audio } == nil
                    ? members.first { $0.isDefault && !$0.isForced }
                    : members.first(where: \.isDefault) ?? members.first(where: \.isAutoselect) ?? members.first
            }
            if let option, !chosen.contains(option) { chosen.append(option) }
        }
        return chosen
    }

    /// Returns the renditions of a group for each language.
    private static func options(
        _ all: [HLSPresentation.Option], _ languages: [String], _ group: String?, orDefault: Bool, _ kind: String,
        at url: URL
    ) throws(DownloadError) -> [HLSPresentation.Option] {
        guard let group else { return [] }
        let members = all.filter { $0.playlists[group] != nil }
        if languages == ["*"] { return members }
        if languages.isEmpty {
            guard orDefault else { return [] }
            return [members.first(where: \.isDefault) ?? members.first(where: \.isAutoselect) ?? members.first]
                .compactMap { $0 }
        }
        // The playlist does not declare the language of audio inside the variant.
        guard !members.isEmpty else { return [] }
        var chosen: [HLSPresentation.Option] = []
        for language in languages {
            guard let index = LanguageTag.bestMatch(for: [language], among: members.map(\.language)) else {
                let available = members.map { $0.language ?? $0.name }.joined(separator: ", ")
                throw DownloadError(
                    .notFound, at: url.location, reason: "the stream has no \(kind) in “\(language)”",
                    suggestion: "Choose one of: \(available)")
            }
            // Forced subtitles and descriptions in the same language are only loaded if all renditions are requested.
            if !chosen.contains(members[index]) { chosen.append(members[index]) }
        }
        return chosen
    }

    /// Returns the I-frames with the size of the variant, or else the least demanding ones.
    private static func iFrames(_ all: [HLSPresentation.VariantSource], of source: HLSPresentation.VariantSource)
        -> HLSPresentation
        .VariantSource?
    {
        if let size = source.attributes.resolution, let same = all.first(where: { $0.attributes.resolution == size }) {
            return same
        }
        return all.first
    }

    /// Returns a name that is the same in every download of a rendition and differs from the names of other renditions.
    private static func name(_ text: String, _ identity: String) -> String {
        SafeName.make(text, limit: 40) + "-" + SafeName.digest(identity).prefix(8)
    }

    /// Returns the text whose digest is part of a variant's name. It must not change, because packages that are already
    /// on disk have names made from it. It is the description of the type under its earlier name.
    private static func identity(_ variant: AdaptationVariant) -> String {
        let type = "Rung"
        let size = variant.resolution.map {
            "Optional(Streaming.\(type).Resolution(width: \($0.width), height: \($0.height)))"
        }
        let average = variant.averageBitRate.map { "Optional(\($0))" }
        let frameRate = variant.frameRate.map { "Optional(\($0))" }
        return "\(type)(peakBitRate: \(variant.peakBitRate), averageBitRate: \(average ?? "nil"), "
            + "resolution: \(size ?? "nil"), frameRate: \(frameRate ?? "nil"), codecs: \(variant.codecs))"
    }

    private static func tag(_ master: MultivariantPlaylist, _ fill: (inout MultivariantPlaylist) -> Void) -> String {
        var playlist = MultivariantPlaylist(url: master.url)
        playlist.common.version = master.common.version
        playlist.common.isIndependentSegments = master.common.isIndependentSegments
        fill(&playlist)
        return playlist.text
    }
}

/// The kinds of renditions, in the order in which a package lists them.
public enum RenditionKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A stream's video (with audio that is in the same segments), a separate audio track, subtitle cues, and I-frames
    /// for thumbnails of a seek bar.
    case video, audio, subtitles, iFrames
    /// A file that is not a stream.
    case file
}
