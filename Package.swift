// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// A target may import only what stands above it (ARCHITECTURE.md), and declares what it imports and nothing else
// (scripts/check-imports). The exception is `face`: what Zoetrope re-exports stands beside it, as a change in one of
// them must rebuild what imports only Zoetrope.
let faceNames = [
    "Zoetrope", "Downloads", "PlayerViews", "DeclarativeUI", "ViewGraph", "Presentation", "Export", "Overlays",
    "Filters", "PlayerControls", "GTK", "GLibLoop", "MediaEngine", "MediaCore",
]
let face = faceNames.map { Target.Dependency(stringLiteral: $0) }

let engine: [Target.Dependency] = ["MediaEngine", "Streaming", "MediaCore", "CFFmpeg"]
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let database = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let openCombine = Target.Dependency.product(name: "OpenCombine", package: "OpenCombine")
let openCombines =
    [openCombine]
    + ["OpenCombineDispatch", "OpenCombineFoundation"].map {
        .product(name: $0, package: "OpenCombine")
    }
func syntax(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "swift-syntax") } }

// Modules that Apple's sources import, each as a target NAMEModule: a module called `os` or `Combine` would be found by
// every package of a build that asks `canImport`. Whoever wants the imports unchanged gives the compiler these names as
// aliases.
let appleModules = [
    "SwiftUI", "AVKit", "AVFoundation", "AVFAudio", "CoreMedia", "CoreImage", "CoreGraphics", "QuartzCore", "Combine",
    "MediaPlayer", "UIKit", "AppKit", "PhotosUI", "UniformTypeIdentifiers", "os", "OSLog", "CoreVideo",
]
let appleAliases = appleModules.flatMap { ["-module-alias", "\($0)=\($0)Module"] }
/// Puts what Apple's Foundation has and Foundation on Linux lacks into every file, as `import Foundation` does there.
let foundationExtras = ["-Xfrontend", "-import-module", "-Xfrontend", "FoundationExtras"]

func appleModule(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: "\(name)Module", dependencies: dependencies, path: "Sources/AppleModules/\(name)")
}

/// An app of `Examples/`; `make play EXAMPLE=NAME` runs it.
func example(
    _ name: String, over kits: [Target.Dependency] = ["VideoPlayerContainer", "ExampleKit"], resources: [Resource] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: face + kits, path: "Examples/\(name)", resources: resources)
}

/// A program that is not shipped.
func program(_ path: String, _ dependencies: [Target.Dependency], _ settings: [SwiftSetting] = []) -> Target {
    .executableTarget(
        name: path.split(separator: "/").last.map(String.init) ?? path, dependencies: dependencies, path: path,
        swiftSettings: settings)
}

