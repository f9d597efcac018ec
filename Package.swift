// swift-tools-version: 6.2
import PackageDescription

// The rooms of the house; a target may import only what stands above it (ARCHITECTURE.md).
let package = Package(
    name: "Zoetrope",
    products: [
        // What Zoetrope re-exports stands here too: a change in one of them must rebuild an app that imports only Zoetrope.
        .library(name: "Zoetrope", targets: ["Zoetrope", "Presentation", "MediaEngine", "MediaCore"]),
        .executable(name: "zoetrope", targets: ["ZoetropeTool"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CFFmpeg",
            pkgConfig: "libavformat libavcodec libswresample libswscale libavutil",
            providers: [.apt(["libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libswresample-dev", "libswscale-dev", "libavutil-dev"])]),
        .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
        .systemLibrary(name: "CGTK", pkgConfig: "gtk4 epoxy", providers: [.apt(["libgtk-4-dev", "libepoxy-dev"])]),
        .systemLibrary(name: "CX11", pkgConfig: "x11 xext", providers: [.apt(["libx11-dev", "libxext-dev"])]),

        .systemLibrary(name: "CSystem"),

        .target(name: "MediaCore", dependencies: ["CFFmpeg"]),
        .target(name: "MediaEngine", dependencies: ["MediaCore", "CFFmpeg", "CPulse", "CSystem"]),
        .target(name: "Presentation", dependencies: ["MediaEngine", "MediaCore", "CFFmpeg", "CGTK", "CX11"]),
        .target(name: "Zoetrope", dependencies: ["MediaCore", "MediaEngine", "Presentation", "CGTK"]),

        .executableTarget(
            name: "ZoetropeTool",
            dependencies: [
                "Zoetrope", "MediaEngine", "Presentation", "MediaCore", "CSystem", "SampleMedia",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        .target(name: "SampleMedia", path: "Examples/SampleMedia", resources: [.copy("zoetrope.mp4")]),

        // What tests share: media made by script, a private sound server, a private display, the tool as a process.
        .target(name: "TestSupport", dependencies: ["MediaEngine", "MediaCore", "CFFmpeg"], path: "Tests/TestSupport"),
        // A view over ready pictures in a window, told what to do by the tests.
        .executableTarget(name: "PresentationProbe", dependencies: ["Presentation", "MediaEngine", "CGTK", "TestSupport"], path: "Tests/PresentationProbe"),
        .testTarget(name: "MediaCoreTests", dependencies: ["MediaCore"]),
        .testTarget(name: "MediaEngineTests", dependencies: ["MediaEngine", "MediaCore", "CFFmpeg", "TestSupport"]),
        .testTarget(name: "PresentationTests", dependencies: ["Presentation", "MediaEngine", "PresentationProbe", "TestSupport"]),
        .testTarget(name: "ZoetropeToolTests", dependencies: ["ZoetropeTool", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
