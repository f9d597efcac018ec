import Testing

@testable import MediaCore

@Suite("Suggestions about missing decoders")
struct DecoderPackageTests {
    @Test(
        "systems are recognized by os-release and Flatpak's file",
        arguments: [
            (false, "NAME=\"Fedora Linux\"\nID=fedora\nVERSION_ID=42\n", DecoderPackage.System.fedora),
            (false, "ID=nobara\nID_LIKE=\"rhel fedora\"\n", .fedora), (false, "ID='fedora'", .fedora),
            (false, "ID=debian\nVARIANT_ID=fedora\n", .other), (false, "", .other),
            (true, "ID=org.gnome.Platform\n", .flatpak), (true, "ID=fedora\n", .flatpak),
        ])
    func systems(isFlatpak: Bool, release: String, expected: DecoderPackage.System) {
        #expect(DecoderPackage.System(isFlatpak: isFlatpak, release: release) == expected)
    }

    @Test(
        "Fedora's missing codecs name RPM Fusion's package", arguments: ["h264", "hevc", "avc1.64001f", "hvc1.1.6.L93"])
    func fedora(codec: String) {
        #expect(
            DecoderPackage.suggestion(for: [codec], canConvert: true, on: .fedora)
                == "Install the package libavcodec-freeworld from RPM Fusion, or convert the file to another codec")
        #expect(
            DecoderPackage.suggestion(for: [codec], canConvert: false, on: .flatpak)
                == "Install the Flatpak extension org.freedesktop.Platform.ffmpeg-full")
    }

    @Test("other codecs and systems name no package", arguments: [DecoderPackage.System.fedora, .flatpak, .other])
    func others(system: DecoderPackage.System) {
        let text = "Install an FFmpeg build that has the decoder, or convert the file to another codec"
        #expect(DecoderPackage.suggestion(for: ["bink"], canConvert: true, on: system) == text)
        #expect(DecoderPackage.suggestion(for: [], canConvert: true, on: system) == text)
        #expect(DecoderPackage.suggestion(for: ["h264"], canConvert: true, on: .other) == text)
    }
}
