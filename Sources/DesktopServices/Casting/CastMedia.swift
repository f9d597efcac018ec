import CGIO
import CGUPnP
import Foundation
import MediaCore
import MediaEngine

/// The media that a renderer plays: a URL that the renderer can load, and a description (DIDL-Lite).
///
/// While the object is open, a local file is served on the renderer's network, with its subtitles (a file beside it, or
/// a track inside). Nothing else is served, and the URLs contain random numbers.
@MainActor
final class CastMedia {
    let address: String
    /// The description in DIDL-Lite (ContentDirectory:1 §2.8).
    let words: String
    private let context: UnsafeMutableRawPointer
    private var hosted: [String] = []
    /// The temporary file with subtitles from inside the media, deleted by `close()`.
    private let subtitleFile: URL?

    init(_ item: AVPlayerItem, for renderer: Renderer) async throws(AVError) {
        let metadata = item.metadata(over: (try? await item.asset.load(.metadata)) ?? [])
        let supportedTypes = await renderer.takes()
        context = renderer.context
        var hosted: [String] = []
        let url = item.asset.url
        let type = CastMedia.type(of: url)
        if url.isFileURL {
            address = try CastMedia.host(url, in: context, &hosted)
        } else {
            address = try CastMedia.reachable(item.asset)
        }
        // No later step of this initializer throws, so `close()` will delete the temporary file.
        let subtitleFile = await CastMedia.embedded(item, supportedTypes)
        self.subtitleFile = subtitleFile?.url
        var subtitles: (address: String, type: String)?
        if let file = CastMedia.subtitles(of: item, supportedTypes) ?? subtitleFile {
            subtitles = (try? CastMedia.host(file.url, in: context, &hosted)).map { ($0, file.type) }
        }
        self.hosted = hosted
        words = CastMedia.describe(item, metadata, address, type, subtitles)
        // Retain the context last: if an earlier step throws, `close()` does not run.
        g_object_ref(context)
    }
    isolated deinit { close() }

    /// Stops serving the files. A second call has no effect.
    func close() {
        for path in hosted { UPnPLibrary.calls?.pointee.gupnp_context_unhost_path(context, path) }
        hosted = []
        if let subtitleFile { try? FileManager.default.removeItem(at: subtitleFile.deletingLastPathComponent()) }
        guard isOpen else { return }
        isOpen = false
        g_object_unref(context)
    }
    private var isOpen = true

    // MARK: URLs

    private static func host(_ file: URL, in context: UnsafeMutableRawPointer, _ hosted: inout [String]) throws(AVError)
        -> String
    {
        guard let path = FilePath(file), let status = path.status, status.st_mode & S_IFMT == S_IFREG, path.isReadable
        else {
            throw AVError(
                .notAFile, at: file.location, reason: "the file can't be cast: it is not a readable regular file",
                suggestion: "Choose a file that the current user can read")
        }
        guard let upnp = UPnPLibrary.calls?.pointee,
            let ip = upnp.gssdp_client_get_host_ip(context).map({ String(cString: $0) })
        else {
            throw AVError(
                .externalPlaybackFailed, at: "", reason: "the network connection to the cast device was lost",
                suggestion: "Connect to the cast device again")
        }
        // Use only the extension of the file's name, because some renderers recognize the type by it.
        let ending = path.pathExtension.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(8)
        let key = [UInt64.random(in: .min ... .max), .random(in: .min ... .max)].map { String($0, radix: 36) }.joined()
        let serverPath = "/zoetrope/\(key)/media" + (ending.isEmpty ? "" : ".\(ending)")
        let port = upnp.gupnp_context_get_port(context)
        path.withCString { upnp.gupnp_context_host_path(context, $0, serverPath) }
        hosted.append(serverPath)
        return "http://\(ip):\(port)\(serverPath)"
    }

