import Foundation

/// A multivariant playlist while it is being parsed.
struct MultivariantReading {
    var playlist: MultivariantPlaylist
    /// The variant of an `EXT-X-STREAM-INF` whose URI has not been read yet.
    var variant: Variant?

    init(url: URL) { playlist = MultivariantPlaylist(url: url) }
}

extension PlaylistParser {
    mutating func readMultivariantTag(_ tag: PlaylistTag, _ content: Bytes, _ value: Bytes) throws(PlaylistError) {
        readAttributes(value)
        switch tag {
        case .streamInf:
            dropOpenVariant()
            multivariant.variant = try variant("EXT-X-STREAM-INF", uri: "")
        case .iFrameStreamInf:
            guard let uri = try uri("URI") else { return warn("EXT-X-I-FRAME-STREAM-INF has no URI") }
            multivariant.playlist.iFrameVariants.append(try variant("EXT-X-I-FRAME-STREAM-INF", uri: uri))
        case .media: try readRendition(content)
        case .sessionData:
            guard let id = try string("DATA-ID") else { return keep(content) }
            var datum = SessionDatum(dataID: id, value: try string("VALUE"), uri: try uri("URI"))
            if attributes["FORMAT"]?.value.trimmed.equals("RAW") == true { datum.format = .raw }
            datum.language = try string("LANGUAGE")
            multivariant.playlist.sessionData.append(datum)
        case .sessionKey:
            guard let key = try encryptionKey("EXT-X-SESSION-KEY") else { return keep(content) }
            multivariant.playlist.sessionKeys.append(key)
        case .contentSteering:
            guard let server = try uri("SERVER-URI") else { return keep(content) }
            multivariant.playlist.contentSteering = ContentSteering(
                serverURI: server, pathwayID: try string("PATHWAY-ID"))
        default: break
        }
    }

    mutating func readVariantURI(_ content: Bytes) throws(PlaylistError) {
        guard var variant = multivariant.variant else { return warn("the URI has no EXT-X-STREAM-INF before it") }
        variant.uri = try uri(content)
        multivariant.variant = nil
        multivariant.playlist.variants.append(variant)
    }

    mutating func finishMultivariant() throws(PlaylistError) -> MultivariantPlaylist {
        dropOpenVariant()
        var playlist = multivariant.playlist
        playlist.common = common
        let isEmpty =
            playlist.variants.isEmpty && playlist.iFrameVariants.isEmpty && playlist.renditions.isEmpty
            && playlist.sessionData.isEmpty && playlist.sessionKeys.isEmpty && playlist.contentSteering == nil
        if isEmpty, let last = common.warnings.entries.last {
            // Everything that the playlist was meant to contain has been rejected with warnings.
            throw PlaylistError(url: url, line: last.line, reason: last.reason)
        }
        if let importLine {
            throw PlaylistError(
                url: url, line: importLine,
                reason: "a multivariant playlist can't import variables; only a media playlist can")
        }
        return playlist
    }

    private mutating func dropOpenVariant() {
        guard multivariant.variant != nil else { return }
        multivariant.variant = nil
        warn("the previous EXT-X-STREAM-INF has no URI")
    }

