import Foundation
import MediaCore

/// The variants of a stream, and its options for audio, subtitles and captions.
package struct HLSPresentation: Sendable {
    /// A variant with its redundant copies (RFC 8216 §4.3.4.2). One of them is played; the others replace it when it
    /// fails.
    package struct VariantSource: Sendable {
        /// A playlist of the variant with its groups. Another copy can have groups of its own, on its own server.
        package struct Copy: Sendable {
            package var url: URL
            package var groups = Variant.Groups()
        }
        package var attributes: AdaptationVariant
        /// The copies, in the order in which they are tried.
        package var copies: [Copy]
        /// The frame rate that the playlist states, in frames per second.
        package var frameRate: Double?

        package var playlists: [URL] { copies.map(\.url) }

        /// Returns the playlists of an option for each copy whose group contains the option, in the order of copies.
        package func playlists(of option: Option, in group: (Variant.Groups) -> String?) -> [URL] {
            copies.compactMap { copy in group(copy.groups).flatMap { option.playlists[$0] } ?? nil }
        }
    }

    /// An option for audio, subtitles or captions: the renditions of one name and language in all groups.
    package struct Option: Sendable, Hashable {
        package var kind: Rendition.Kind
        package var name: String
        /// The language tag (BCP 47), or nil if the playlist states none.
        package var language: String?
        package var isDefault: Bool
        package var isAutoselect: Bool
        package var isForced: Bool
        package var characteristics: [String]
        package var channels: Int?
        /// The caption service, `CC1`…`SERVICE63`.
        package var instreamID: String?
        /// The playlist in each group. nil means that the media is in the variant itself.
        package var playlists: [String: URL?]
    }

    package let url: URL
    package let multivariant: MultivariantPlaylist?
    /// The variants, the least demanding first.
    package private(set) var variants: [VariantSource]
    package private(set) var audio: [Option]
    package let subtitles: [Option]
    package let captions: [Option]
    /// The I-frame variants, the least demanding first.
    package let iFrames: [VariantSource]

    /// Returns a presentation with only one variant.
    /// - Parameter hasSeparateAudio: Whether the audio options are kept. Otherwise, only the audio inside the variant is.
    package func only(_ source: VariantSource, hasSeparateAudio: Bool) -> HLSPresentation {
        var result = self
        result.variants = [source]
        if !hasSeparateAudio { result.audio = [] }
        return result
    }

    /// Creates the presentation of a stream that is a single media playlist.
    init(single url: URL) {
        self.url = url
        multivariant = nil
        variants = [VariantSource(attributes: AdaptationVariant(peakBitRate: 0), copies: [.init(url: url)])]
        audio = []
        subtitles = []
        captions = []
        iFrames = []
    }

    /// Creates the presentation of a multivariant playlist.
    /// - Parameter canDecode: Returns whether a codec with this RFC 6381 name can be decoded.
    /// - Throws: An error if no variant has a valid URL or can be decoded.
    init(_ playlist: MultivariantPlaylist, canDecode: (String) -> Bool) throws(AVError) {
        url = playlist.url
        multivariant = playlist
        let all = playlist.variants.filter { $0.url != nil }
        guard !all.isEmpty else {
            throw AVError(
                .playlistInvalid, at: playlist.url.absoluteString,
                reason: "the playlist has no variant with a valid URL")
        }
        let playable = all.filter { $0.codecs.allSatisfy(canDecode) }
        guard !playable.isEmpty else {
            let codecs = Set(all.flatMap(\.codecs)).sorted().joined(separator: ", ")
            throw AVError(
                .decoderNotFound, at: playlist.url.absoluteString,
                reason: "no decoder is installed for any of the stream's variants (\(codecs))",
                suggestion: DecoderPackage.suggestion(for: all.flatMap(\.codecs), canConvert: false))
        }
        // If some variants have video, switching to one with only audio would make the video disappear.
        let withVideo = playable.filter(HLSPresentation.hasVideo)
        let chosen = withVideo.isEmpty ? playable : withVideo
        variants = HLSPresentation.merge(chosen, preferredPathway: playlist.contentSteering?.pathwayID)
        iFrames = HLSPresentation.merge(
            playlist.iFrameVariants.filter { $0.url != nil && $0.codecs.allSatisfy(canDecode) }, preferredPathway: nil)
        audio = HLSPresentation.options(.audio, playlist, groups: Set(chosen.compactMap(\.groups.audio)))
        subtitles = HLSPresentation.options(.subtitles, playlist, groups: Set(chosen.compactMap(\.groups.subtitles)))
        captions = HLSPresentation.options(
            .closedCaptions, playlist,
            groups: Set(
                chosen.compactMap {
                    if case .group(let id) = $0.groups.closedCaptions { id } else { nil }
                }))
    }

    private static func hasVideo(_ variant: Variant) -> Bool {
        if variant.video.resolution != nil || variant.video.frameRate != nil { return true }
        if variant.codecs.isEmpty { return true }
        let audioCodecs = ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "Opus", "flac", "fLaC", "alac", "dts"]
        return !variant.codecs.allSatisfy { codec in audioCodecs.contains { codec.hasPrefix($0) } }
    }

    private struct Identity: Hashable {
        var bandwidth: Int
        var resolution: Variant.Resolution?
        var codecs: [String]
        var frameRate: Double?
        var range: Variant.VideoRange
    }

    private static func merge(_ variants: [Variant], preferredPathway: String?) -> [VariantSource] {
        var order: [Identity] = []
        var found: [Identity: VariantSource] = [:]
        // Variants with and without high dynamic range are not mixed. SDR is preferred, or else the first range.
        let range = variants.first { $0.video.range == .sdr }?.video.range ?? variants.first?.video.range
        for variant in variants where variant.video.range == range {
            guard let url = variant.url else { continue }
            let identity = Identity(
                bandwidth: variant.bandwidth, resolution: variant.video.resolution, codecs: variant.codecs,
                frameRate: variant.video.frameRate, range: variant.video.range)
            if var known = found[identity] {
                if !known.playlists.contains(url) {
                    let index = variant.pathwayID == preferredPathway ? 0 : known.copies.count
                    known.copies.insert(.init(url: url, groups: variant.groups), at: index)
                }
                found[identity] = known
            } else {
                order.append(identity)
                found[identity] = VariantSource(
                    attributes: AdaptationVariant(
                        peakBitRate: variant.bandwidth, averageBitRate: variant.averageBandwidth,
                        resolution: variant.video.resolution, frameRate: variant.video.frameRate, codecs: variant.codecs
                    ),
                    copies: [.init(url: url, groups: variant.groups)], frameRate: variant.video.frameRate)
            }
        }
        return order.compactMap { found[$0] }.sorted { $0.attributes.sustainedBitRate < $1.attributes.sustainedBitRate }
    }

    private static func options(_ kind: Rendition.Kind, _ playlist: MultivariantPlaylist, groups: Set<String>)
        -> [Option]
    {
        var all: [Option] = []
        for rendition in playlist.renditions where rendition.kind == kind && groups.contains(rendition.groupID) {
            let language = rendition.language.flatMap { LanguageTag($0)?.description }
            if let index = all.firstIndex(where: {
                $0.name == rendition.name && $0.language == language && $0.instreamID == rendition.instreamID
            }) {
                all[index].playlists[rendition.groupID] = .some(rendition.url)
            } else {
                all.append(
                    Option(
                        kind: kind, name: rendition.name, language: language, isDefault: rendition.isDefault,
                        isAutoselect: rendition.isAutoselect || rendition.isDefault, isForced: rendition.isForced,
                        characteristics: rendition.characteristics, channels: rendition.channelCount,
                        instreamID: rendition.instreamID,
                        playlists: [rendition.groupID: rendition.url]))
            }
        }
        return all
    }

    /// The audio of a group that plays while an option is selected.
    struct GroupAudio {
        /// The playlist, or nil if the audio is in the variant itself.
        var playlist: URL?
        /// Whether the group contains the selected option. Otherwise, another option replaces it.
        var isSelected: Bool
    }

    /// Returns the audio that plays in each group while an option is selected.
    ///
    /// RFC 8216 §4.3.4.2.1 requires the same renditions in all groups, but FFmpeg gives each group a name of its own.
    /// In a group without the option, an option in the same language replaces it, or else the group's default.
    /// - Parameter index: An index in `audio`.
    func groupAudio(selecting index: Int) -> [String: GroupAudio] {
        guard audio.indices.contains(index) else { return [:] }
        let selected = audio[index]
        var members: [String: [Option]] = [:]
        for option in audio { for group in option.playlists.keys { members[group, default: []].append(option) } }
        var result: [String: GroupAudio] = [:]
        for (group, options) in members {
            if let own = selected.playlists[group] {
                result[group] = GroupAudio(playlist: own, isSelected: true)
                continue
            }
            let sameLanguage = options.filter { $0.language == selected.language }
            let sameKind = sameLanguage.filter { $0.characteristics == selected.characteristics }
            let choice = [sameKind, sameLanguage, options].lazy.compactMap(StreamSelection.automaticOption).first
            guard let choice else { continue }
            result[group] = GroupAudio(playlist: choice.playlists[group] ?? nil, isSelected: false)
        }
        return result
    }
}

