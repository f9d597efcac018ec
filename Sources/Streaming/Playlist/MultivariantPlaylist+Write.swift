extension MultivariantPlaylist {
    /// The playlist as text, which `Playlist.parse` reads back as the same value.
    package var text: String {
        var writer = PlaylistWriter()
        writer.head(common)
        for tag in common.otherTags { writer.line(tag) }
        if let contentSteering {
            var attributes = AttributeWriter()
            attributes.quoted("SERVER-URI", contentSteering.serverURI)
            attributes.quoted("PATHWAY-ID", contentSteering.pathwayID)
            writer.line("#EXT-X-CONTENT-STEERING:" + attributes.text)
        }
        for datum in sessionData {
            var attributes = AttributeWriter()
            attributes.quoted("DATA-ID", datum.dataID)
            attributes.quoted("VALUE", datum.value)
            attributes.quoted("URI", datum.uri)
            if datum.format == .raw { attributes.plain("FORMAT", "RAW") }
            attributes.quoted("LANGUAGE", datum.language)
            writer.line("#EXT-X-SESSION-DATA:" + attributes.text)
        }
        for key in sessionKeys { writer.key("EXT-X-SESSION-KEY", key) }
        for rendition in renditions { writer.line("#EXT-X-MEDIA:" + rendition.attributes) }
        for variant in variants {
            writer.line("#EXT-X-STREAM-INF:" + variant.attributes.text)
            writer.line(variant.uri)
        }
        for variant in iFrameVariants {
            var attributes = variant.attributes
            attributes.quoted("URI", variant.uri)
            writer.line("#EXT-X-I-FRAME-STREAM-INF:" + attributes.text)
        }
        return writer.text
    }
}

extension Variant {
    fileprivate var attributes: AttributeWriter {
        var attributes = AttributeWriter()
        attributes.integer("BANDWIDTH", bandwidth)
        attributes.integer("AVERAGE-BANDWIDTH", averageBandwidth)
        attributes.number("SCORE", score)
        attributes.list("CODECS", codecs)
        attributes.list("SUPPLEMENTAL-CODECS", supplementalCodecs)
        if let resolution = video.resolution {
            attributes.plain("RESOLUTION", "\(resolution.width)x\(resolution.height)")
        }
        attributes.number("FRAME-RATE", video.frameRate)
        attributes.word("HDCP-LEVEL", hdcpLevel)
        if video.range != .sdr {
            attributes.plain("VIDEO-RANGE", video.range == .unknown ? "UNKNOWN" : video.range.rawValue)
        }
        attributes.quoted("ALLOWED-CPC", allowedCPC)
        attributes.quoted("REQ-VIDEO-LAYOUT", video.requiredLayout)
        attributes.quoted("STABLE-VARIANT-ID", stableVariantID)
        attributes.quoted("AUDIO", groups.audio)
        attributes.quoted("VIDEO", groups.video)
        attributes.quoted("SUBTITLES", groups.subtitles)
        switch groups.closedCaptions {
        case .some(.none): attributes.plain("CLOSED-CAPTIONS", "NONE")
        case .group(let group): attributes.quoted("CLOSED-CAPTIONS", group)
        case nil: break
        }
        if pathwayID != "." { attributes.quoted("PATHWAY-ID", pathwayID) }
        attributes.quoted("NAME", name)
        attributes.others(otherAttributes)
        return attributes
    }
}

extension Rendition {
    fileprivate var attributes: String {
        var attributes = AttributeWriter()
        attributes.plain("TYPE", kind.rawValue)
        attributes.quoted("GROUP-ID", groupID)
        attributes.quoted("NAME", name)
        attributes.quoted("LANGUAGE", language)
        attributes.quoted("ASSOC-LANGUAGE", assocLanguage)
        attributes.flag("DEFAULT", isDefault)
        attributes.flag("AUTOSELECT", isAutoselect)
        attributes.flag("FORCED", isForced)
        attributes.quoted("INSTREAM-ID", instreamID)
        attributes.list("CHARACTERISTICS", characteristics)
        attributes.quoted("CHANNELS", audio.channels)
        attributes.quoted("STABLE-RENDITION-ID", stableRenditionID)
        attributes.integer("BIT-DEPTH", audio.bitDepth)
        attributes.integer("SAMPLE-RATE", audio.sampleRate)
        attributes.quoted("URI", uri)
        attributes.others(otherAttributes)
        return attributes.text
    }
}
