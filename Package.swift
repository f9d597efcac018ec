// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Modules that Apple's sources import, each as a target NAMEModule: a module called `os` or `Combine` would be found by
// every package of a build that asks `canImport`. Whoever wants the imports unchanged gives the compiler these names as
// aliases.
let appleModules = [
    "SwiftUI", "AVKit", "AVFoundation", "CoreMedia", "CoreImage", "QuartzCore", "Combine", "MediaPlayer", "UIKit", "os",
]
let appleAliases = appleModules.flatMap { ["-module-alias", "\($0)=\($0)Module"] }

func appleModule(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: "\(name)Module", dependencies: dependencies, path: "Sources/AppleModules/\(name)")
}

// What Zoetrope re-exports stands beside it: a change in one of them must rebuild what imports only Zoetrope.
let faceNames = [
    "Zoetrope", "DownloadSessions", "Downloads", "PlayerViews", "DeclarativeUI", "Composition", "Presentation",
    "GTKSupport", "GLibSupport", "MediaEngine", "Streaming", "MediaCore",
]
let face = faceNames.map { Target.Dependency(stringLiteral: $0) }

/// An app of `Examples/`; `make play EXAMPLE=NAME` runs it.
func example(_ name: String, over kit: Target.Dependency? = "VideoPlayerContainer", resources: [Resource] = [])
    -> Target
{
    .executableTarget(
        name: name, dependencies: face + [kit].compactMap { $0 } + ["ExampleKit"], path: "Examples/\(name)",
        resources: resources)
}