/// The selection of a stream's audio.
package struct StreamSelection: Sendable, Hashable {
    package enum Choice: Sendable, Hashable {
        case automatic
        /// The preferred languages (BCP 47), in order of preference.
        case languages([String])
        /// An index in `HLSPresentation.audio`.
        case option(Int)
        /// No rendition. For audio, the same as `automatic`.
        case none
    }
    package var audio = Choice.automatic
    package init(audio: Choice = .automatic) { self.audio = audio }

    /// Returns the option to play, or nil for the audio in the variant itself.
    package func audioOption(in options: [HLSPresentation.Option]) -> Int? {
        guard let automatic = Self.automaticIndex(in: options) else { return nil }
        switch audio {
        case .automatic, .none: return automatic
        case .option(let index): return options.indices.contains(index) ? index : automatic
        case .languages(let wanted):
            return LanguageTag.bestMatch(for: wanted, among: options.map(\.language)) ?? automatic
        }
    }

    /// Returns the option that plays if none is selected.
    static func automaticOption(in options: [HLSPresentation.Option]) -> HLSPresentation.Option? {
        automaticIndex(in: options).map { options[$0] }
    }

    private static func automaticIndex(in options: [HLSPresentation.Option]) -> Int? {
        options.firstIndex(where: \.isDefault) ?? options.firstIndex(where: \.isAutoselect) ?? options.indices.first
    }

    /// Whether an option or a language is selected.
    var isExplicit: Bool {
        switch audio {
        case .automatic, .none: false
        case .languages, .option: true
        }
    }
}
