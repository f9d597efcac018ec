import Foundation

/// A namespace for suggestions about decoders that the installed FFmpeg lacks. Some systems leave out patented codecs.
package enum DecoderPackage {
    /// The codecs that some systems leave out: the name of each in FFmpeg, and the prefixes of its names in an HLS
    /// playlist (RFC 6381).
    private static let restricted = [
        "h264": ["avc1", "avc3"], "hevc": ["hvc1", "hev1", "dvh1", "dvhe"], "vc1": [], "wmv3": [],
        "vvc": ["vvc1", "vvi1"],
    ]

    /// Returns the suggestion for an error about codecs, which are named as in FFmpeg or in an HLS playlist.
    /// - Parameter canConvert: Whether the user has the media as a file.
    package static func suggestion(for codecs: [String], canConvert: Bool = true) -> String {
        suggestion(for: codecs, canConvert: canConvert, on: .current)
    }

    static func suggestion(for codecs: [String], canConvert: Bool, on system: System) -> String {
        let isRestricted = codecs.contains { codec in
            restricted.contains { $0.key == codec || $0.value.contains { codec.lowercased().hasPrefix($0) } }
        }
        let package: String? =
            switch system {
            case .fedora where isRestricted: "the package libavcodec-freeworld from RPM Fusion"
            case .flatpak where isRestricted: "the Flatpak extension org.freedesktop.Platform.ffmpeg-full"
            default: nil
            }
        let install = package ?? "an FFmpeg build that has the decoder"
        return canConvert ? "Install \(install), or convert the file to another codec" : "Install \(install)"
    }

    /// The kind of system. On all but `other`, a known package provides the codecs that the system's FFmpeg lacks.
    enum System: Equatable {
        case fedora, flatpak, other

        static var current: System {
            System(
                isFlatpak: FileManager.default.fileExists(atPath: "/.flatpak-info"),
                release: (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? "")
        }

        /// Creates the system that the arguments describe.
        /// - Parameter release: The text of `/etc/os-release`.
        init(isFlatpak: Bool, release: String) {
            let identifiers = release.split(separator: "\n").filter { $0.hasPrefix("ID=") || $0.hasPrefix("ID_LIKE=") }
                .flatMap { $0.drop { $0 != "=" }.dropFirst().split { "\"' ".contains($0) } }
            self = isFlatpak ? .flatpak : identifiers.contains("fedora") ? .fedora : .other
        }
    }
}