// A target may import only what stands above it (ARCHITECTURE.md).
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
        .library(name: "AppleModules", targets: appleModules.map { "\($0)Module" }),
        // `#Preview`. Only who uses it builds swift-syntax. The second module is `SwiftUI` with it.
        .library(name: "ZoetropePreviews", targets: ["ZoetropePreviews", "SwiftUIPreviewsModule"]),
        .executable(name: "zoetrope", targets: ["ZoetropeTool"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        // SQLite, for what is downloaded and for the places that `MPlayerKit` keeps.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // For `#Preview` only; one version for each of Swift's.
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
    ],
    targets: [
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
        .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .systemLibrary(
            name: "CDrawing", pkgConfig: "pangocairo cairo", providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),
        .systemLibrary(name: "CX11", pkgConfig: "x11 xext", providers: [.apt(["libx11-dev", "libxext-dev"])]),

        .systemLibrary(name: "CEGL", pkgConfig: "epoxy egl", providers: [.apt(["libepoxy-dev"])]),
        .systemLibrary(name: "CAss", pkgConfig: "libass", providers: [.apt(["libass-dev"])]),
        .systemLibrary(name: "CUchardet", pkgConfig: "uchardet", providers: [.apt(["libuchardet-dev"])]),
        .systemLibrary(name: "CSystem"),
        .systemLibrary(name: "CGIO", pkgConfig: "gio-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .target(name: "CPixels"),
        .systemLibrary(name: "CGUPnP", providers: [.apt(["libgupnp-1.6-0", "libgupnp-av-1.0-3", "libgssdp-1.6-0"])]),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-gnutls-dev"])]),

        .target(name: "MediaCore", dependencies: ["CFFmpeg", "CSystem"]),
        .target(name: "Streaming", dependencies: ["MediaCore", "CCurl", "CFFmpeg"]),
        .target(
            name: "MediaEngine", dependencies: ["MediaCore", "Streaming", "CPixels", "CFFmpeg", "CPulse", "CSystem"]),
        // Apple's names for it are a target of their own: they bring Foundation's networking, which the tool must not
        // have.
        .target(
            name: "Downloads",
            dependencies: [
                "MediaCore", "Streaming", "MediaEngine", "CFFmpeg", "CGIO", "CSystem",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Session"]),
        .target(
            name: "DownloadSessions", dependencies: ["Downloads", "MediaEngine", "Streaming", "MediaCore"],
            path: "Sources/Downloads/Session"),
        // GLib without GTK: the main loop, which a tool without a window has too, and signals.
        .target(name: "GLibSupport", dependencies: ["CGIO"]),
        .target(
            name: "Composition",
            dependencies: [
                "GLibSupport", "MediaEngine", "Streaming", "MediaCore", "CPixels", "CFFmpeg", "CDrawing", "CEGL",
                "CGIO", "CAss", "CUchardet",
            ]),
        .target(name: "GTKSupport", dependencies: ["GLibSupport", "MediaCore", "CGTK", "CX11", "CSystem"]),
        .target(
            name: "Presentation",
            dependencies: [
                "GTKSupport", "GLibSupport", "Composition", "MediaEngine", "MediaCore", "CFFmpeg", "CGTK", "CGIO",
                "CEGL", "CX11",
            ]),
        .target(
            name: "DesktopServices",
            dependencies: [
                "GTKSupport", "GLibSupport", "MediaCore", "MediaEngine", "Presentation", "CGTK", "CGIO", "CGUPnP",
            ]),
        .target(
            name: "DeclarativeUI",
            dependencies: [
                "GTKSupport", "GLibSupport", "MediaCore", "Streaming", "MediaEngine", "Composition", "Presentation",
                "DesktopServices", "CGTK", "CSystem",
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        // Below the face, without what that brings along: the tool has its controls, and a file on this machine needs
        // no HTTP.
        .target(
            name: "PlayerViews",
            dependencies: [
                "GTKSupport", "MediaCore", "MediaEngine", "Composition", "Presentation", "DesktopServices",
                "DeclarativeUI", "CGTK",
            ]),
        // One import for an app of GTK's own.
        .target(
            name: "ZoetropeGTK",
            dependencies: ["GTKSupport", "GLibSupport", "MediaCore", "MediaEngine", "Composition", "Presentation"]),
        .target(
            name: "Zoetrope",
            dependencies: [
                "GTKSupport", "GLibSupport", "MediaCore", "MediaEngine", "Presentation", "DesktopServices",
                "Composition", "DeclarativeUI", "PlayerViews", "Downloads", "DownloadSessions", "CGTK", "CGIO",
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
                .product(name: "OpenCombineFoundation", package: "OpenCombine"),
                .product(name: "Logging", package: "swift-log"),
            ]),

        // Written against the public API alone, as an app could have written it.
        .target(name: "VideoPlayerContainer", dependencies: ["Zoetrope"]),
        .target(name: "MPlayerKit", dependencies: ["Zoetrope", .product(name: "GRDB", package: "GRDB.swift")]),

        appleModule("SwiftUI", ["CombineModule", "Composition", "DeclarativeUI", "MediaCore"]),
        appleModule("AVKit", ["AVFoundationModule", "UIKitModule", "PlayerViews"]),
        appleModule(
            "AVFoundation", ["CoreMediaModule", "Composition", "MediaEngine", "Downloads", "DownloadSessions"]),
        appleModule("CoreMedia", ["MediaCore"]),
        appleModule("CoreImage", ["Composition", "MediaCore"]),
        appleModule("QuartzCore", ["Composition", "MediaCore"]),
        appleModule(
            "Combine",
            [
                "Zoetrope", .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
                .product(name: "OpenCombineFoundation", package: "OpenCombine"),
            ]),
        appleModule("MediaPlayer", ["AVFoundationModule", "UIKitModule", "Zoetrope"]),
        appleModule("UIKit", ["Composition", "DeclarativeUI", "MediaCore"]),
        appleModule("os", ["Zoetrope", .product(name: "Logging", package: "swift-log")]),
        appleModule("SwiftUIPreviews", ["SwiftUIModule", "ZoetropePreviews"]),

        .macro(
            name: "PreviewMacros",
            dependencies: [
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ]),
        .target(name: "ZoetropePreviews", dependencies: ["DeclarativeUI", "PreviewMacros"]),

        .executableTarget(
            name: "ZoetropeTool",
            dependencies: [
                "Downloads", "PlayerViews", "Composition", "MediaEngine", "Streaming", "Presentation", "GLibSupport",
                "GTKSupport", "MediaCore", "CSystem", "SampleMedia",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        .target(
            name: "SampleMedia", path: "Examples/SampleMedia",
            resources: [.copy("zoetrope.mp4"), .copy("zoetrope.vtt")]),
        .executableTarget(name: "Gallery", dependencies: face + ["SampleMedia"], path: "Examples/Gallery"),
        // A window by plain C, in which a player is a widget among others: the example of docs/gtk.md.
        .executableTarget(name: "PlainGTK", dependencies: ["ZoetropeGTK", "CGTK"], path: "Examples/PlainGTK"),
        // Films for the apps below (scripts/make-example-media) and what they share.
        .target(
            name: "ExampleKit", dependencies: face + ["VideoPlayerContainer", "SampleMedia"],
            path: "Examples/ExampleKit"),
        example("Youtube"), example("Bilibili"), example("TikTok"), example("SystemVideoPlayer"),
        example("PlayerKit", over: "MPlayerKit"), example("Player41", over: nil),
        example("VideoNavigation", resources: [.copy("feeds.json")]), example("QuickTime"), example("VisionPro"),

        .executableTarget(name: "UIBench", dependencies: face + ["CGTK"], path: "Benchmarks/UIBench"),

        .executableTarget(
            name: "PictureBench", dependencies: ["Composition", "Presentation", "MediaEngine", "MediaCore"],
            path: "Benchmarks/PictureBench"),
        .executableTarget(name: "PlaylistBench", dependencies: ["Streaming"], path: "Benchmarks/PlaylistBench"),
        .executableTarget(name: "DownloadBench", dependencies: ["Downloads"], path: "Benchmarks/DownloadBench"),

        // What tests share: media made by script, a private sound server, a private display, the tool as a process.
        .target(
            name: "TestSupport", dependencies: ["MediaEngine", "Streaming", "MediaCore", "CFFmpeg"],
            path: "Tests/TestSupport"),
        // The server the streaming tests talk to, as a program: for tries by hand and for measuring other players.
        .executableTarget(name: "StreamServer", dependencies: ["TestSupport"], path: "Tests/StreamServer"),
        // A view over ready pictures in a window, told what to do by the tests.
        .executableTarget(
            name: "PresentationProbe",
            dependencies: ["Composition", "Presentation", "MediaEngine", "MediaCore", "CGTK", "TestSupport"],
            path: "Tests/PresentationProbe"),
        // Scrolled areas, lists, tabs, navigation and what is presented, in a window driven by tests.
        .executableTarget(name: "ContainerProbe", dependencies: ["DeclarativeUI"], path: "Tests/ContainerProbe"),
        // One page of controls in a window, driven by the tests.
        .executableTarget(name: "UIProbe", dependencies: ["DeclarativeUI", "CGTK"], path: "Tests/UIProbe"),
        // A player on the session bus that plays nothing: it says what is asked of it.
        .executableTarget(
            name: "MPRISProbe", dependencies: ["DesktopServices", "Presentation"], path: "Tests/MPRISProbe"),
        // Asks any player on the session bus what MPRIS promises of it.
        .executableTarget(
            name: "MPRISConformance", dependencies: ["DesktopServices", "Presentation"], path: "Tests/MPRISConformance"),
        // An app that plays files, told what to do by the tests.
        .executableTarget(
            name: "NowPlayingProbe", dependencies: face + ["DesktopServices"], path: "Tests/NowPlayingProbe"),
        .testTarget(
            name: "DesktopServicesTests",
            dependencies: [
                "DesktopServices", "TestSupport", "MPRISProbe", "MPRISConformance", "NowPlayingProbe", "WindowManager",
            ]),
        // An app of several scenes, with menus.
        .executableTarget(name: "SceneProbe", dependencies: ["DeclarativeUI"], path: "Tests/SceneProbe"),
        // The least of a window manager, for what nobody answers on a bare X server.
        .executableTarget(name: "WindowManager", dependencies: ["CX11"], path: "Tests/WindowManager"),
        // Broken files by the thousand through everything that opens files (scripts/mutate).
        .executableTarget(
            name: "Mutate", dependencies: ["Composition", "MediaEngine", "MediaCore", "TestSupport"],
            path: "Tests/Mutate"),
        // A process that downloads, to be killed by the tests.
        .executableTarget(
            name: "DownloadProbe", dependencies: ["Downloads", "MediaCore"], path: "Tests/DownloadProbe"),
        // An app with a session of Apple's names, the same.
        .executableTarget(
            name: "SessionProbe", dependencies: ["DownloadSessions", "Downloads", "MediaEngine", "MediaCore"],
            path: "Tests/SessionProbe"),
        .testTarget(
            name: "DownloadsTests",
            dependencies: [
                "Downloads", "DownloadSessions", "MediaEngine", "Streaming", "MediaCore", "TestSupport",
                "DownloadProbe", "SessionProbe", .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(name: "GLibSupportTests", dependencies: ["GLibSupport", "CGIO"]),
        .testTarget(name: "MediaCoreTests", dependencies: ["MediaCore", "CFFmpeg"]),
        .testTarget(name: "StreamingTests", dependencies: ["Streaming", "MediaCore", "TestSupport"]),
        .testTarget(
            name: "MediaEngineTests", dependencies: ["Streaming", "MediaEngine", "MediaCore", "CFFmpeg", "TestSupport"]),
        // Gestures, keys, focus and words for assistive technology, in a window driven by tests.
        .executableTarget(name: "InputProbe", dependencies: ["DeclarativeUI"], path: "Tests/InputProbe"),
        // An app with one player, told what to do by the tests.
        .executableTarget(name: "ComponentProbe", dependencies: face + ["TestSupport"], path: "Tests/ComponentProbe"),
        // An app with one player in views of Apple's names, told what to do by the tests.
        .executableTarget(name: "PlayerViewProbe", dependencies: face, path: "Tests/PlayerViewProbe"),
        // Controls over videos, told what to do by the tests.
        .executableTarget(name: "CoverProbe", dependencies: face, path: "Tests/CoverProbe"),
        // Foundation's run loop and Combine in GLib's main loop, without a window; says what happened.
        .executableTarget(
            name: "LoopProbe", dependencies: ["Zoetrope", "Presentation", "CGTK"], path: "Tests/LoopProbe"),
        .testTarget(
            name: "ComponentTests",
            dependencies: ["ComponentProbe", "PlayerViewProbe", "Gallery", "TestSupport", "WindowManager"]),
        .testTarget(
            name: "CompositionTests",
            dependencies: ["Composition", "CPixels", "MediaEngine", "MediaCore", "CFFmpeg", "TestSupport"]),
        .testTarget(
            name: "DeclarativeUITests",
            dependencies: [
                "DeclarativeUI", "TestSupport", "CGTK", "ContainerProbe", "CoverProbe", "UIProbe", "InputProbe",
                "SceneProbe", "WindowManager",
            ]),
        .testTarget(
            name: "PresentationTests",
            dependencies: ["Presentation", "MediaEngine", "PresentationProbe", "PlainGTK", "TestSupport"]),
        .testTarget(
            name: "ZoetropeTests",
            dependencies: [
                "LoopProbe", "Zoetrope", "PlayerViews", "Composition", "MediaEngine", "MediaCore", "Presentation",
                "DeclarativeUI", "TestSupport",
            ]),
        // The public surface of the contracts as code; in Swift 5 mode the same files (a link), and code as apps on
        // Apple platforms have it, without isolation.
        .testTarget(
            name: "ContractTests", dependencies: ["Zoetrope", "VideoPlayerContainer", "MPlayerKit", "TestSupport"]),
        .testTarget(
            name: "ContractTests5", dependencies: ["Zoetrope", "VideoPlayerContainer", "MPlayerKit", "TestSupport"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // The README's walk-through of the container as an app has it, in Swift 5 mode; told what else to do by the
        // tests.
        .executableTarget(
            name: "PlayerWidgetProbe", dependencies: face + ["VideoPlayerContainer"], path: "Tests/PlayerWidgetProbe",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // The feed of the example TikTok (links to its sources), a hundred films long, in a window.
        .executableTarget(
            name: "FeedProbe", dependencies: face + ["VideoPlayerContainer", "ExampleKit", "CGTK"],
            path: "Tests/FeedProbe"),
        // A container in a window, driven by the tests of a desktop's habits.
        .executableTarget(
            name: "ContainerHabitsProbe", dependencies: face + ["VideoPlayerContainer"],
            path: "Tests/ContainerHabitsProbe"),
        .testTarget(
            name: "VideoPlayerContainerTests",
            dependencies: face + [
                "VideoPlayerContainer", "TestSupport", "PlayerWidgetProbe", "FeedProbe", "ContainerHabitsProbe",
                "WindowManager",
            ]
                + [
                    "Youtube", "Bilibili", "TikTok", "SystemVideoPlayer", "VideoNavigation", "QuickTime", "VisionPro",
                    "PlayerKit", "Player41",
                ]),
        // An app with the kit's players, told what to do by the tests.
        .executableTarget(name: "PlayerKitProbe", dependencies: face + ["MPlayerKit"], path: "Tests/PlayerKitProbe"),
        .testTarget(
            name: "MPlayerKitTests", dependencies: face + ["MPlayerKit", "TestSupport", "PlayerKitProbe", "PlayerKit"]),
        // Sources whose imports are Apple's.
        .testTarget(
            name: "AppleModulesTests",
            dependencies: appleModules.map { .target(name: "\($0)Module") } + ["VideoPlayerContainer", "MPlayerKit"],
            swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(appleAliases)]),
        // An app with previews of both kinds, one of them in a source as it is on Apple's platforms.
        .executableTarget(
            name: "PreviewProbe", dependencies: ["Zoetrope", "ZoetropePreviews", "SwiftUIPreviewsModule"],
            path: "Tests/PreviewProbe",
            swiftSettings: [.unsafeFlags(["-module-alias", "SwiftUI=SwiftUIPreviewsModule"])]),
        .testTarget(
            name: "PreviewTests",
            dependencies: [
                "PreviewProbe", "PreviewMacros", "DeclarativeUI", "TestSupport",
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
            ]),
        .testTarget(name: "ZoetropeToolTests", dependencies: ["ZoetropeTool", "Mutate", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