    private mutating func variant(_ tag: String, uri: String) throws(PlaylistError) -> Variant {
        // A variant without a bandwidth counts as the one with the lowest.
        let bandwidth = attributes.integer("BANDWIDTH")
        if bandwidth == nil { warn("\(tag) has no BANDWIDTH in bits per second") }
        var variant = Variant(uri: uri, base: url, bandwidth: bandwidth ?? 0)
        variant.averageBandwidth = attributes.integer("AVERAGE-BANDWIDTH")
        variant.score = attributes.amount("SCORE")
        variant.codecs = try list("CODECS")
        variant.supplementalCodecs = try list("SUPPLEMENTAL-CODECS")
        variant.video.resolution = attributes["RESOLUTION"].flatMap { Self.resolution($0.value.trimmed) }
        variant.video.frameRate = attributes.amount("FRAME-RATE")
        variant.hdcpLevel = try string("HDCP-LEVEL")
        if let range = try string("VIDEO-RANGE") {
            variant.video.range = Variant.VideoRange(rawValue: range) ?? .unknown
        }
        variant.allowedCPC = try string("ALLOWED-CPC")
        variant.video.requiredLayout = try string("REQ-VIDEO-LAYOUT")
        variant.stableVariantID = try string("STABLE-VARIANT-ID")
        variant.groups.audio = try string("AUDIO")
        variant.groups.video = try string("VIDEO")
        variant.groups.subtitles = try string("SUBTITLES")
        if let captions = attributes["CLOSED-CAPTIONS"] {
            variant.groups.closedCaptions =
                !captions.isQuoted && captions.value.equals("NONE")
                ? Variant.ClosedCaptions.none : .group(try string(of: captions))
        }
        variant.pathwayID = try string("PATHWAY-ID") ?? "."
        variant.name = try string("NAME")
        variant.otherAttributes = try others(than: Self.variantAttributes)
        return variant
    }

    private mutating func readRendition(_ content: Bytes) throws(PlaylistError) {
        let uri = try uri("URI")
        guard let type = try string("TYPE") else { return warn("EXT-X-MEDIA has no TYPE") }
        guard let kind = Rendition.Kind(rawValue: type) else { return keep(content) }
        // Without a group, no variant can refer to the rendition.
        guard let group = try string("GROUP-ID"), !group.isEmpty else { return warn("EXT-X-MEDIA has no GROUP-ID") }
        var rendition = Rendition(
            kind: kind, groupID: group, name: try string("NAME") ?? "",
            uri: kind == .closedCaptions ? nil : uri, base: url)
        rendition.language = try string("LANGUAGE")
        rendition.assocLanguage = try string("ASSOC-LANGUAGE")
        rendition.isDefault = attributes.isYes("DEFAULT")
        rendition.isAutoselect = attributes.isYes("AUTOSELECT")
        rendition.isForced = attributes.isYes("FORCED")
        rendition.instreamID = try string("INSTREAM-ID")
        rendition.characteristics = try list("CHARACTERISTICS")
        rendition.audio.channels = try string("CHANNELS")
        rendition.stableRenditionID = try string("STABLE-RENDITION-ID")
        rendition.audio.bitDepth = attributes.integer("BIT-DEPTH")
        rendition.audio.sampleRate = attributes.integer("SAMPLE-RATE")
        rendition.otherAttributes = try others(than: Self.renditionAttributes)
        multivariant.playlist.renditions.append(rendition)
    }

    /// Parses a resolution such as `1920x1080`. Returns nil if it is not a valid size.
    private static func resolution(_ text: Bytes) -> Variant.Resolution? {
        guard let cross = text.position(of: 0x78) ?? text.position(of: 0x58),
            let width = text.slice(0, cross).trimmed.integer, let height = text.slice(cross + 1).trimmed.integer,
            (1...1_000_000).contains(width), (1...1_000_000).contains(height)
        else { return nil }
        return Variant.Resolution(width: width, height: height)
    }

    private static let variantAttributes: [StaticString] = [
        "URI", "BANDWIDTH", "AVERAGE-BANDWIDTH", "SCORE", "CODECS", "SUPPLEMENTAL-CODECS", "RESOLUTION", "FRAME-RATE",
        "HDCP-LEVEL",
        "VIDEO-RANGE", "ALLOWED-CPC", "REQ-VIDEO-LAYOUT", "STABLE-VARIANT-ID", "AUDIO", "VIDEO", "SUBTITLES",
        "CLOSED-CAPTIONS",
        "PATHWAY-ID", "NAME",
    ]
    private static let renditionAttributes: [StaticString] = [
        "TYPE", "URI", "GROUP-ID", "LANGUAGE", "ASSOC-LANGUAGE", "NAME", "DEFAULT", "AUTOSELECT", "FORCED",
        "INSTREAM-ID",
        "CHARACTERISTICS", "CHANNELS", "STABLE-RENDITION-ID", "BIT-DEPTH", "SAMPLE-RATE",
    ]
}