/// A target of tests; scripts/test runs each by itself.
func tests(_ name: String, _ dependencies: [Target.Dependency], _ settings: [SwiftSetting] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// Where a C library's headers lie: our own pkg-config file in `Sources`, instead of the library's, whose other flags
/// SwiftPM drops with a warning in every package that depends on this one ("prohibited flag(s): -pthread"). Whoever
/// names folders of pkg-config files has the library somewhere else: then its own counts. (SwiftPM takes no spaces.)
/// - Parameter file: nil: the headers lie in the system's own folder.
func headers(_ file: String?, of library: String) -> String? {
    let own = file.map { "\(Context.packageDirectory)/Sources/\($0)" }
    return Context.environment["PKG_CONFIG_PATH"] != nil || own?.contains(" ") == true ? library : own
}

let package = Package(
    name: "Zoetrope",
    products: [
        // What Zoetrope re-exports stands here too: a change in one of them must rebuild an app that imports only
        // Zoetrope.
        .library(name: "Zoetrope", targets: faceNames),
        // Players as widgets of an app that is written with GTK, in any binding (docs/gtk.md); no views of this package.
        .library(name: "ZoetropeGTK", targets: ["ZoetropeGTK"]),
        .library(name: "VideoPlayerContainer", targets: ["VideoPlayerContainer"]),
        .library(name: "MPlayerKit", targets: ["MPlayerKit"]),
        .library(name: "AppleModules", targets: appleModules.map { "\($0)Module" } + ["FoundationExtras"]),
        // `#Preview` and `@Entry`. Only who uses them builds swift-syntax. The second module is `SwiftUI` with it.
        .library(name: "ZoetropePreviews", targets: ["ZoetropePreviews", "SwiftUIPreviewsModule"]),
        .executable(name: "zoetrope", targets: ["ZoetropeTool"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // From 1.6.4 and 600.0.1 on, so that an app can also depend on SwiftCrossUI, which needs swift-log 1.6.4 exactly and
        // swift-syntax 601.
        .package(url: "https://github.com/apple/swift-log", from: "1.6.4"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        // SQLite, for downloads and playback positions.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // For `#Preview` and `@Entry` only; one version for each of Swift's.
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"),
    ],
    targets: [
        // MARK: C libraries
        .systemLibrary(
            name: "CFFmpeg",
            pkgConfig: "libavformat libavcodec libswresample libswscale libavutil",
            providers: [
                .apt([
                    "libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libswresample-dev", "libswscale-dev",
                    "libavutil-dev",
                ])
            ]),
        .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
        .systemLibrary(
            name: "CGTK", pkgConfig: headers("CGTK/gtk4.pc", of: "gtk4"), providers: [.apt(["libgtk-4-dev"])]),
        .systemLibrary(
            name: "CDrawing", pkgConfig: headers("CDrawing/pangocairo.pc", of: "pangocairo cairo"),
            providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),
        .systemLibrary(name: "CX11", pkgConfig: "x11 xext", providers: [.apt(["libx11-dev", "libxext-dev"])]),
        .systemLibrary(name: "CEGL", pkgConfig: "epoxy egl", providers: [.apt(["libepoxy-dev"])]),
        .systemLibrary(name: "CAss", pkgConfig: headers(nil, of: "libass"), providers: [.apt(["libass-dev"])]),
        .systemLibrary(name: "CUchardet", pkgConfig: "uchardet", providers: [.apt(["libuchardet-dev"])]),
        .systemLibrary(name: "CSystem"),
        // GIO's own headers lie beside GLib's.
        .systemLibrary(
            name: "CGIO", pkgConfig: headers("CGIO/glib.pc", of: "gio-2.0"), providers: [.apt(["libglib2.0-dev"])]),
        // Optimized in an app's debug build too. Without optimization, scaling a 1080p frame takes about 37 ms.
        .target(name: "CPixels", cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
        .target(name: "CEnvironment"),
        // Protocols as wayland-scanner writes them, and libwayland-client, which GTK uses too.
        .target(
            name: "CWayland", exclude: ["protocols", "README.md"],
            linkerSettings: [.linkedLibrary("wayland-client")]),
        .systemLibrary(name: "CGUPnP", providers: [.apt(["libgupnp-1.6-0", "libgupnp-av-1.0-3", "libgssdp-1.6-0"])]),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-gnutls-dev"])]),

        // MARK: the player, from the bottom up
        .target(name: "MediaCore", dependencies: ["CFFmpeg", "CSystem"]),
        .target(name: "Streaming", dependencies: ["MediaCore", "CCurl", "CFFmpeg"]),
        .target(
            name: "MediaEngine", dependencies: ["MediaCore", "Streaming", "CPixels", "CFFmpeg", "CPulse", "CSystem"]),
        .target(
            name: "Downloads",
            dependencies: [
                "MediaCore", "Streaming", "MediaEngine", "CFFmpeg", "CGIO", "CSystem", database,
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        // What keys, buttons and menus do with players, and the keys themselves: without GTK and views, so that a plain
        // window, an app in GTK and all views share it.
        .target(name: "PlayerControls", dependencies: ["MediaCore", "MediaEngine", database]),
        // GLib's main loop and signals, without GTK: exports and the tool without a window have them too.
        .target(name: "GLibLoop", dependencies: ["CGIO"]),
        .target(
            name: "Filters",
            dependencies: ["GLibLoop", "MediaEngine", "MediaCore", "CPixels", "CFFmpeg", "CEGL", "CGIO"],
            exclude: ["Catalog/filters.txt"]),
        .target(
            name: "Overlays",
            dependencies: [
                "Filters", "MediaEngine", "Streaming", "MediaCore", "CPixels", "CFFmpeg", "CDrawing", "CAss",
                "CUchardet", logging,
            ]),
        .target(
            name: "Export",
            dependencies: ["Overlays", "Filters", "MediaEngine", "Streaming", "MediaCore", "CPixels", "CFFmpeg"]),
        .target(
            name: "GTK", dependencies: ["GLibLoop", "MediaCore", "CEnvironment", "CGTK", "CX11", "CSystem"]),
        .target(
            name: "Presentation",
            dependencies: [
                "PlayerControls", "GTK", "Overlays", "Filters", "MediaEngine", "MediaCore",
                "CFFmpeg",
                "CGTK", "CGIO",
                "CEGL", "CX11", "CWayland",
            ],
            resources: [.embedInCode("Words/de.po")]),
        .target(
            name: "DesktopServices",
            dependencies: [
                "PlayerControls", "GTK", "MediaCore", "MediaEngine", "Presentation", "CGTK",
                "CGIO",
                "CGUPnP",
            ]),
        // Views, their state and their layout, without GTK: tested without a display.
        .target(name: "ViewGraph", dependencies: ["MediaCore", openCombine, logging]),
        .target(
            name: "DeclarativeUI",
            dependencies: [
                "ViewGraph", "PlayerControls", "GTK", "MediaCore", "Streaming", "MediaEngine",
                "Overlays",
                "Filters",
                "Presentation",
                "DesktopServices", "CGTK", "CSystem", openCombine,
            ]),
        // Below the face, without what that brings along: the tool has its controls, and a file on this machine needs
        // no HTTP.
        .target(
            name: "PlayerViews",
            dependencies: [
                "PlayerControls", "GTK", "MediaCore", "MediaEngine", "Overlays", "Filters", "Presentation",
                "DesktopServices",
                "DeclarativeUI",
            ]),
        // One import for an app of GTK's own.
        .target(
            name: "ZoetropeGTK",
            dependencies: [
                "PlayerControls", "GTK", "GLibLoop", "MediaCore", "MediaEngine", "Export", "Overlays",
                "Filters",
                "Presentation",
            ]),
        .target(
            name: "Zoetrope",
            dependencies: [
                "PlayerControls", "GTK", "GLibLoop", "MediaCore", "MediaEngine", "Presentation",
                "DesktopServices", "Export", "Overlays", "Filters", "DeclarativeUI", "PlayerViews", "Downloads",
                "CGIO", logging,
            ] + openCombines),

        // MARK: over it
        // Written against the public API alone, as an app could have written it.
        .target(name: "VideoPlayerContainer", dependencies: face),
        .target(name: "MPlayerKit", dependencies: face),

        appleModule("SwiftUI", ["CombineModule", "Overlays", "Filters", "DeclarativeUI", "MediaCore"]),
        appleModule("AVKit", ["AVFoundationModule", "UIKitModule", "PlayerViews"]),
        appleModule(
            "AVFoundation",
            ["CoreMediaModule", "Export", "Overlays", "Filters", "MediaEngine", "Downloads"]),
        appleModule("CoreMedia", ["MediaCore"]),
        appleModule("CoreImage", ["Filters", "MediaCore"]),
        appleModule("QuartzCore", ["Overlays", "Filters", "MediaCore"]),
        appleModule("Combine", ["Zoetrope"] + openCombines),
        appleModule("MediaPlayer", ["AVFoundationModule", "UIKitModule", "Zoetrope"]),
        appleModule("UIKit", ["Overlays", "Filters", "DeclarativeUI", "MediaCore"]),
        appleModule("AVFAudio", ["AVFoundationModule"]),
        appleModule("CoreGraphics", ["Overlays", "Filters", "MediaCore"]),
        appleModule("CoreVideo", ["CoreGraphicsModule", "MediaEngine"]),
        appleModule("AppKit", ["Overlays", "Filters", "DeclarativeUI", "MediaCore"]),
        appleModule("PhotosUI", ["DeclarativeUI", "UIKitModule"]),
        appleModule("UniformTypeIdentifiers", ["DeclarativeUI"]),
        appleModule("os", ["Zoetrope", logging]),
        appleModule("OSLog", ["osModule"]),
        // What Apple's Foundation has and Foundation on Linux lacks: `-import-module` puts it into every file.
        .target(
            name: "FoundationExtras",
            dependencies: ["CombineModule", "DeclarativeUI", "MediaEngine", "MediaCore", logging]),
        appleModule("SwiftUIPreviews", ["SwiftUIModule", "ZoetropePreviews"]),

        .macro(
            name: "PreviewMacros",
            dependencies: syntax(
                "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros")),
        .target(name: "ZoetropePreviews", dependencies: ["DeclarativeUI", "PreviewMacros"]),

        // The play window and the desktop app: lists, keys, what lies over the picture. Below the tool, which has it
        // without Foundation's networking.
        .target(
            name: "PlayerApp",
            dependencies: [
                "PlayerControls", "GTK", "MediaCore", "MediaEngine", "Overlays", "Filters",
                "Presentation",
                "DesktopServices", "DeclarativeUI", "PlayerViews", "CGTK", "CGIO",
            ]),

        .executableTarget(
            name: "ZoetropeTool",
            dependencies: [
                "Downloads", "PlayerApp", "PlayerControls", "Export", "Overlays", "Filters",
                "MediaEngine", "Streaming",
                "Presentation",
                "GLibLoop",
                "GTK", "MediaCore", "CSystem", "SampleMedia", argumentParser,
            ]),

        // MARK: examples
        .target(
            name: "SampleMedia", path: "Examples/SampleMedia",
            resources: [.copy("zoetrope.mp4"), .copy("zoetrope.vtt")]),
        // The gallery's pages as text, for it to show beside them: the very files that it is built of.
        .target(
            name: "GallerySources", path: "Examples/Gallery", exclude: ["App"], sources: ["SourceText"],
            resources: [.copy("Pages")]),
        .executableTarget(
            name: "Gallery", dependencies: face + ["SampleMedia", "GallerySources", "CGTK"], path: "Examples/Gallery",
            exclude: ["SourceText"]),
        // Films for the apps below (Examples/make-example-media) and what they share.
        .target(
            name: "ExampleKit", dependencies: face + ["VideoPlayerContainer", "SampleMedia"],
            path: "Examples/ExampleKit"),
        example("Youtube"), example("Bilibili"), example("TikTok"), example("SystemVideoPlayer"),
        example("PlayerKit", over: ["MPlayerKit", "ExampleKit"]), example("Player41", over: []),
        example("VideoNavigation", resources: [.copy("feeds.json")]), example("QuickTime"), example("VisionPro"),

        // A window by plain C, in which a player is a widget among others: the example of docs/gtk.md.
        program("Examples/PlainGTK", ["ZoetropeGTK", "CGTK"]),

        // MARK: programs that are measured or driven
        // The choice of variants over recorded networks, for measuring and for tests.
        .target(
            name: "StreamSimulation", dependencies: ["Streaming", "MediaCore"], path: "Benchmarks/StreamSimulation"),
        // What `Benchmarks/run` measures beside the tool.
        program("Benchmarks/Benches", face + ["StreamSimulation", "Streaming", "CGTK"]),
        // The programs that tests drive, in one. Those below stand apart, each for its reason.
        program(
            "Tests/Probes",
            face + [
                "VideoPlayerContainer", "MPlayerKit", "ExampleKit", "DesktopServices", "TestSupport", "CGTK", "CX11",
            ]),
        // The README's walk-through of the container as an app has it: in Swift 5 mode.
        program("Tests/PlayerWidgetProbe", face + ["VideoPlayerContainer"], [.swiftLanguageMode(.v5)]),
        // Previews of both kinds, one in a source as it is on Apple's platforms: a module alias, and swift-syntax.
        program(
            "Tests/PreviewProbe", face + ["ZoetropePreviews", "SwiftUIPreviewsModule"],
            [.unsafeFlags(["-module-alias", "SwiftUI=SwiftUIPreviewsModule"])]),
        // Killed at any instant, thousands of times: loading GTK would be most of its life.
        program("Tests/DownloadProbe", ["Downloads", "MediaEngine", "MediaCore"]),
        // Broken files by the thousand through everything that opens files, under a limit of memory (scripts/mutate).
        program("Tests/Mutate", ["Export", "MediaEngine", "MediaCore", "TestSupport"]),
        // The server the streaming tests talk to: for tries by hand, and for measuring other players without us.
        program("Tests/StreamServer", ["TestSupport"]),

        // MARK: tests
        // What they share: media made by script, a private sound server and display, our programs as processes.
        .systemLibrary(name: "CXCB", path: "Tests/CXCB", pkgConfig: "xcb", providers: [.apt(["libxcb1-dev"])]),
        .target(
            name: "TestSupport", dependencies: ["MediaEngine", "Streaming", "MediaCore", "CFFmpeg", "CXCB"],
            path: "Tests/TestSupport"),
        // A player without a window, and what is asked of it.
        .target(name: "EngineTestSupport", dependencies: engine + ["TestSupport"], path: "Tests/EngineTestSupport"),
        tests("GLibLoopTests", ["GLibLoop", "CGIO"]),
        tests("GTKTests", ["GTK", "CGTK"]),
        tests("MediaCoreTests", ["MediaCore", "CFFmpeg"]),
        tests("StreamingTests", ["StreamSimulation", "Streaming", "MediaCore", "TestSupport"]),
        tests(
            "PlayerControlsTests", ["PlayerControls", "MediaEngine", "MediaCore", "EngineTestSupport", "TestSupport"]),
        // The engine in four: files, streams, streams that are live or fail, and what follows without a seam.
        tests("MediaEngineTests", engine + ["TestSupport", "EngineTestSupport"]),
        tests("MediaEngineStreamTests", engine + ["TestSupport", "EngineTestSupport"]),
        tests("MediaEngineLiveTests", ["MediaEngine", "Streaming", "MediaCore", "TestSupport", "EngineTestSupport"]),
        tests("MediaEngineSeamTests", ["MediaEngine", "MediaCore", "TestSupport", "EngineTestSupport"]),
        tests(
            "DownloadsTests",
            ["Downloads", "MediaEngine", "Streaming", "MediaCore", "TestSupport"]
                + [database, "DownloadProbe", "Probes"]),
        tests(
            "CompositionTests",
            engine + ["Export", "Overlays", "Filters", "CPixels", "CDrawing", "CEGL", "CGIO", logging, "TestSupport"]),
        tests(
            "PresentationTests",
            [
                "Presentation", "PlayerControls", "GTK", "Overlays", "Filters", "MediaEngine", "MediaCore",
                "TestSupport",
                "Probes", "PlainGTK", "ZoetropeTool",
            ]),
        tests("DesktopServicesTests", ["DesktopServices", "GTK", "MediaCore", "TestSupport", "Probes"]),
        tests("ViewGraphTests", ["ViewGraph", openCombine, "TestSupport"]),
        tests(
            "DeclarativeUITests",
            [
                "DeclarativeUI", "ViewGraph", "GTK", "Streaming", "MediaCore", "Overlays", "CGTK", openCombine,
                "TestSupport", "Probes",
            ]),
        tests("ComponentTests", ["GTK", "TestSupport", "Probes", "Gallery", "GallerySources"]),
        tests("ZoetropeTests", face + ["DesktopServices", "TestSupport", "Probes"]),
        tests(
            "VideoPlayerContainerTests",
            face + ["VideoPlayerContainer", "TestSupport", "Probes", "PlayerWidgetProbe"]
                + ["Youtube", "Bilibili", "TikTok", "SystemVideoPlayer", "VideoNavigation", "QuickTime", "VisionPro"]
                + ["PlayerKit", "Player41"]),
        tests("MPlayerKitTests", face + ["MPlayerKit", "TestSupport", "Probes"]),
        // The public surface of the contracts as code; in Swift 5 mode the same files (a link), and code as apps on
        // Apple platforms have it, without isolation.
        tests("ContractTests", face + ["VideoPlayerContainer", "MPlayerKit", "FoundationExtras", "TestSupport"]),
        tests(
            "ContractTests5",
            face + ["VideoPlayerContainer", "MPlayerKit", "FoundationExtras", openCombine, "TestSupport"],
            [.swiftLanguageMode(.v5)]),
        // Sources whose imports are Apple's.
        tests(
            "AppleModulesTests",
            appleModules.map { .target(name: "\($0)Module") }
                + ["FoundationExtras", "VideoPlayerContainer", "MPlayerKit"],
            [.swiftLanguageMode(.v5), .unsafeFlags(appleAliases + foundationExtras)]),
        // Not on the macro itself: then all that any test depends on would be built twice, for the compiler's machine too.
        tests("PreviewTests", ["PreviewProbe", "DeclarativeUI", "TestSupport"]),
        tests("ZoetropeToolTests", ["ZoetropeTool", "TestSupport"]),
        tests(
            "PlayerAppTests",
            ["PlayerApp", "PlayerViews", "PlayerControls", "MediaEngine", "MediaCore", "Presentation", "ZoetropeTool"]
                + ["Probes", "TestSupport"]),
        // Two thousand broken films, and the tool with input that is no film.
        tests("HostileInputTests", ["Mutate", "ZoetropeTool", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