    /// Returns the URL of a remote asset, if the renderer can load it without headers, cookies and passwords.
    private static func reachable(_ asset: AVURLAsset) throws(AVError) -> String {
        let url = asset.url
        let text = url.absoluteString
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? ""),
            let host = url.host(percentEncoded: false)?.lowercased(), !host.isEmpty
        else {
            throw AVError(
                .unsupportedURL, at: text,
                reason: "only files and http or https URLs can be cast")
        }
        if host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "::1"
            || host == "0.0.0.0"
        {
            throw AVError(
                .operationNotSupported, at: text,
                reason: "the URL is only valid on this computer, so the cast device can't load it",
                suggestion: "Use a URL with this computer's IP address in the local network")
        }
        if asset.needsOwnRequests || url.user != nil {
            throw AVError(
                .operationNotSupported, at: text,
                reason:
                    "the URL requires headers, cookies or a password that the cast device would not send",
                suggestion: "Use a URL that works without them, such as a signed URL")
        }
        return text
    }

    static func type(of url: URL) -> String {
        let own = [
            "m3u8": "application/vnd.apple.mpegurl", "mpd": "application/dash+xml", "ts": "video/mp2t",
            "m2ts": "video/mp2t", "mts": "video/mp2t", "srt": "text/srt", "vtt": "text/vtt",
        ]
        if let known = own[url.pathExtension.lowercased()] { return known }
        guard let guess = g_content_type_guess("media." + url.pathExtension, nil, 0, nil) else { return "video/mp4" }
        defer { g_free(guess) }
        guard let type = g_content_type_get_mime_type(guess) else { return "video/mp4" }
        defer { g_free(type) }
        let text = String(cString: type)
        return text.hasPrefix("video/") || text.hasPrefix("audio/") ? text : "video/mp4"
    }

    /// Returns the item's subtitle file, or the one beside the video, if the renderer supports its type.
    private static func subtitles(of item: AVPlayerItem, _ supportedTypes: Set<String>) -> (url: URL, type: String)? {
        var files: [URL] = []
        if let own = item.subtitleFile {
            files = [own]
        } else if item.asset.url.isFileURL {
            let stem = item.asset.url.deletingPathExtension()
            files = ["srt", "vtt"].map { stem.appendingPathExtension($0) }
        }
        for file in files where FilePath(file)?.isReadable == true {
            if let type = type(of: file.pathExtension.lowercased(), supportedTypes) { return (file, type) }
        }
        return nil
    }
    private static func type(of ending: String, _ supportedTypes: Set<String>) -> String? {
        let kinds = ["srt": ["text/srt", "application/x-subrip", "text/x-srt", "smi/caption"], "vtt": ["text/vtt"]]
        return kinds[ending]?.first { supportedTypes.contains($0) }.map { $0 == "smi/caption" ? "text/srt" : $0 }
    }

    /// Writes the selected subtitle track to a file of a type that the renderer supports, because few renderers read
    /// subtitles inside a video. Waits up to 5 s for the track, then casts without subtitles.
    private static func embedded(_ item: AVPlayerItem, _ supportedTypes: Set<String>) async -> (url: URL, type: String)?
    {
        guard subtitles(of: item, supportedTypes) == nil,
            let ending = ["srt", "vtt"].first(where: { type(of: $0, supportedTypes) != nil }),
            let type = type(of: ending, supportedTypes),
            let cues = await item.selectedSubtitleText(within: 5)
        else { return nil }
        // Only the owner may read the folder.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zoetrope-\(UUID().uuidString)", isDirectory: true)
        let file = folder.appendingPathComponent("words." + ending)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try Data((ending == "vtt" ? SubtitleText.webVTT : .subRip).file(cues).utf8).write(to: file)
            return (file, type)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            return nil
        }
    }

    // MARK: description

    private static func describe(
        _ item: AVPlayerItem, _ metadata: [AVMetadataItem], _ address: String, _ type: String,
        _ subtitles: (address: String, type: String)?
    ) -> String {
        // XML 1.0 cannot represent control characters.
        func written(_ text: String) -> String { text.filter { $0.unicodeScalars.allSatisfy { $0.value >= 32 } } }
        func text(_ keys: AVMetadataKey...) -> String? {
            for key in keys {
                if let found = metadata.first(where: { $0.commonKey == key })?.stringValue.map(written), !found.isEmpty
                {
                    return String(found.prefix(500))
                }
            }
            return nil
        }
        guard let upnp = UPnPLibrary.calls?.pointee, let writer = upnp.gupnp_didl_lite_writer_new(nil),
            let object = upnp.gupnp_didl_lite_writer_add_item(writer)
        else { return "" }
        defer { g_object_unref(writer) }
        defer { g_object_unref(object) }
        upnp.gupnp_didl_lite_object_set_id(object, "1")
        upnp.gupnp_didl_lite_object_set_parent_id(object, "0")
        upnp.gupnp_didl_lite_object_set_restricted(object, 1)
        let name = written(item.asset.url.deletingPathExtension().lastPathComponent)
        upnp.gupnp_didl_lite_object_set_title(
            object, text(.commonKeyTitle) ?? (name.isEmpty ? "Video" : String(name.prefix(200))))
        upnp.gupnp_didl_lite_object_set_upnp_class(
            object,
            type.hasPrefix("audio/") || item.isAudioOnly ? "object.item.audioItem.musicTrack" : "object.item.videoItem")
        if let artist = text(.commonKeyArtist, .commonKeyAuthor, .commonKeyCreator) {
            upnp.gupnp_didl_lite_object_set_creator(object, artist)
        }
        if let album = text(.commonKeyAlbumName) { upnp.gupnp_didl_lite_object_set_album(object, album) }

        guard let resource = upnp.gupnp_didl_lite_object_add_resource(object) else { return "" }
        defer { g_object_unref(resource) }
        upnp.gupnp_didl_lite_resource_set_uri(resource, address)
        // "01" states that the server supports byte ranges (DLNA Guidelines, DLNA.ORG_OP).
        if let info = upnp.gupnp_protocol_info_new_from_string(
            "http-get:*:\(type):" + (item.asset.url.isFileURL ? "DLNA.ORG_OP=01;DLNA.ORG_CI=0" : "*"), nil)
        {
            upnp.gupnp_didl_lite_resource_set_protocol_info(resource, info)
            g_object_unref(info)
        }
        // GUPnP takes the duration in whole seconds.
        if let duration = MediaTime(item.duration), duration > 0, duration.seconds < 1_000_000 {
            upnp.gupnp_didl_lite_resource_set_duration(resource, CLong(duration.seconds))
        }
        if let size = FilePath(item.asset.url)?.status?.st_size {
            upnp.gupnp_didl_lite_resource_set_size64(resource, gint64(size))
        }
        let size = item.presentationSize
        if size.width >= 1, size.height >= 1, size.width < 65_536, size.height < 65_536 {
            upnp.gupnp_didl_lite_resource_set_width(resource, Int32(size.width))
            upnp.gupnp_didl_lite_resource_set_height(resource, Int32(size.height))
        }
        if let subtitles {
            upnp.gupnp_didl_lite_resource_set_subtitle_file_uri(resource, subtitles.address)
            upnp.gupnp_didl_lite_resource_set_subtitle_file_type(resource, subtitles.type == "text/vtt" ? "vtt" : "srt")
            if let second = upnp.gupnp_didl_lite_object_add_resource(object) {
                upnp.gupnp_didl_lite_resource_set_uri(second, subtitles.address)
                if let info = upnp.gupnp_protocol_info_new_from_string("http-get:*:\(subtitles.type):*", nil) {
                    upnp.gupnp_didl_lite_resource_set_protocol_info(second, info)
                    g_object_unref(info)
                }
                g_object_unref(second)
            }
        }
        guard let whole = upnp.gupnp_didl_lite_writer_get_string(writer) else { return "" }
        defer { g_free(whole) }
        return String(cString: whole)
    }
}
