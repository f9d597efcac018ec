import Foundation
import TestSupport
import Testing

/// The gallery as its references show it: every player stands at one second, nothing moves or blinks, and whatever the
/// machine could bring in (fonts, theme, settings, scale) is said.
final class ReferenceGallery: @unchecked Sendable {
    /// "make" or "compare": what is to be done with the references.
    static let task = ProcessInfo.processInfo.environment["ZOETROPE_REFERENCES"]

    // Used by one test at a time.
    struct Size: Hashable, Sendable, CustomStringConvertible {
        let description: String
        let width: Int, height: Int
        static let all = [
            Size(description: "wide", width: 1200, height: 760), Size(description: "narrow", width: 480, height: 760),
        ]
    }

    /// A way that every page is shown.
    struct Variant: Hashable, Sendable, CustomStringConvertible {
        let isDark: Bool, size: Size, scale: Int
        /// For example “dark-narrow@2”.
        var description: String { "\(isDark ? "dark" : "light")-\(size)@\(scale)" }
        /// Whether an image is kept besides the text: of either size and either appearance one.
        var hasImage: Bool { scale == 1 && (size == Size.all[0]) != isDark }
        static let all = [1, 2].flatMap { scale in
            Size.all.flatMap { size in
                [false, true].map { Variant(isDark: $0, size: size, scale: scale) }
            }
        }
    }

    let display: SizedDisplay
    let app: AppProcess
    private let window: String
    private let scale: Int
    private let folder: URL
    private var requests = 0

    init(scale: Int, isDark: Bool) async throws {
        self.scale = scale
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-reference-\(UUID().uuidString.prefix(8))")
        let environment = try Self.settle(folder)
        let display = try await offPool { try SizedDisplay(width: 1200 * scale, height: 760 * scale) }
        self.display = display
        // Nothing is under the pointer there.
        try display.xdotool(["mousemove", "\(1200 * scale - 1)", "\(760 * scale - 1)"])
        app = try AppProcess(
            "Gallery", ["--still", "1"] + (isDark ? ["--dark"] : []),
            whole: display.environment.merging(environment) { $1 }
                .merging([
                    "GDK_SCALE": "\(scale)", "ZOETROPE_RENDERER": "cpu", "PULSE_SERVER": "unix:/nonexistent",
                ]) { $1 })
        let found = try await until { () -> String? in
            let all = try display.xdotool(["search", "--onlyvisible", "--name", "Zoetrope Gallery"])
            return all.split(separator: "\n").first.map(String.init)
        }
        guard let found else { throw AppProcess.NoAnswer(what: "no window: \(app.errors)") }
        window = found
        try display.xdotool(["windowfocus", "--sync", window])
    }

    deinit {
        display.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Fonts, theme and settings of its own, in `folder`.
    private static func settle(_ folder: URL) throws -> [String: String] {
        let files = FileManager.default
        let (fonts, config) = (folder.appendingPathComponent("fonts"), folder.appendingPathComponent("config"))
        try files.createDirectory(at: fonts, withIntermediateDirectories: true)
        try files.createDirectory(at: config.appendingPathComponent("gtk-4.0"), withIntermediateDirectories: true)
        // Those of fonts-dejavu-core; a machine may have more of the family.
        for name in ["DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono", "DejaVuSansMono-Bold"] {
            try files.createSymbolicLink(
                atPath: fonts.appendingPathComponent("\(name).ttf").path,
                withDestinationPath: "/usr/share/fonts/truetype/dejavu/\(name).ttf")
        }
        try """
        <?xml version="1.0"?>
        <!DOCTYPE fontconfig SYSTEM "fonts.dtd">
        <fontconfig>
          <dir>\(fonts.path)</dir>
          <cachedir>\(folder.path)/cache</cachedir>
          <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
          <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
        </fontconfig>
        """.write(to: folder.appendingPathComponent("fonts.conf"), atomically: true, encoding: .utf8)
        try """
        [Settings]
        gtk-enable-animations=false
        gtk-cursor-blink=false
        gtk-theme-name=Adwaita
        gtk-icon-theme-name=Adwaita
        gtk-font-name=DejaVu Sans 10
        gtk-xft-antialias=1
        gtk-xft-hinting=1
        gtk-xft-hintstyle=hintslight
        gtk-xft-rgba=none
        gtk-xft-dpi=98304
        """.write(to: config.appendingPathComponent("gtk-4.0/settings.ini"), atomically: true, encoding: .utf8)
        return [
            "FONTCONFIG_FILE": folder.appendingPathComponent("fonts.conf").path, "XDG_CONFIG_HOME": config.path,
            "HOME": folder.path, "GSK_RENDERER": "cairo", "GTK_THEME": "", "GDK_DPI_SCALE": "1", "GTK_A11Y": "none",
            "LC_ALL": "C.UTF-8", "TZ": "UTC",
        ]
    }

    /// Makes the window another size, and waits until it has it.
    func resize(_ size: Size) async throws {
        let (display, window, scale) = (display, window, scale)
        try display.xdotool(["windowmove", window, "0", "0"])
        try display.xdotool(["windowsize", window, "\(size.width * scale)", "\(size.height * scale)"])
        _ = try await until {
            let geometry = try display.xdotool(["getwindowgeometry", "--shell", window])
            return geometry.contains("WIDTH=\(size.width * scale)\n") ? true : nil
        }
    }

    /// Title of the page that is shown.
    func title() throws -> String {
        let name = try display.xdotool(["getwindowname", window])
        return name.hasPrefix("Zoetrope Gallery: ") ? String(name.dropFirst(18)) : ""
    }

    /// Goes to the page after this one; its title.
    func next() async throws -> String {
        let old = try title()
        try display.xdotool(["key", "ctrl+Next"])
        let display = display
        let window = window
        let new = try await until { () -> String? in
            let name = try display.xdotool(["getwindowname", window])
            return name == "Zoetrope Gallery: \(old)" ? nil : name
        }
        return String((new ?? "").dropFirst(18))
    }

    /// What the window shows now, as text: a line for each element.
    func elements() throws -> [String] {
        requests += 1
        let file = folder.appendingPathComponent("elements-\(requests)")
        defer { try? FileManager.default.removeItem(at: file) }
        try app.send(file.path)
        // It appears with all that is in it.
        let text = Deadline().poll(while: { app.child.exitCode == nil }) {
            try? String(contentsOf: file, encoding: .utf8)
        }
        if let text { return text.split(separator: "\n").map(String.init) }
        throw AppProcess.NoAnswer(what: "no text of the window: \(app.errors)")
    }

    /// What the window looks like now, at scale 1.
    func cells(_ size: Size) throws -> CellPicture? {
        let file = folder.appendingPathComponent("cells.rgb").path
        try display.run(
            "convert",
            [
                "x:root", "-crop", "\(size.width)x\(size.height)+0+0", "+repage", "-scale",
                "\(size.width / CellPicture.side)x\(size.height / CellPicture.side)!", "-depth", "8", "rgb:\(file)",
            ])
        let bytes = [UInt8]((try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data())
        return CellPicture.pictures(bytes, width: size.width, height: size.height).first
    }

    /// The same in all its pixels, as a file small enough to be kept.
    func save(_ size: Size, to file: URL) throws {
        try display.run(
            "convert",
            [
                "x:root", "-crop", "\(size.width)x\(size.height)+0+0", "+repage", "-strip", "+dither", "-colors", "256",
                "-define", "png:compression-level=9", "png8:\(file.path)",
            ])
    }
}
