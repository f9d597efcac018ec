import Foundation
import TestSupport
import Testing

/// The gallery in the state that its references show. Every player is paused at one second, nothing moves or blinks,
/// and fonts, theme, settings and scale do not depend on the machine.
final class ReferenceGallery: @unchecked Sendable {
    /// The task of the run: "make" writes the references. Any other value, or nil, compares with them.
    static let task = ProcessInfo.processInfo.environment["ZOETROPE_REFERENCES"]

    // `@unchecked Sendable`, because only one test at a time uses it.
    struct Size: Hashable, Sendable, CustomStringConvertible {
        let description: String
        let width: Int, height: Int
        static let all = [
            Size(description: "wide", width: 1200, height: 760), Size(description: "narrow", width: 480, height: 760),
        ]
    }

    /// A combination of appearance, window size and scale in which every page is shown.
    struct Variant: Hashable, Sendable, CustomStringConvertible {
        let isDark: Bool, size: Size, scale: Int
        /// The name of the variant, for example “dark-narrow@2”.
        var description: String { "\(isDark ? "dark" : "light")-\(size)@\(scale)" }
        /// Whether the variant has a reference image in addition to the text: light-wide and dark-narrow do, at scale
        /// 1.
        var hasImage: Bool { scale == 1 && (size == Size.all[0]) != isDark }
        static let all = [1, 2].flatMap { scale in
            Size.all.flatMap { size in
                [false, true].map { Variant(isDark: $0, size: size, scale: scale) }
            }
        }
    }

    let display: PrivateDisplay
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
        let display = try await PrivateDisplay.launch(width: 1200 * scale, height: 760 * scale)
        self.display = display
        // Move the pointer to a place where it is not over any view.
        try display.xdotool(["mousemove", "\(1200 * scale - 1)", "\(760 * scale - 1)"])
        app = try AppProcess(
            "Gallery", ["--still", "1"] + (isDark ? ["--dark"] : []),
            whole: display.environment.merging(environment) { $1 }
                .merging([
                    "GDK_SCALE": "\(scale)", "ZOETROPE_RENDERER": "cpu", "PULSE_SERVER": "unix:/nonexistent",
                ]) { $1 })
        let found = try await until { try display.window("Zoetrope Gallery: ") }
        guard let found else { throw AppProcess.NoAnswer(what: "no window: \(app.errors)") }
        window = found
        try display.xdotool(["windowfocus", "--sync", window])
    }

    deinit {
        display.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Writes fonts, theme and settings to `folder`. Returns the environment that selects them.
    private static func settle(_ folder: URL) throws -> [String: String] {
        let files = FileManager.default
        let (fonts, config) = (folder.appendingPathComponent("fonts"), folder.appendingPathComponent("config"))
        try files.createDirectory(at: fonts, withIntermediateDirectories: true)
        try files.createDirectory(at: config.appendingPathComponent("gtk-4.0"), withIntermediateDirectories: true)
        // Only the fonts of the package `fonts-dejavu-core`, because a machine may have more of the family.
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

    /// Resizes the window and waits until it has the new size.
    func resize(_ size: Size) async throws {
        let (display, window, scale) = (display, window, scale)
        try display.xdotool(["windowmove", window, "0", "0"])
        try display.xdotool(["windowsize", window, "\(size.width * scale)", "\(size.height * scale)"])
        _ = try await until {
            let geometry = try display.xdotool(["getwindowgeometry", "--shell", window])
            return geometry.contains("WIDTH=\(size.width * scale)\n") ? true : nil
        }
    }

    /// Returns the title of the current page, or an empty string.
    func title() throws -> String {
        let name = try display.xdotool(["getwindowname", window])
        return name.hasPrefix("Zoetrope Gallery: ") ? String(name.dropFirst(18)) : ""
    }

    /// Goes to the next page and returns its title.
    func next() async throws -> String {
        let old = try title()
        try display.xdotool(["key", "ctrl+Next"])
        let display = display
        let window = window
        let new = try await until { () -> String? in
            let name = try display.xdotool(["getwindowname", window])
            return name.hasPrefix("Zoetrope Gallery: ") && name != "Zoetrope Gallery: \(old)" ? name : nil
        }
        return String((new ?? "").dropFirst(18))
    }

    /// Returns the current content of the window as text, one line per element.
    func elements() throws -> [String] {
        requests += 1
        let file = folder.appendingPathComponent("elements-\(requests)")
        defer { try? FileManager.default.removeItem(at: file) }
        try app.send(file.path)
        // The gallery writes the file in one step, so it is complete once it exists.
        let text = Deadline().poll(while: { app.child.exitCode == nil }) {
            try? String(contentsOf: file, encoding: .utf8)
        }
        if let text { return text.split(separator: "\n").map(String.init) }
        throw AppProcess.NoAnswer(what: "no text of the window: \(app.errors)")
    }

    /// Returns the current image of the window, at scale 1.
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

    /// Saves a screenshot of the window in full resolution, as a small PNG file of 256 colors.
    func save(_ size: Size, to file: URL) throws {
        try display.run(
            "convert",
            [
                "x:root", "-crop", "\(size.width)x\(size.height)+0+0", "+repage", "-strip", "+dither", "-colors", "256",
                "-define", "png:compression-level=9", "png8:\(file.path)",
            ])
    }
}
