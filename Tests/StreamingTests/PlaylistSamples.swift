import Foundation
import Streaming
import Testing

/// Playlists that use many features, and generated playlists of any length.
enum PlaylistSamples {
    static func url(_ text: String = "https://media.example/show/index.m3u8?token=abc%20d") throws -> URL {
        try #require(URL(string: text))
    }

    static func parse(_ text: String, importing variables: [String: String] = [:]) throws -> Playlist {
        try Playlist.parse(Array(text.utf8), url: url(), importing: variables)
    }

    static func media(_ text: String, importing variables: [String: String] = [:]) throws -> MediaPlaylist {
        try MediaPlaylist.parse(Array(text.utf8), url: url(), importing: variables)
    }

    static func multivariant(_ text: String) throws -> MultivariantPlaylist {
        guard case .multivariant(let playlist) = try parse(text) else {
            throw PlaylistError(url: try url(), line: 0, reason: "not a multivariant playlist")
        }
        return playlist
    }

    /// Returns the error of parsing `text`. The test fails if there is none.
    static func failure(_ text: String, importing variables: [String: String] = [:]) throws -> PlaylistError {
        try #require(throws: PlaylistError.self) { try parse(text, importing: variables) }
    }

    static let multivariant = """
        #EXTM3U
        #EXT-X-VERSION:12
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-DEFINE:NAME="cdn",VALUE="https://cdn.example"
        #EXT-X-DEFINE:QUERYPARAM="token"
        #EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES
        #EXT-X-CONTENT-STEERING:SERVER-URI="/steer?v=1",PATHWAY-ID="cdn-a"
        #EXT-X-SESSION-DATA:DATA-ID="com.example.title",VALUE="A film",LANGUAGE="en"
        #EXT-X-SESSION-DATA:DATA-ID="com.example.more",URI="more.json",FORMAT=RAW
        #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://key",KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1/2"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="{$cdn}/en.m3u8",BIT-DEPTH=16,SAMPLE-RATE=48000
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Described",LANGUAGE="en",ASSOC-LANGUAGE="en-GB",CHARACTERISTICS="public.accessibility.describes-video,public.easy-to-read",CHANNELS="16/JOC",URI="ad.m3u8",X-EXTRA="1,2"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="Deutsch, erzwungen",LANGUAGE="de",FORCED=yes,URI="de.m3u8"
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="English",INSTREAM-ID="SERVICE3"
        #EXT-X-STREAM-INF:BANDWIDTH=1280000,AVERAGE-BANDWIDTH=1000000,CODECS="avc1.4d401f, mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,AUDIO="aac",SUBTITLES="subs",CLOSED-CAPTIONS="cc",PROGRAM-ID=1
        low/index.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=7680000,SCORE=2.5,CODECS="hvc1.2.4.L153.b0,mp4a.40.2",SUPPLEMENTAL-CODECS="dvh1.08.07/db4h",RESOLUTION=3840x2160,HDCP-LEVEL=TYPE-1,VIDEO-RANGE=PQ,AUDIO="aac",CLOSED-CAPTIONS=NONE,STABLE-VARIANT-ID="4k",PATHWAY-ID="cdn-a",NAME="4K",ALLOWED-CPC="com.example:hw",REQ-VIDEO-LAYOUT="CH-STEREO"
        {$cdn}/4k.m3u8?t={$token}
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=150000,CODECS="avc1.4d401f",RESOLUTION=1280x720,URI="iframes.m3u8"
        #EXT-X-SOMETHING-NEW:A=1

        """

    static let vod = """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-TARGETDURATION:6
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-MEDIA-SEQUENCE:10
        #EXT-X-DISCONTINUITY-SEQUENCE:3
        #EXT-X-VENDOR:1
        #EXT-X-MAP:URI="init.mp4",BYTERANGE="720@0"
        #EXT-X-KEY:METHOD=AES-128,URI="key1",IV=0x0000000000000000000000000000ABCD
        #EXT-X-KEY:METHOD=AES-128,URI="other",KEYFORMAT="com.example",KEYFORMATVERSIONS="1"
        #EXT-X-PROGRAM-DATE-TIME:2024-02-29T23:59:58.250+01:00
        #EXT-X-BITRATE:800
        #EXTINF:6.006,First, with a comma
        #EXT-X-BYTERANGE:1000@720
        all.mp4
        #EXTINF:6.006
        #EXT-X-BYTERANGE:500
        all.mp4
        #EXT-X-DISCONTINUITY
        #EXT-X-KEY:METHOD=NONE
        #EXT-X-MAP:URI="init2.mp4"
        #EXT-X-CUE-OUT:30
        #EXTINF:4,
        https://ads.example/1.m4s
        #EXT-X-GAP
        #EXTINF:2.5,
        /absolute/2.m4s
        #EXT-X-DATERANGE:ID="ad",CLASS="ads",START-DATE="2024-03-01T00:00:00Z",DURATION=30,PLANNED-DURATION=31.5,CUE="PRE,ONCE",X-ASSET-URI="ad.m3u8",SCTE35-OUT=0xFC00
        #EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="data:text/plain;base64,AA==",KEYFORMAT="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"
        #EXTINF:6,
        last.m4s
        #EXT-X-ENDLIST

        """

    static let lowLatency = """
        #EXTM3U
        #EXT-X-VERSION:9
        #EXT-X-TARGETDURATION:4
        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,CAN-SKIP-UNTIL=24.0,HOLD-BACK=12.5,CAN-SKIP-DATERANGES=YES
        #EXT-X-PART-INF:PART-TARGET=0.33334
        #EXT-X-MEDIA-SEQUENCE:266
        #EXT-X-PROGRAM-DATE-TIME:2019-02-14T02:13:36.106Z
        #EXT-X-MAP:URI="init.mp4"
        #EXTINF:4.00008,
        fileSequence266.mp4
        #EXTINF:4.00008,
        fileSequence267.mp4
        #EXT-X-PART:DURATION=0.33334,URI="filePart268.mp4",BYTERANGE="20000@0",INDEPENDENT=YES
        #EXT-X-PART:DURATION=0.33334,URI="filePart268.mp4",BYTERANGE="21000"
        #EXT-X-PART:DURATION=0.33334,URI="filePart268.c.mp4",GAP=YES
        #EXTINF:4.00008,
        fileSequence268.mp4
        #EXT-X-PART:DURATION=0.33334,URI="filePart269.a.mp4",INDEPENDENT=YES
        #EXT-X-PART:DURATION=0.33334,URI="filePart269.b.mp4"
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="filePart269.c.mp4",BYTERANGE-START=100,BYTERANGE-LENGTH=2000
        #EXT-X-PRELOAD-HINT:TYPE=MAP,URI="next.mp4"
        #EXT-X-RENDITION-REPORT:URI="../1M/index.m3u8",LAST-MSN=269,LAST-PART=1
        #EXT-X-RENDITION-REPORT:URI="../4M/index.m3u8",LAST-MSN=268

        """

    /// Returns the segments `range` of an endless stream, as a server with a moving window writes them.
    static func live(
        _ range: Range<Int>, kind: String? = nil, isEnded: Bool = false, head: [String] = [],
        segment: (Int) -> String = plainSegment
    ) -> String {
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:6", "#EXT-X-MEDIA-SEQUENCE:\(range.lowerBound)",
        ]
        if let kind { lines.append("#EXT-X-PLAYLIST-TYPE:\(kind)") }
        lines += head
        lines += range.map(segment)
        if isEnded { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    static func plainSegment(_ number: Int) -> String { "#EXTINF:6.0,\nsegment-\(number).ts" }
}
