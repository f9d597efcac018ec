import Foundation
import TestSupport
import Testing

/// Tests `zoetrope port` with projects that the tests create. A script replaces the compiler.
@Suite("The command port", .serialized)
final class PortToolTests {
    // The path without links, because the tool resolves links.
    private let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent(
        "zt-port-\(UUID().uuidString.prefix(8))")
    private let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, to name: String) throws {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
    private func read(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    private func port(_ options: String...) async throws -> (code: Int32, output: String, error: String) {
        let run = try await ToolProcess.run(["port", folder.path, "--zoetrope", checkout] + options)
        return (run.code, run.output, run.error)
    }
    /// Creates a program that runs instead of `swift`, and returns its path.
    private func compiler(_ script: String) throws -> String {
        try write("#!/bin/bash\n" + script, to: ".tools/swift")
        let path = folder.appendingPathComponent(".tools/swift").path
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    private let project = """
        // !$*UTF8*$!
        {
            archiveVersion = 1;
            objects = {
                A1 /* FilmApp.swift in Sources */ = {isa = PBXBuildFile; fileRef = F1 /* FilmApp.swift */; };
                A2 = {isa = PBXBuildFile; fileRef = F2; };
                A3 = {isa = PBXBuildFile; fileRef = F3; };
                F1 = {isa = PBXFileReference; path = FilmApp.swift; sourceTree = "<group>"; };
                F2 = {isa = PBXFileReference; path = "Player View.swift"; sourceTree = "<group>"; };
                F3 = {isa = PBXFileReference; path = film.mp4; sourceTree = "<group>"; };
                G0 = {isa = PBXGroup; children = (G1, S1, ); sourceTree = "<group>"; };
                G1 = {isa = PBXGroup; children = (F1, G2, F3, ); path = Film; sourceTree = "<group>"; };
                G2 = {isa = PBXGroup; children = (F2, ); path = Views; sourceTree = "<group>"; };
                S1 = {isa = PBXFileSystemSynchronizedRootGroup; path = FilmKit; exceptions = (E1, ); };
                E1 = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (Old.swift, ); target = T2; };
                P1 = {isa = PBXSourcesBuildPhase; files = (A1, A2, ); };
                P2 = {isa = PBXResourcesBuildPhase; files = (A3, ); };
                T1 = {isa = PBXNativeTarget; name = Film; productType = "com.apple.product-type.application";
                    buildPhases = (P1, P2, ); dependencies = (D1, ); buildConfigurationList = L1;
                    packageProductDependencies = (K1, ); };
                D1 = {isa = PBXTargetDependency; target = T2; };
                T2 = {isa = PBXNativeTarget; name = FilmKit; productType = "com.apple.product-type.framework";
                    buildPhases = (); fileSystemSynchronizedGroups = (S1, ); };
                T3 = {isa = PBXNativeTarget; name = FilmTests; productType = "com.apple.product-type.bundle.unit-test"; };
                L1 = {isa = XCConfigurationList; buildConfigurations = (C1, ); defaultConfigurationName = Release; };
                C1 = {isa = XCBuildConfiguration; name = Release; buildSettings = {
                    SWIFT_VERSION = 6.0; SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor; }; };
                K1 = {isa = XCSwiftPackageProductDependency; package = R1; productName = Nuke; };
                R1 = {isa = XCRemoteSwiftPackageReference; repositoryURL = "https://example.com/Nuke.git";
                    requirement = {kind = upToNextMajorVersion; minimumVersion = 12.0.0; }; };
                PR = {isa = PBXProject; mainGroup = G0; targets = (T1, T2, T3, ); packageReferences = (R1, ); };
            };
            rootObject = PR;
        }
        """

    private func writeProject() throws {
        try write(project, to: "Film.xcodeproj/project.pbxproj")
        try write("import SwiftUI\nimport FilmKit\n@main struct FilmApp: App {}\n", to: "Film/FilmApp.swift")
        try write("import AVKit\n", to: "Film/Views/Player View.swift")
        try write("film", to: "Film/film.mp4")
        try write("public let answer = 42\n", to: "FilmKit/Kit.swift")
        try write("nonsense\n", to: "FilmKit/Old.swift")
    }

    @Test("an Xcode project becomes a package with modules, flags and dependencies")
    func xcode() async throws {
        try writeProject()
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        #expect(run.error.contains("FilmTests"), "\(run.error)")
        let manifest = try read("Package.swift")
        for part in [
            "name: \"Film\"", "\"Views/Player View.swift\"", ".copy(\"film.mp4\")", "path: \"Film\"",
            ".product(name: \"AppleModules\", package: \"zoetrope\")", "apple(\"AVKit\", \"SwiftUI\")",
            "\"-import-module\", \"-Xfrontend\", \"FoundationExtras\"", ".swiftLanguageMode(.v6)",
            ".defaultIsolation(MainActor.self)", "url: \"https://example.com/Nuke.git\", from: \"12.0.0\"",
            ".product(name: \"Nuke\", package: \"nuke\")", "\"Kit.swift\"",
        ] {
            #expect(manifest.contains(part), "\(part) is not in \(manifest)")
        }
        #expect(!manifest.contains("Old.swift") && !manifest.contains("FilmTests"), "\(manifest)")
    }

    @Test("a folder of Swift files becomes an app, also twice")
    func plain() async throws {
        try write("import SwiftUI\n#Preview { Text(\"a\") }\n", to: "App.swift")
        try write("import SwiftUI\n", to: "Views/Row.swift")
        try write("import SwiftUI\n", to: "PackageList.swift")
        for _ in 0..<2 {
            let run = try await port("--no-build")
            #expect(run.code == 0, "\(run.output) \(run.error)")
        }
        let manifest = try read("Package.swift")
        #expect(manifest.contains("\"App.swift\",\n") && manifest.contains("\"Views/Row.swift\""), "\(manifest)")
        #expect(manifest.contains("let hasPreviews = true"), "\(manifest)")
        #expect(!manifest.contains("\"Package.swift\"") && manifest.contains("\"PackageList.swift\""), "\(manifest)")
    }

    @Test("a folder that links lead to is read once")
    func links() async throws {
        try write("import SwiftUI\n", to: "App.swift")
        try write("import SwiftUI\n", to: "Views/Row.swift")
        for (link, folder) in [("Again", "."), ("Other", "Views")] {
            try FileManager.default.createSymbolicLink(
                atPath: self.folder.appendingPathComponent(link).path, withDestinationPath: folder)
        }
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        let manifest = try read("Package.swift")
        for name in ["App.swift", "Row.swift"] {
            #expect(manifest.components(separatedBy: name).count == 2, "\(manifest)")
        }
        #expect(manifest.contains("\"App.swift\"") && manifest.contains("\"Views/Row.swift\""), "\(manifest)")
    }

    @Test("assets have the names that Xcode generates, also twice")
    func assets() async throws {
        try write("import SwiftUI\n", to: "App.swift")
        for name in ["play.custom.imageset", "HeroImage.imageset", "repeat.symbolset", "AccentColor.colorset"] {
            try write("{}", to: "Assets.xcassets/\(name)/Contents.json")
        }
        try write(#"{"properties": {"provides-namespace": true}}"#, to: "Assets.xcassets/icons/Contents.json")
        try write("{}", to: "Assets.xcassets/icons/TVSet.imageset/Contents.json")
        for _ in 0..<2 {
            let run = try await port("--no-build")
            #expect(run.code == 0, "\(run.output) \(run.error)")
        }
        let names = try read("LinuxAssetSymbols.swift")
        for part in [
            "#if os(Linux)\nimport SwiftUI\n",
            "static let playCustom = ImageResource(name: \"play.custom\", bundle: .main)",
            "static let hero = ImageResource(name: \"HeroImage\"", "static let `repeat` = ImageResource(",
            "static let accent = ColorResource(name: \"AccentColor\"", "    enum Icons {\n",
            "static let tvSet = ImageResource(name: \"icons/TVSet\"",
        ] {
            #expect(names.contains(part), "\(part) is not in \(names)")
        }
        // A folder has no settings, so the names are no members of `Color`.
        #expect(!names.contains("extension Color {"))
        let manifest = try read("Package.swift")
        #expect(manifest.components(separatedBy: "LinuxAssetSymbols.swift").count == 2, "\(manifest)")
        try write("let own = 1\n", to: "LinuxAssetSymbols.swift")
        let run = try await port("--no-build")
        #expect(run.code == 1 && run.error.contains("was not written by this command"), "\(run.error)")
    }

    @Test("assets whose names are no Swift names are renamed or left out")
    func unusualAssetNames() async throws {
        try write("import SwiftUI\n", to: "App.swift")
        for name in ["🎬.imageset", "2024.imageset", "default.imageset"] {
            try write("{}", to: "Assets.xcassets/\(name)/Contents.json")
        }
        for folder in ["any", "protocol", "2024", "image resource", "—"] {
            try write(#"{"properties": {"provides-namespace": true}}"#, to: "Assets.xcassets/\(folder)/Contents.json")
            try write("{}", to: "Assets.xcassets/\(folder)/play.imageset/Contents.json")
        }
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        let names = try read("LinuxAssetSymbols.swift")
        let declarations = names.split(separator: "\n").filter { $0.contains("static let") || $0.contains("enum") }
            .map { $0.trimmingCharacters(in: .whitespaces).components(separatedBy: " =")[0] }
        let play = "static let play"
        #expect(
            declarations == [
                "static let _2024", "static let `default`", "enum `Any` {", play, "enum `Protocol` {", play,
            ])
        #expect(names.hasSuffix("}\n#endif\n"))
    }

    @Test("targets with the same folder have their own files of asset names")
    func assetsOfTwoTargets() async throws {
        try write(
            """
            {
                objects = {
                    A1 = {isa = PBXBuildFile; fileRef = F1; };
                    A2 = {isa = PBXBuildFile; fileRef = F2; };
                    A3 = {isa = PBXBuildFile; fileRef = F3; };
                    A4 = {isa = PBXBuildFile; fileRef = F4; };
                    F1 = {isa = PBXFileReference; path = App.swift; };
                    F2 = {isa = PBXFileReference; path = Kit.swift; };
                    F3 = {isa = PBXFileReference; path = App.xcassets; };
                    F4 = {isa = PBXFileReference; path = Kit.xcassets; };
                    G1 = {isa = PBXGroup; children = (F1, F2, F3, F4, ); };
                    P1 = {isa = PBXSourcesBuildPhase; files = (A1, ); };
                    P2 = {isa = PBXSourcesBuildPhase; files = (A2, ); };
                    P3 = {isa = PBXResourcesBuildPhase; files = (A3, ); };
                    P4 = {isa = PBXResourcesBuildPhase; files = (A4, ); };
                    T1 = {isa = PBXNativeTarget; name = Film; productType = "com.apple.product-type.application";
                        buildPhases = (P1, P3, ); dependencies = (D1, ); };
                    D1 = {isa = PBXTargetDependency; target = T2; };
                    T2 = {isa = PBXNativeTarget; name = Kit; productType = "com.apple.product-type.framework";
                        buildPhases = (P2, P4, ); };
                    PR = {isa = PBXProject; mainGroup = G1; targets = (T1, T2, ); };
                };
                rootObject = PR;
            }
            """, to: "Film.xcodeproj/project.pbxproj")
        for (target, asset) in [("App", "play"), ("Kit", "pause")] {
            try write("import SwiftUI\n", to: "\(target).swift")
            try write("{}", to: "\(target).xcassets/\(asset).imageset/Contents.json")
        }
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        let app = try read("LinuxAssetSymbols.swift")
        let kit = try read("LinuxAssetSymbols+Kit.swift")
        #expect(app.contains("static let play =") && !app.contains("pause"))
        #expect(kit.contains("static let pause =") && !kit.contains("play"))
    }

    @Test("an Xcode project's setting adds assets as members of colors and images")
    func assetMembers() async throws {
        try writeProject()
        let settings = "ASSETCATALOG_COMPILER_GENERATE_SWIFT_ASSET_SYMBOL_EXTENSIONS = YES; SWIFT_VERSION = 6.0;"
        try write(
            project.replacingOccurrences(of: "film.mp4", with: "Assets.xcassets")
                .replacingOccurrences(of: "SWIFT_VERSION = 6.0;", with: settings),
            to: "Film.xcodeproj/project.pbxproj")
        try write("import SwiftUI\nimport UIKit\n", to: "Film/FilmApp.swift")
        for name in ["Brand.colorset", "red.colorset", "Poster.imageset"] {
            try write("{}", to: "Film/Assets.xcassets/\(name)/Contents.json")
        }
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        let names = try read("Film/LinuxAssetSymbols.swift")
        for part in [
            "static var brand: Color { Color(ColorResource.brand) }", "extension ShapeStyle where Self == Color {",
            "static var brand: UIColor { UIColor(resource: ColorResource.brand) }",
            "static var poster: UIImage { UIImage(resource: ImageResource.poster) }",
            "static let red = ColorResource(name: \"red\"",
        ] {
            #expect(names.contains(part), "\(part) is not in \(names)")
        }
        #expect(!names.contains("static var red"), "\(names)")
        #expect(try read("Package.swift").contains("\"LinuxAssetSymbols.swift\""))
    }

    @Test("package manifests in subfolders are no sources of the app")
    func nestedManifests() async throws {
        let manifest = "// swift-tools-version: 5.9\nimport PackageDescription\n"
        try write("import SwiftUI\n", to: "App.swift")
        try write(manifest, to: "Kit/Package.swift")
        try write(manifest, to: "Kit/Package@swift-6.0.swift")
        try write("public struct Kit {}\n", to: "Kit/Sources/Kit/Kit.swift")
        try write("struct Package {}\n", to: "Models/Package.swift")
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        let written = try read("Package.swift")
        #expect(!written.contains("Kit/Package"), "\(written)")
        #expect(
            written.contains("\"Kit/Sources/Kit/Kit.swift\"") && written.contains("\"Models/Package.swift\""),
            "\(written)")
    }

    @Test(
        "the module with macros is used for sources with @Entry",
        arguments: [
            ("extension EnvironmentValues {\n    @Entry var a = 1\n}", true),
            ("extension EnvironmentValues { @Entry var a = 1 }", true),
            ("extension EnvironmentValues {\n    @available(iOS 18, *) @Entry\n    var a = 1\n}", true),
            ("@EntryPoint struct A {}", false), ("let a = 1  // @Entry var", false),
            ("let mail = \"a@Entry b\"", false),
        ])
    func entries(code: String, hasPreviews: Bool) async throws {
        try write("import SwiftUI\n\(code)\n", to: "App.swift")
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        let manifest = try read("Package.swift")
        #expect(manifest.contains("let hasPreviews = \(hasPreviews)"), "\(manifest)")
    }

    @Test("a package keeps its manifest and gets a second one")
    func package() async throws {
        let own = "// swift-tools-version: 5.9\n"
        try write(own, to: "Package.swift")
        try write("import SwiftUI\n", to: "Sources/Film/Film.swift")
        try write("import XCTest\n", to: "Tests/FilmTests/FilmTests.swift")
        let swift = try compiler(
            """
            echo '{"name": "Film", "dependencies": [], "targets": [
              {"name": "Film", "type": "regular", "dependencies": [], "settings": []},
              {"name": "FilmTests", "type": "test", "dependencies": [{"byName": ["Film", null]}], "settings": []}]}'
            """)
        let run = try await port("--no-build", "--swift", swift)
        #expect(run.code == 0, "\(run.output) \(run.error)")
        #expect(try read("Package.swift") == own)
        let manifest = try read("Package@swift-6.2.swift")
        #expect(manifest.contains(".library(name: \"Film\", targets: [\"Film\"])"), "\(manifest)")
        #expect(manifest.contains("path: \"Sources/Film\""), "\(manifest)")
    }

    @Test("excluded files and previews of one target do not change others")
    func targets() async throws {
        try write("// swift-tools-version: 5.9\n", to: "Package.swift")
        try write("import SwiftUI\n#Preview { Text(\"a\") }\n", to: "Sources/First/First.swift")
        try write("import AVKit\n", to: "Sources/Second/Second.swift")
        for name in ["Data/a.json", "Data2.json"] { try write("{}", to: "Sources/Second/" + name) }
        let swift = try compiler(
            """
            echo '{"name": "Film", "dependencies": [], "targets": [
              {"name": "First", "type": "regular", "dependencies": []},
              {"name": "Second", "type": "regular", "dependencies": [], "exclude": ["Data"]}]}'
            """)
        let run = try await port("--no-build", "--swift", swift)
        #expect(run.code == 0, "\(run.output) \(run.error)")
        let manifest = try read("Package@swift-6.2.swift")
        #expect(manifest.contains("apple(\"SwiftUI\")") && manifest.contains("apple(\"AVKit\")"), "\(manifest)")
        #expect(manifest.contains(".copy(\"Data2.json\")") && !manifest.contains("a.json"), "\(manifest)")
    }

    @Test(
        "code for Objective-C and Metal is listed with what to write",
        arguments: [
            ("@objc func tap() {}", "no Objective-C"), ("let s = #selector(tap)", "no selectors"),
            ("var device: MTLDevice?", "VideoShader"), ("import MetalKit", "#if !os(Linux)"),
            ("@UIApplicationMain class D {}", "Write `@main`"), ("@NSApplicationMain", "WindowGroup"),
            ("import CoreImage.CIFilterBuiltins", "import CoreImage"),
            ("import StoreKit", "no store"), ("CVPixelBufferLockBaseAddress(frame, [])", "withBGRA"),
        ])
    func advice(code: String, words: String) async throws {
        try write("import SwiftUI\n\n\(code)\n", to: "App.swift")
        let run = try await port("--no-build")
        #expect(run.code == 1)
        let line = run.output.split(separator: "\n").first { $0.hasPrefix("App.swift:3: ") }
        #expect(line?.contains(words) == true, "\(run.output)")
    }

    @Test("an import of Core Video gets an alias and no advice")
    func coreVideo() async throws {
        try write("import CoreVideo\n\nfunc show(_ frame: CVPixelBuffer) {}\n", to: "App.swift")
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        #expect(try read("Package.swift").contains("apple(\"CoreVideo\")"))
    }

    @Test("code that is excluded on Linux is not reported")
    func conditions() async throws {
        try write(
            """
            import SwiftUI
            #if canImport(Metal) && !os(Linux)
            import Metal
            #elseif os(macOS) || (os(iOS) && DEBUG)
            @objc class A {}
            #elseif canImport(UIKit)
            import UIKit
            #else
            #error("no")
            let s = #selector(x)
            #endif
            // @objc
            /*
             @objc
             */
            """, to: "App.swift")
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        #expect(try read("Package.swift").contains("apple(\"SwiftUI\", \"UIKit\")"))
    }

    @Test("architecture conditions are true only for this computer", arguments: ["x86_64", "arm64", "riscv64"])
    func architecture(name: String) async throws {
        #if arch(arm64)
            let own = "arm64"
        #elseif arch(riscv64)
            let own = "riscv64"
        #else
            let own = "x86_64"
        #endif
        try write("import SwiftUI\n#if arch(\(name))\n@objc class A {}\n#endif\n", to: "App.swift")
        let run = try await port("--no-build")
        #expect(run.code == (name == own ? 1 : 0), "\(run.output) \(run.error)")
    }

    @Test("code for iOS only is reported and is no failure")
    func platform() async throws {
        try write("import SwiftUI\n#if os(iOS)\n@objc class A {}\n#endif\n", to: "App.swift")
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        #expect(run.output.contains("App.swift:2: ") && run.output.contains("os(Linux)"), "\(run.output)")
    }

    @Test("AppKit is a module only for sources that import it always")
    func appKit() async throws {
        try write(
            "#if canImport(UIKit)\nimport UIKit\n#elseif canImport(AppKit)\nimport AppKit\n#endif\n", to: "A.swift")
        _ = try await port("--no-build")
        #expect(try read("Package.swift").contains("apple(\"UIKit\")"))
        try write("import AppKit\n", to: "B.swift")
        _ = try await port("--no-build")
        #expect(try read("Package.swift").contains("apple(\"AppKit\", \"UIKit\")"))
    }

    @Test("the compiler's errors are listed with the nearest name")
    func errors() async throws {
        try write("import SwiftUI\nlet a = AVPlayerLayr()\nlet b = Quux()\nlet c: Int = \"\"\n", to: "App.swift")
        let file = folder.appendingPathComponent("App.swift").path
        let swift = try compiler(
            """
            for i in 1 2; do
            echo "\(file):2:9: error: cannot find 'AVPlayerLayr' in scope"
            echo "\(file):3:9: error: cannot find 'Quuuuuuuux' in scope"
            echo "\(file):4:14: error: cannot convert value of type 'String' to specified type 'Int'"
            done
            exit 1
            """)
        let run = try await port("--swift", swift)
        #expect(run.code == 1)
        let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("App.swift:") }
        try #require(lines.count == 3, "\(run.output)")
        #expect(lines[0].contains("AVPlayerLayr") && lines[0].contains("`AVPlayerLayer`"))
        #expect(lines[1].contains("no similar name"))
        #expect(lines[2].contains("cannot convert"))
        #expect(run.error.contains("3 lines need changes"), "\(run.error)")
    }

    @Test(
        "an app without an entry point is reported",
        arguments: [
            ("App.swift", "import SwiftUI\nstruct Film: App {}\n", true), ("App.swift", "// @main\nlet a = 1\n", true),
            ("App.swift", "#if os(iOS)\n@main\n#endif\nstruct Film: App {}\n", true),
            ("App.swift", "import SwiftUI\n@main struct Film: App {}\n", false), ("main.swift", "print(1)\n", false),
            ("App.swift", "import UIKit\n@UIApplicationMain class D {}\n", false),
        ])
    func entryPoint(file: String, text: String, isReported: Bool) async throws {
        try write(text, to: file)
        try write("let other = 1\n", to: "Other.swift")
        let run = try await port("--no-build")
        #expect(run.error.contains("has no entry point") == isReported, "\(run.error)")
        #expect(run.error.contains("Write @main") == isReported)
    }

    @Test("a crash of the compiler does not hide the lines to change")
    func crash() async throws {
        try write("import UIKit\n@UIApplicationMain\nclass AppDelegate {}\n", to: "App.swift")
        let swift = try compiler("echo 'error: compile command failed due to signal 11'\nexit 1\n")
        let run = try await port("--swift", swift)
        #expect(run.code == 1)
        #expect(run.output.contains("App.swift:2: ") && run.output.contains("`@main`"), "\(run.output)")
        #expect(run.error.contains("signal 11") && run.error.contains("1 line needs changes"), "\(run.error)")
    }

    @Test("sources of “Preview Content” are compiled, as in debug builds")
    func previewContent() async throws {
        try write("import SwiftUI\n", to: "App.swift")
        try write("let sample = 1\n", to: "Preview Content/Sample.swift")
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        #expect(try read("Package.swift").contains("\"Preview Content/Sample.swift\""))
    }

    @Test(
        "entries of an Xcode project without a file are reported",
        arguments: [
            // A moved file, a build file without an object, a reference without an object, and a file in no group.
            ("path = FilmApp.swift;", "path = Moved.swift;", "“Film/Moved.swift”: there is no such file"),
            ("files = (A1, A2, );", "files = (A1, A9, );", "the entry A9: "),
            ("fileRef = F2; };", "fileRef = F9; };", "the ID F9"),
            ("children = (F2, );", "children = ();", "“Player View.swift”: no group"),
        ])
    func unresolved(old: String, new: String, words: String) async throws {
        try writeProject()
        try write(project.replacingOccurrences(of: old, with: new), to: "Film.xcodeproj/project.pbxproj")
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        let notes = run.error.split(separator: "\n").filter { $0.contains("Left out of Film") }
        #expect(notes.count == 1 && notes.first?.contains(words) == true, "\(run.error)")
    }

    @Test("IDs that several objects of an Xcode project have are reported")
    func duplicateIDs() async throws {
        try writeProject()
        let old = "A2 = {isa = PBXBuildFile; fileRef = F2; };"
        let new = "A1 /* Row.swift in Sources */ = {\n    isa = PBXBuildFile;\n    fileRef = F2;\n};\n" + old
        try write(project.replacingOccurrences(of: old, with: new), to: "Film.xcodeproj/project.pbxproj")
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        let words = "2 of them have the ID A1 (FilmApp.swift in Sources, Row.swift in Sources)"
        #expect(run.error.contains(words), "\(run.error)")
    }

    private var products: String { folder.appendingPathComponent(".build/debug").path }
    /// Creates a program that runs instead of `swift`. It runs `build` in the project's folder instead of a build.
    private func builder(_ build: String = "", description: String = "") throws -> String {
        try compiler(
            """
            case "$*" in
            *dump-package*) echo '\(description)' ;;
            *--show-bin-path*) echo '\(products)' ;;
            *) set -e; cd '\(folder.path)'; mkdir -p '\(products)'; \(build)
            esac
            """)
    }

    @Test("a ported app reads resources and Info.plist through Bundle.main")
    func resources() async throws {
        try writeProject()
        try write(
            project.replacingOccurrences(of: "film.mp4", with: "film.json")
                .replacingOccurrences(
                    of: "SWIFT_VERSION = 6.0;",
                    with: """
                        SWIFT_VERSION = 6.0; INFOPLIST_FILE = "$(SRCROOT)/Film/Info.plist"; MARKETING_VERSION = 1.2;
                        PRODUCT_BUNDLE_IDENTIFIER = "org.example.$(PRODUCT_NAME:rfc1034identifier)";
                        PRODUCT_NAME = "My $(TARGET_NAME)"; SERVER = "films.example.org$(SERVER)";
                        """), to: "Film.xcodeproj/project.pbxproj")
        try write(#"{"title": "Nosferatu"}"#, to: "Film/film.json")
        let info = ["Server": "https://$(SERVER)/", "CFBundleShortVersionString": "${MARKETING_VERSION}$"]
        try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
            .write(to: folder.appendingPathComponent("Film/Info.plist"))
        try write(
            """
            import Foundation
            @main struct FilmApp {
                static func main() throws {
                    guard let file = Bundle.main.url(forResource: "film", withExtension: "json") else {
                        return print("no file")
                    }
                    print(try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file)))
                    print(Bundle.main.bundleIdentifier ?? "no identifier")
                    for key in ["Server", "CFBundleShortVersionString"] {
                        print(Bundle.main.object(forInfoDictionaryKey: key) ?? "no \\(key)")
                    }
                    print(Bundle.main.developmentLocalization ?? "no language")
                }
            }
            """, to: "Film/FilmApp.swift")
        // SwiftPM copies resources to the folder PACKAGE_TARGET.resources.
        let swift = try builder(
            """
            mkdir -p '\(products)/Film_Film.resources'; cp Film/film.json '\(products)/Film_Film.resources'
            swiftc -parse-as-library -module-name Film Film/FilmApp.swift -o '\(products)/Film'
            """)
        let run = try await port("--swift", swift)
        try #require(run.code == 0, "\(run.output) \(run.error)")
        #expect(run.output.contains("swift run"))
        let app = try await ToolProcess(shell: "exec '\(products)/Film'").finish()
        #expect(
            app.output.split(separator: "\n") == [
                #"["title": "Nosferatu"]"#, "org.example.My-Film", "https://films.example.org/", "1.2$", "en",
            ], "\(app.output) \(app.error)")
    }

    @Test("apps of one package share a bundle without an identifier")
    func apps() async throws {
        try write("// swift-tools-version: 5.9\n", to: "Package.swift")
        for name in ["First", "Second"] {
            try write("import SwiftUI\n", to: "Sources/\(name)/App.swift")
            for file in ["\(name).json", "same.json"] { try write("{}", to: "Sources/\(name)/\(file)") }
        }
        // A bundle of another target, from an earlier run.
        try write("{}", to: ".build/debug/Contents/Resources/old.json")
        let swift = try builder(
            description: """
                {"name": "Film", "defaultLocalization": "de", "dependencies": [], "targets": [
                  {"name": "First", "type": "executable", "dependencies": []},
                  {"name": "Second", "type": "executable", "dependencies": []}]}
                """)
        let run = try await port("--swift", swift)
        #expect(run.code == 0, "\(run.output) \(run.error)")
        let files = FileManager.default
        let resources = products + "/Contents/Resources"
        let names = try files.contentsOfDirectory(atPath: resources).sorted()
        #expect(names == ["First.json", "Second.json", "same.json"])
        #expect(
            try names.map { try files.destinationOfSymbolicLink(atPath: "\(resources)/\($0)") } == [
                "../../Film_First.resources/First.json", "../../Film_Second.resources/Second.json",
                "../../Film_First.resources/same.json",
            ])
        #expect(try info() as? [String: String] == ["CFBundleDevelopmentRegion": "de"])
    }
    private func info() throws -> [String: Any] {
        let data = try Data(contentsOf: URL(fileURLWithPath: products + "/Contents/Info.plist"))
        return try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    }

    @Test(
        "only apps for iOS without macOS require a phone",
        arguments: [
            ("SDKROOT = iphoneos;", true), ("SDKROOT = macosx;", false),
            (#"SDKROOT = auto; SUPPORTED_PLATFORMS = "iphoneos iphonesimulator macosx";"#, false),
            (#"SDKROOT = auto; SUPPORTED_PLATFORMS = "iphoneos iphonesimulator";"#, true),
            (#"SDKROOT = iphoneos; SUPPORTED_PLATFORMS = "iphoneos macosx";"#, false),
        ])
    func phones(settings: String, isForPhones: Bool) async throws {
        try writeProject()
        try write(
            project.replacingOccurrences(of: "SWIFT_VERSION = 6.0;", with: "SWIFT_VERSION = 6.0; \(settings)"),
            to: "Film.xcodeproj/project.pbxproj")
        let run = try await port("--swift", builder())
        #expect(run.code == 0, "\(run.output) \(run.error)")
        #expect(try info()["LSRequiresIPhoneOS"] as? Bool == (isForPhones ? true : nil))
    }

    @Test("the orientations of the build settings get into Info.plist", arguments: ["", "_iPhone"])
    func orientations(suffix: String) async throws {
        try writeProject()
        let setting = "INFOPLIST_KEY_UISupportedInterfaceOrientations\(suffix)"
        let names = ["UIInterfaceOrientationLandscapeLeft", "UIInterfaceOrientationLandscapeRight"]
        try write(
            project.replacingOccurrences(
                of: "SWIFT_VERSION = 6.0;",
                with: #"SWIFT_VERSION = 6.0; \#(setting) = "\#(names.joined(separator: " "))";"#),
            to: "Film.xcodeproj/project.pbxproj")
        let run = try await port("--swift", builder())
        #expect(run.code == 0, "\(run.output) \(run.error)")
        #expect(try info()["UISupportedInterfaceOrientations"] as? [String] == names)
    }

    @Test("the interface style of the build settings gets into Info.plist", arguments: ["Dark", "Light"])
    func interfaceStyle(style: String) async throws {
        try writeProject()
        try write(
            project.replacingOccurrences(
                of: "SWIFT_VERSION = 6.0;",
                with: "SWIFT_VERSION = 6.0; INFOPLIST_KEY_UIUserInterfaceStyle = \(style);"),
            to: "Film.xcodeproj/project.pbxproj")
        let run = try await port("--swift", builder())
        #expect(run.code == 0, "\(run.output) \(run.error)")
        #expect(try info()["UIUserInterfaceStyle"] as? String == style)
    }

    @Test("the manifest has the project's language", arguments: ["", "developmentRegion = de;"])
    func language(setting: String) async throws {
        try writeProject()
        try write(
            project.replacingOccurrences(of: "isa = PBXProject;", with: "isa = PBXProject; \(setting)"),
            to: "Film.xcodeproj/project.pbxproj")
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        let manifest = try read("Package.swift")
        #expect(manifest.contains("defaultLocalization: \"\(setting.isEmpty ? "en" : "de")\""), "\(manifest)")
    }

    @Test("products of packages in the project's folders become dependencies", arguments: [true, false])
    func localPackages(isListed: Bool) async throws {
        try writeProject()
        // Xcode names no package for a product of a package in a folder.
        var text = project.replacingOccurrences(of: "package = R1; productName = Nuke;", with: "productName = FilmUI;")
        if isListed {
            text = text.replacingOccurrences(of: "packageReferences = (R1, );", with: "packageReferences = (R1, R2, );")
                .replacingOccurrences(
                    of: "PR = {",
                    with: "R2 = {isa = XCLocalSwiftPackageReference; relativePath = Modules/Kit; };\nPR = {")
        } else {
            text = text.replacingOccurrences(of: "children = (G1, S1, );", with: "children = (G1, S1, F4, F5, );")
                .replacingOccurrences(
                    of: "PR = {",
                    with: """
                        F4 = {isa = PBXFileReference; lastKnownFileType = wrapper; path = Modules/Kit; };
                        F5 = {isa = PBXFileReference; lastKnownFileType = folder; path = Film; };
                        PR = {
                        """)
        }
        try write(text, to: "Film.xcodeproj/project.pbxproj")
        try write(#"let package = Package(products: [.library(name: "FilmUI")])"#, to: "Modules/Kit/Package.swift")
        let run = try await port("--no-build")
        #expect(run.code == 0, "\(run.output) \(run.error)")
        let manifest = try read("Package.swift")
        for part in [".package(path: \"Modules/Kit\")", ".product(name: \"FilmUI\", package: \"Kit\")"] {
            #expect(manifest.contains(part), "\(part) is not in \(manifest)")
        }
        #expect(!manifest.contains(".package(path: \"Film\")"), "\(manifest)")
    }

    @Test("a manifest by another author is never replaced")
    func foreign() async throws {
        try write("import SwiftUI\n", to: "Sources/Film/Film.swift")
        try write("// swift-tools-version: 5.9\n", to: "Package.swift")
        try write("// theirs\n", to: "Package@swift-6.2.swift")
        let swift = try compiler(
            #"echo '{"name": "Film", "dependencies": [], "targets": [{"name": "Film", "type": "regular", "dependencies": []}]}'"#
        )
        let run = try await port("--no-build", "--swift", swift)
        #expect(run.code == 1 && run.error.contains("was not written by this command"), "\(run.error)")
        #expect(try read("Package@swift-6.2.swift") == "// theirs\n")
    }

    @Test("a wrong folder, project or target is an error with a remedy")
    func mistakes() async throws {
        var run = try await port()
        #expect(run.code == 1 && run.error.contains("Name the folder"), "\(run.error)")
        try write("no list", to: "Film.xcodeproj/project.pbxproj")
        run = try await port("--no-build")
        #expect(run.code == 1 && run.error.contains("not an Xcode project file"), "\(run.error)")
        try writeProject()
        run = try await port("--no-build", "--target", "Other")
        #expect(run.code == 1 && run.error.contains("Film, FilmKit"), "\(run.error)")
    }
}
